"""A request that may fail for a while → its answer after as many attempts as there is time for.

The waits are those of GitHub's own client (artifact-twirp-client.ts in actions/toolkit).
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable

from agenttest.github.http import Answer, Client, Unreachable

ATTEMPTS = 5
FIRST_WAIT, GROWTH = 3.0, 1.5  # seconds, and what each wait is times the one before
BUSY = frozenset({429, 500, 502, 503, 504})


def attempts(
    client: Client,
    send: Callable[[], Answer],
    again: Callable[[Answer], bool] = lambda answer: answer.status in BUSY,
    chance: Callable[[], float] = random.random,
) -> Answer:
    """The first answer that need not be asked for `again`; after five, or with no time left to wait, the last."""
    for attempt in range(ATTEMPTS):
        pause = FIRST_WAIT * GROWTH**attempt * (1 + (GROWTH - 1) * chance() * bool(attempt))
        last = attempt == ATTEMPTS - 1
        try:
            answer = send()
        except Unreachable as error:
            if last or error.final or pause >= client.left:
                raise
        else:
            pause = asked_pause(answer, pause)
            if last or not again(answer) or pause >= client.left:
                return answer
        client.sleep(pause)
    raise AssertionError("the last attempt returns or raises")


def asked_pause(answer: Answer, otherwise: float) -> float:
    """The seconds that `Retry-After` asks for, as a number or a date; `otherwise` where it asks for none."""
    from email.utils import parsedate_to_datetime

    asked = answer.headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", asked):
        return float(asked)
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
    except (ValueError, OverflowError):
        return otherwise

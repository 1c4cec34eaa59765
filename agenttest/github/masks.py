"""A token → the commands after which the runner's log shows `***` for it, in every form that it may come back in."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

from agenttest.github.commands import mask, maskable


def masks(token: str) -> list[str]:
    """One command for each form that is long enough; a short one would hide other words of the log."""
    return [mask(form) for form in dict.fromkeys(forms(token)) if maskable(form)]


def forms(token: str) -> Iterator[str]:
    """The token as it is, within a URL, within JSON, and as a part of whatever is written in Base64."""
    yield token
    yield from (quote(token, safe=""), quote(token), quote_plus(token))
    yield from (json.dumps(token)[1:-1], json.dumps(token, ensure_ascii=False)[1:-1])
    data = token.encode()
    for encode in (b64encode, urlsafe_b64encode):
        yield from (inner(encode(bytes(before) + data).decode(), before) for before in range(3))


def inner(encoded: str, before: int) -> str:
    """What of Base64 is the same whatever stands around; `before` bytes of something else come first."""
    whole = encoded.rstrip("=")
    return whole[(0, 2, 3)[before] : len(whole) - (whole != encoded)]

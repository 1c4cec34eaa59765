"""A `Target` that may still be starting → None as soon as it accepts a connection, or why nothing can be asked."""

from __future__ import annotations

from collections.abc import Sequence

from agenttest.evidence import Lost
from agenttest.sources.endpoint.trust import Target


def wait(target: Target, seconds: float, end: float, cancelled: Sequence[str]) -> Lost | None:
    """Try to connect until it works, for so many seconds, until `end` (monotonic clock) or until a signal came."""
    raise NotImplementedError

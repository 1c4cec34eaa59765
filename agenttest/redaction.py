"""What was judged → the same without a secret: the token in every form it may come back in, and the endpoint's URL."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from agenttest.model import Json, Judged, Suite


class Redactor:
    """Replaces a token's forms by `[REDACTED]`, or by `*` where they are shorter, and addresses by `[ENDPOINT]`."""

    def __init__(self, token: str | None, addresses: Iterable[str] = ()) -> None:
        raise NotImplementedError

    def text(self, text: str) -> str:
        """The text without them."""
        raise NotImplementedError

    def value(self, value: Json) -> Json:
        """The value without them, in keys too."""
        raise NotImplementedError

    def leaks(self, text: str) -> bool:
        """Whether a form of the token is in a text that is about to be written."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Redaction:
    """One suite's: `suite` is the suite as it may be saved, which differs only where its text holds the token."""

    suite: Suite
    redactor: Redactor

    @classmethod
    def of(
        cls, suite: Suite, token: str | None, addresses: Iterable[str], load: Callable[[str, bytes], Suite]
    ) -> Redaction:
        """The redaction of a run that sends this token; InvalidInput where the suite cannot be saved without it."""
        raise NotImplementedError

    def redact(self, judged: Judged) -> Judged:
        """What may be kept of what was judged, with the names of the outcomes whose own inputs were changed."""
        raise NotImplementedError

"""The text of a URL → `Address`: what may be asked at all, and its one canonical name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Address:
    """An http or https URL without credentials and fragment.

    `host` is in lower case, of an IPv6 address without brackets; `port` is the scheme's own where none was given;
    `target` is the path and the query as they were given; `texts` are the spellings that saved words must not hold.
    """

    scheme: str
    host: str
    port: int
    target: str
    fingerprint: str
    texts: Sequence[str]

    @property
    def loopback(self) -> bool:
        """Whether the host is this machine by its very name."""
        raise NotImplementedError


def parse(given: str) -> Address:
    """The address of a URL; ValueError says what is wrong and what would be right."""
    raise NotImplementedError

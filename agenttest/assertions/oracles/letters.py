"""A text → the same text with letters that differ by case alone made equal, each by itself.

Every character stays one character. So `ß` is not `ss`, and a letter outside ASCII never becomes one of ASCII: neither
the dotless `ı` nor the long `ſ` nor the sign for kelvin is found as `i`, `s` or `k`.
"""

from __future__ import annotations


class Upper(dict[int, int]):
    """By the number of a character that of its upper case, found when it is first asked for."""

    def __missing__(self, number: int) -> int:
        upper = chr(number).upper()
        own = len(upper) == 1 and (number < 128 or ord(upper) >= 128)
        self[number] = ord(upper) if own else number
        return self[number]


UPPER = Upper()


def fold(text: str) -> str:
    """The text in upper case, as long as before."""
    return text.upper() if text.isascii() else text.translate(UPPER)

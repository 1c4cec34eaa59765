"""A secret → the forms that it may come back in, each a regular expression that is matched in linear time."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

ESCAPED = 4  # characters from which on a secret is looked for in escapes, too
CORE = 8  # characters from which on what an encoding leaves of a secret is no coincidence
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
PERCENT = "%(?:25)*+"  # a percent sign that was itself encoded any number of times
AMPERSAND = "&(?:amp;)*+"
SIGNS = {
    "+": rf"(?:[+-]|{PERCENT}2[Bb]|\\++u002[bB])",
    "/": rf"(?:\\*+[/_]|{PERCENT}2[Ff]|\\++u002[fF])",
}
PADDING = rf"(?:=|{PERCENT}3[Dd]|\\u003[dD]){{0,2}}"


@dataclass(frozen=True, slots=True)
class Form:
    """One form: an expression for each of its characters in order, and one for what may follow the last."""

    elements: tuple[str, ...]
    tail: str = ""

    @property
    def expression(self) -> str:
        """The whole form."""
        return "".join(self.elements) + self.tail


def forms(secret: str) -> Iterator[Form]:
    """The secret as it is, with any of its characters escaped, in base64 at any alignment, and in hex."""
    yield Form(tuple(map(re.escape, secret)))
    if len(secret) < ESCAPED:
        return
    yield from escaped(secret)
    for data in dict.fromkeys((secret.encode(), secret.encode("latin-1", "ignore"))):
        yield from base64s(data)
        if 2 * len(data) >= CORE:
            yield Form(tuple(map(either_case, data.hex())))


def escaped(text: str) -> Iterator[Form]:
    """The text with any of its characters escaped as URLs, JSON, string literals or HTML have it."""
    if text.strip("\\"):
        yield Form(tuple(elements(text)))


def elements(text: str) -> Iterator[str]:
    """An expression for each character, and for each run of backslashes one, as these are of any length in escapes."""
    before = ""
    for found in re.finditer(r"\\+|[^\\]", text):
        if found[0][0] == "\\":
            yield backslashes(len(found[0]), first=not before)
        else:
            # A long run of backslashes is looked at once alone, so no form begins in the middle of one.
            lead = {"": r"\\", "\\": r"\\*+"}.get(before[-1:], r"\\++")
            # Ways that begin alike are few, so that all others need no second look, however long the secret is.
            again = found[0] in "%&" or lead.endswith("*+")
            yield f"({'?:' if again else '?>'}{'|'.join(ways(found[0], lead))})"
        before = found[0]


def backslashes(count: int, *, first: bool) -> str:
    """At least so many backslashes; escaping may have doubled them."""
    unit = rf"(?:\\(?:u005[cC]|x5[cC])?+|{PERCENT}5[cC]|{entity(chr(92))})"
    return rf"(?<!\\){unit}{{{count}}}+" if first else f"{unit}{{{count},}}+"


def ways(char: str, lead: str) -> Iterator[str]:
    """How a character that is no backslash may be written, each way with another beginning; `lead` stands for the
    backslashes before it, of which there may be none after a backslash."""
    code = ord(char)
    plain = {"%": "%(?:25)*", "&": "&(?:amp;)*", " ": "[ +]"}.get(char, re.escape(char))
    if not lead.endswith("*+"):
        yield plain
    two, octets = digits(code), list(map(digits, char.encode()))
    bytes_of = r"\\++".join(f"x{octet}" for octet in octets)
    yield rf"{lead}(?:u00{two}|u\{{0*{two}\}}|U000000{two}|{bytes_of}|x{two}|{plain}|{entity(char)})"
    if char != "%":
        yield from dict.fromkeys(("".join(PERCENT + octet for octet in octets), PERCENT + two))
    yield entity(char)


def entity(char: str) -> str:
    """A character as HTML names it, by number or by any of its names."""
    code = f"{ord(char):x}"
    named = [f"#0*{ord(char)}(?![0-9])", f"#[xX]0*{''.join(map(either_case, code))}(?![0-9A-Fa-f])"]
    return f"{AMPERSAND}(?:{'|'.join((*named, *names()[char]))});?"


@lru_cache(maxsize=1)
def names() -> Mapping[str, list[str]]:
    """The names of HTML's characters, but for the ampersand's, which is in AMPERSAND."""
    from html.entities import html5

    found: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(html5, key=len, reverse=True):
        if name.endswith(";") and name != "amp;":
            found[html5[name]].append(name.removesuffix(";"))
    return found


def digits(code: int) -> str:
    """The two hexadecimal digits of a byte."""
    return "".join(map(either_case, f"{code:02x}"))


def either_case(digit: str) -> str:
    """A hexadecimal digit."""
    return f"[{digit}{digit.upper()}]" if digit.isalpha() else digit


def base64s(data: bytes) -> Iterator[Form]:
    """What is the same in every base64 text that holds the data, for each place at which it may begin in three."""
    for shift in range(3):
        text = b64encode(bytes(shift) + data + bytes(2)).decode()
        bits = 8 * (shift + len(data))
        core = text[-(-8 * shift // 6) : bits // 6]
        if len(core) >= CORE:
            tail = ends(text[bits // 6], bits % 6) if bits % 6 else ""
            yield Form(tuple(SIGNS.get(char, char) for char in core), tail + PADDING)


def ends(char: str, bits: int) -> str:
    """The character after the core, of which only the first bits are the secret's; it may be missing."""
    at = ALPHABET.index(char)
    found = ALPHABET[at : at + 2 ** (6 - bits)]
    found += "-" * ("+" in found) + "_" * ("/" in found)
    return f"[{''.join(map(re.escape, found))}]?+"

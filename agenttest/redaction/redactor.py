"""Text or value → the same without a token in any of its forms, and without the addresses of an endpoint."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from agenttest.jsontext import compact
from agenttest.model import Json
from agenttest.redaction.forms import Form, escaped, forms

SECRET, ADDRESS, WORD = "[REDACTED]", "[ENDPOINT]", "REDACTED"
SHORT = 8  # a token of fewer characters may stand in what is written by chance, so a suite is left as it is
CUT = re.compile(r"(?:[\\%&][^\s…]{0,9})?['\"]?…")  # where a text was shortened, maybe inside an escape
MARK = re.compile(r"REDACTED|\[ENDPOINT\]|[*█]")


class Redactor:
    """Replaces a token's forms by `[REDACTED]`, or by `*` where they are shorter, and addresses by `[ENDPOINT]`."""

    def __init__(self, token: str | None, addresses: Iterable[str] = ()) -> None:
        self.forms = tuple(forms(token)) if token else ()
        self.short = len(token or "") < SHORT
        self.fill = "█" if "*" in (token or "") else "*"  # no token can hold the first, as no header can
        longest = sorted({text for text in addresses if text}, key=len, reverse=True)
        self.token = compiled(self.forms)
        self.address = compiled(form for text in longest for form in (Form((re.escape(text),)), *escaped(text)))
        self.changed = lru_cache(maxsize=8)(self.without)  # one long answer is told by many outcomes

    def text(self, text: str) -> str:
        """The text without them; the very same where there are none."""
        found = self.changed(text)
        return text if found is None else found

    def value(self, value: Json) -> Json:
        """The value without them, in keys too; the very same where there are none."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return self.members(value)
        if isinstance(value, Sequence):
            items = [self.value(item) for item in value]
            return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
        return value if value is None or isinstance(value, bool) else self.number(value)

    def leaks(self, text: str) -> bool:
        """Whether a form of the token is in a text."""
        return self.token is not None and self.token.search(text) is not None

    def worded(self, text: str) -> str:
        """The text with a word in place of each form of the token that means nothing in any syntax."""
        return text if self.token is None or not self.leaks(text) else self.token.sub(WORD, text)

    def without(self, text: str) -> str | None:
        """The text without them; None where there are none. What is replaced never grows, and so comes to an end."""
        now = text
        if self.address is not None:
            now = self.address.sub(lambda found: self.shorter(ADDRESS, found[0]), now)
        if self.token is not None:
            now = self.token.sub(lambda found: self.shorter(SECRET, found[0]), now)
            now = self.uncut(now)
            while self.leaks(now):  # the mark itself, or with what stands around it, may be the token anew
                now = self.token.sub(lambda found: self.fill * len(found[0]), now)
        return None if now == text else now

    def shorter(self, mark: str, found: str) -> str:
        """What stands in place of a form."""
        return mark if len(mark) <= len(found) else self.fill * len(found)

    def uncut(self, text: str) -> str:
        """The text without the beginnings of forms that stand where it was shortened."""
        for form, begins in self.beginnings if "…" in text else ():
            text = "".join(self.mended(text, form, begins))
        return text

    @cached_property
    def beginnings(self) -> list[tuple[Form, re.Pattern[str]]]:
        """Each form that can be told by its beginning, with the beginning's expression."""
        long = [form for form in self.forms if len(form.elements) >= SHORT]
        return [(form, re.compile("".join(form.elements[:SHORT]))) for form in long]

    def mended(self, text: str, form: Form, begins: re.Pattern[str]) -> Iterator[str]:
        """The pieces of a text that remain of it without cut forms, and what stands in place of these."""
        told = 0
        for found in begins.finditer(text):
            end = found.end()
            for element in form.elements[SHORT:]:
                more = re.compile(element).match(text, end)
                if more is None:
                    break
                end = more.end()
            if found.start() >= told and CUT.match(text, end):
                yield text[told : found.start()]
                yield self.shorter(SECRET, text[found.start() : end])
                told = end
        yield text[told:]

    def members(self, value: Mapping[str, Json]) -> Mapping[str, Json]:
        """An object; keys that become the same are told apart by a number."""
        members: dict[str, Json] = {}
        for key, inner in value.items():
            name, count = self.text(key), 1
            while name in members or (name != key and name in value):
                count += 1
                name = f"{self.text(key)} ({count})"
            members[name] = self.value(inner)
        same = all(new is old and members[new] is value[old] for new, old in zip(members, value, strict=True))
        return value if same else members

    def number(self, value: float) -> float | str:
        """A number, or text where its digits hold a form."""
        found = self.changed(compact(value))
        return value if found is None else found


def compiled(found: Iterable[Form]) -> re.Pattern[str] | None:
    """One expression for all forms."""
    expressions = [form.expression for form in found]
    return re.compile("|".join(expressions)) if expressions else None


def marked(value: Json) -> bool:
    """Whether something in a value stands in place of what was taken out."""
    if isinstance(value, str):
        return MARK.search(value) is not None
    if isinstance(value, Mapping):
        return any(map(marked, value)) or any(map(marked, value.values()))
    return isinstance(value, Sequence) and any(map(marked, value))

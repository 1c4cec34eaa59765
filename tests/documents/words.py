"""Nested values whose keys and leaves are words that stand once in a text, so that a search finds a word's place."""

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from agenttest.documents import Document, Path

SHAPES: st.SearchStrategy[Any] = st.recursive(
    st.none(),
    lambda inner: st.lists(inner, min_size=1, max_size=4).map(tuple) | st.lists(inner, min_size=1, max_size=4),
)


def named(shape: Any) -> Any:
    """The shape with a word of its own for each leaf and key: a tuple becomes a mapping, a list stays one."""
    numbers = iter(range(10**6))

    def word(kind: str) -> str:
        return f"{kind}{next(numbers):04}z"

    def fill(part: Any) -> Any:
        if isinstance(part, tuple):
            return {word("key"): fill(inner) for inner in part}
        return [fill(inner) for inner in part] if isinstance(part, list) else word("leaf")

    return fill(shape)


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every leaf with its path."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, str):
        yield path, value
    for key, inner in pairs:
        yield from leaves(inner, (*path, key))


def place(text: str, word: str) -> tuple[int, int]:
    """Line and column of a word in a text, or of the quote before it."""
    offset = text.index(word)
    offset -= text[offset - 1 : offset] in ("'", '"')
    lines = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return len(lines), len(lines[-1]) + 1


def misplaced(document: Document, text: str) -> list[tuple[Path, str]]:
    """The leaves and keys whose marks do not point at them."""
    found = []
    for path, word in leaves(document.value):
        mark = document.mark(path)
        if (mark.line, mark.column) != place(text, word):
            found.append((path, word))
        if path and isinstance(path[-1], str) and (mark.key_line, mark.key_column) != place(text, path[-1]):
            found.append((path, path[-1]))
    return found

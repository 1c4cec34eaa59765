"""A JSON value → how deep it nests and how many values it holds, whatever their number."""

from __future__ import annotations

from typing import Any


def measure(value: Any) -> tuple[int, int]:
    """How deep a JSON value nests and how many values it holds, keys counted too."""
    depth, count, level = 0, 1, [value]
    while level := [item for item in level if type(item) is dict or type(item) is list]:
        depth += 1
        inner: list[Any] = []
        for item in level:
            count += len(item) * (2 if type(item) is dict else 1)
            inner += item.values() if type(item) is dict else item
        level = inner
    return depth, count

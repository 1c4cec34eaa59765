"""The cases → contracts and observations that keep them, written as files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OBSERVATIONS = ".observations.json"  # after a contract's stem, where it is looked for
RESPONSE = "Refund {id} was reversed to the card it was paid with. It takes five working days."
CALLS = (
    {"name": "search_policy", "arguments": {"topic": "refund", "limit": 3, "tags": ["card", "online"]}},
    {"name": "refund_order", "arguments": {"order_id": "A-17", "amount": 49.5, "notify": True}},
)

# Section, key and expectation of each of the nine kinds, all kept by one and the same observation.
KINDS: tuple[tuple[str, str, Any], ...] = (
    ("response", "contains", ["was reversed to the card"]),
    ("response", "excludes", ["card number"]),
    ("tools", "required", [{"name": "refund_order", "arguments": {"order_id": "A-17", "notify": True}}]),
    ("tools", "allowed", ["search_policy", "refund_order"]),
    ("tools", "forbidden", ["delete_account"]),
    ("tools", "exact_sequence", ["search_policy", "refund_order"]),
    ("tools", "max_calls", 2),
    ("refusal", "", False),
    ("sources", "required", ["refund-policy"]),
)


@dataclass(frozen=True, slots=True)
class Case:
    """What one call judges: so many contracts, each of so many scenarios with so many assertions."""

    name: str
    scenarios: int
    assertions: int
    contracts: int = 1

    @property
    def title(self) -> str:
        """The case in words."""
        each = f"{self.scenarios} scenarios x {self.assertions}"
        return each if self.contracts == 1 else f"{self.contracts:,} contracts of {each}"


CASES = (
    Case("3", 3, 2),
    Case("100", 100, 2),
    Case("125", 125, 2),
    Case("half", 125, 1),
    Case("250", 250, 1),
    Case("kinds", 50, 5),
    Case("contracts", 50, 5, 1000),
)


def write(case: Case, folder: Path) -> list[str]:
    """Write the files of a case; the names of its contracts, whose observations lie beside them."""
    names = []
    for number in range(case.contracts):
        stem = f"{case.name}-{number:04d}"
        folder.joinpath(f"{stem}.yml").write_text("\n".join(block(contract(case, stem))) + "\n", "utf-8")
        folder.joinpath(f"{stem}{OBSERVATIONS}").write_text(json.dumps(observations(case, stem), indent=1), "utf-8")
        names.append(f"{stem}.yml")
    return names


def contract(case: Case, stem: str) -> dict[str, Any]:
    """A contract; its scenarios take the kinds of assertions in turn."""
    tools = [{"name": call["name"], "description": "A tool.", "parameters": {"type": "object"}} for call in CALLS]
    scenarios = [
        {
            "id": f"{stem}.{index}",
            "prompt": f"Please refund my order A-17, it came broken. This is my message number {index}.",
            "expect": expectations(index * case.assertions, case.assertions),
        }
        for index in range(case.scenarios)
    ]
    return {"version": 1, "agent": {"model": "refunds", "tools": tools}, "scenarios": scenarios}


def expectations(first: int, count: int) -> dict[str, Any]:
    """So many assertions, each of another kind, from a place in the turn on."""
    expect: dict[str, Any] = {}
    for place in range(first, first + count):
        section, key, value = KINDS[place % len(KINDS)]
        if key:
            expect.setdefault(section, {})[key] = value
        else:
            expect[section] = value
    return expect


def observations(case: Case, stem: str) -> dict[str, Any]:
    """What was seen in each scenario."""
    scenarios = [
        {
            "id": f"{stem}.{index}",
            "response": RESPONSE.format(id=index),
            "response_complete": True,
            "finish_reason": "stop",
            "tool_calls": CALLS,
            "tool_calls_complete": True,
            "refusal": False,
            "sources": ["refund-policy", "card-rules"],
        }
        for index in range(case.scenarios)
    ]
    return {"version": 1, "scenarios": scenarios}


def block(value: Any, indent: str = "") -> Iterator[str]:
    """A mapping or list as lines of YAML, as people write it: texts in quotes, everything else in block style."""
    pairs = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    for key, item in pairs:
        head = f"{indent}- " if key is None else f"{indent}{key}:"
        if not isinstance(item, dict | list) or not item:
            yield f"{head.rstrip()} {json.dumps(item)}"
        elif key is None:
            first, *rest = block(item, indent + "  ")
            yield f"{head}{first.lstrip()}"
            yield from rest
        else:
            yield head
            yield from block(item, indent + "  ")

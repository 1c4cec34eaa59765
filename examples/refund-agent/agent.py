"""A bicycle shop's refund agent, with rules where others ask a model, so that it runs anywhere and always alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

ORDERS: dict[str, dict[str, Any]] = {
    "B-1001": {"item": "rear light", "paid": 39, "days_ago": 12},
    "B-1002": {"item": "touring frame", "paid": 890, "days_ago": 8},
    "B-1003": {"item": "pump", "paid": 25, "days_ago": 75},
}
POLICIES: dict[str, dict[str, Any]] = {"returns": {"source": "returns-policy", "days": 30}}
LATEST = 30  # days since the order
REVIEW_ABOVE = 200  # euros; a person decides about more

Tools = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class Reply:
    """The final answer: its text, whether it is a refusal, and the sources that it rests on."""

    text: str
    refused: bool = False
    sources: tuple[str, ...] = ()


def find_order(order: str) -> dict[str, Any]:
    return ORDERS[order]


def read_policy(topic: str) -> dict[str, Any]:
    return POLICIES[topic]


def send_refund(order: str, amount: int) -> dict[str, Any]:
    return {"sent": amount, "for": order}


def ask_a_person(order: str, why: str) -> dict[str, Any]:
    return {"asked_about": order, "because_of": why}


TOOLS: Tools = {tool.__name__: tool for tool in (find_order, read_policy, send_refund, ask_a_person)}


def answer(prompt: str, tools: Tools = TOOLS, review_above: int = REVIEW_ABOVE) -> Reply:
    """Answer one message of a customer, with these tools."""
    order = re.search(r"B-\d{4}", prompt)
    if "account of" in prompt:
        return Reply("I only send money back the way it was paid.", refused=True)
    if order is None:
        policy = tools["read_policy"](topic="returns")
        return Reply(f"You can return it within {policy['days']} days.", sources=(policy["source"],))
    return refund(order[0], tools, review_above)


def refund(order: str, tools: Tools, review_above: int) -> Reply:
    """Refund an order, or say why not."""
    found = tools["find_order"](order=order)
    if found["days_ago"] > LATEST:
        policy = tools["read_policy"](topic="returns")
        return Reply(f"I am sorry: that was more than {policy['days']} days ago.", sources=(policy["source"],))
    if found["paid"] > review_above:
        tools["ask_a_person"](order=order, why="amount")
        return Reply(f"A colleague will decide about your {found['item']} today.")
    tools["send_refund"](order=order, amount=found["paid"])
    return Reply(f"I have sent back {found['paid']} euros for your {found['item']}.")

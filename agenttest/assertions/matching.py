"""Maximum matching: who can be served when each needs one of its own."""

from __future__ import annotations

from collections.abc import Sequence


def match(wishes: Sequence[Sequence[int]]) -> dict[int, int]:
    """For each wish (the things that would serve it, best first) the thing it gets, so that most wishes are served.

    Augmenting paths in the order of the wishes (Kuhn): a wish once served stays served.
    """
    owners: dict[int, int] = {}
    for wish in range(len(wishes)):
        augment(wishes, wish, owners)
    return {wish: thing for thing, wish in owners.items()}


def augment(wishes: Sequence[Sequence[int]], start: int, owners: dict[int, int]) -> None:
    """Serve one more wish, moving others on to another thing where that frees one; breadth first, so never too deep."""
    parents: dict[int, int] = {}  # thing → the wish that reached it
    queue = [start]
    for wish in queue:
        for thing in wishes[wish]:
            if thing in parents:
                continue
            parents[thing] = wish
            if thing not in owners:
                hand_over(thing, parents, owners)
                return
            queue.append(owners[thing])


def hand_over(thing: int, parents: dict[int, int], owners: dict[int, int]) -> None:
    """Give the free thing to the wish that reached it, its former one to the wish before, back to the one unserved."""
    held = {wish: owned for owned, wish in owners.items()}
    while True:
        wish = owners[thing] = parents[thing]
        if wish not in held:
            return
        thing = held[wish]

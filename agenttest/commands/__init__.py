"""What each command of the command line does, from its flags to its exit code: its room is imported when it is used."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module

ROOMS = {
    "demo": "starting",
    "init": "starting",
    "test": "testing",
    "gates": "deciding",
    "replay": "saved",
    "report": "saved",
    "merge": "saved",
    "schema": "starting",
}


def __getattr__(name: str) -> Callable[[argparse.Namespace], int]:
    """The function of a command, by its name."""
    if name not in ROOMS:
        raise AttributeError(name)
    found: Callable[[argparse.Namespace], int] = getattr(import_module(f"agenttest.commands.{ROOMS[name]}"), name)
    return found

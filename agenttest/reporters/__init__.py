"""The REPORTERS table: `Report` → text, one file a format; each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from agenttest.report import Report

REPORTERS = {
    "text": "agenttest.reporters.text",
    "table": "agenttest.reporters.text",
    "json": "agenttest.reporters.json",
    "markdown": "agenttest.reporters.markdown",
    "github": "agenttest.reporters.github",
    "html": "agenttest.reporters.html",
}


def reporter(name: str) -> Callable[[Report], str]:
    """The `render` of a format by its name in REPORTERS."""
    render: Callable[[Report], str] = import_module(REPORTERS[name]).render
    return render

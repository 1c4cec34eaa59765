"""The REPORTERS table: `Report` → text, one file a format; each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol

from agenttest.report import Ending, Report

REPORTERS = {
    "text": "agenttest.reporters.text",
    "table": "agenttest.reporters.text",
    "json": "agenttest.reporters.json",
    "markdown": "agenttest.reporters.markdown",
    "github": "agenttest.reporters.github",
    "html": "agenttest.reporters.html",
    "junit": "agenttest.reporters.junit",
    "sarif": "agenttest.reporters.sarif",
    "testrun": "agenttest.reporters.testrun",
    "results": "agenttest.reporters.results",
}
COLLECTORS = {  # where suites share a file
    "markdown": "Summary",
    "html": "Index",
    "junit": "Results",
    "sarif": "Log",
    "testrun": "Page",
    "results": "Document",
}


class Collector(Protocol):
    """Takes the reports of several suites one by one, for one file."""

    def add(self, report: Report) -> None:
        """Take note of one."""

    def text(self, ending: Ending) -> str:
        """The file."""


def reporter(name: str) -> Callable[[Report], str]:
    """The `render` of a format by its name in REPORTERS."""
    render: Callable[[Report], str] = import_module(REPORTERS[name]).render
    return render


def collector(name: str) -> Collector:
    """A new collector of a format in COLLECTORS."""
    made: Collector = getattr(import_module(REPORTERS[name]), COLLECTORS[name])()
    return made

"""Reports of scenarios that cannot be decided → their section in pytest's summary."""

from __future__ import annotations

from collections.abc import Sequence

import pytest


def incomplete(terminal: pytest.TerminalReporter, reports: Sequence[pytest.TestReport]) -> None:
    """Each of them as pytest shows a failure, then a line for each."""
    style = terminal.config.getoption("tbstyle")
    if style not in ("no", "line"):
        terminal.write_sep("=", "INCOMPLETE")
        for report in reports:
            terminal.write_sep("_", report.head_line or report.nodeid, yellow=True, bold=True)
            terminal.write_line(report.longreprtext)
    terminal.write_sep("=", "incomplete scenarios", yellow=True)
    for report in reports:
        terminal.write_line(f"INCOMPLETE {report.nodeid} - {reason(report)}", yellow=True)


def reason(report: pytest.TestReport) -> str:
    """In short why a scenario cannot be decided."""
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(getattr(crash, "message", "")).partition("\n")[0]

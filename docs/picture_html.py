"""The example's report as a page, seen in a browser → docs/report-html.png, the picture in the README.

python docs/picture_html.py     # needs Chromium: apt-get install chromium
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from agenttest import gates
from agenttest.evaluate import judge
from agenttest.report import Report
from agenttest.reporters.html import render
from agenttest.sources import normalized
from agenttest.suites import contract

PICTURE = Path(__file__).with_name("report-html.png")
EXAMPLE = Path(__file__).parents[1] / "examples/refund-agent"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH, HEIGHT = 1000, 1180  # down to the end of the first scenario


def main() -> None:
    """Make the picture anew."""
    browser = next(filter(None, map(shutil.which, BROWSERS)))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        page.write_text(render(report()), "utf-8")
        look = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={WIDTH},{HEIGHT}"]
        subprocess.run([browser, *look, f"--screenshot={PICTURE}", page.as_uri()], check=True)  # noqa: S603


def report() -> Report:
    """The example after a change of its agent."""
    suite = contract.load("refund-agent.yml", (EXAMPLE / "refund-agent.yml").read_bytes())
    name = "regressed.observations.json"
    seen = normalized.load(name, (EXAMPLE / name).read_bytes(), {scenario.id for scenario in suite.scenarios})
    scenarios = tuple(judge(scenario, seen.observations.get(scenario.id)) for scenario in suite.scenarios)
    return Report(gates.decide(scenarios), suite.path, suite, "offline", scenarios, seen.provenance)


if __name__ == "__main__":
    main()

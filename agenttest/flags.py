"""The command line → its commands and their flags, each with its help."""

from __future__ import annotations

import argparse
from functools import partial

from agenttest import __version__
from agenttest.settings import REPORT_FILE, RESULTS_FILE, SCENARIOS, TRACES_FOLDER

FORMATS = ("text", "table", "json", "markdown", "html", "sarif", "junit")
RENDERED = (*FORMATS, "testrun", "results")
NAMES = "text (also called table), json, markdown, html, sarif or junit"
HELP = partial(argparse.HelpFormatter, width=80)  # asked for its width, argparse would import shutil at every flag
NUMBERS = {"N": int, "S": float}
RECORDS = (
    ("--report", REPORT_FILE, "also write a Markdown report for the repository to this file"),
    ("--results", RESULTS_FILE, "also write the results as JSON to this file"),
    ("--trace-dir", TRACES_FOLDER, "also write a trace file for each scenario to this folder"),
)
LIVE_VALUES = (
    ("--endpoint", "URL", "the Chat Completions endpoint to ask, one request a scenario"),
    ("--auth-env", "NAME", "the variable with the token for --endpoint, sent as `Authorization: Bearer`"),
    ("--ca-file", "F", "a PEM file of authorities to trust instead of the system's (also: SSL_CERT_FILE)"),
    ("--model", "NAME", "the model to ask for (default: the contract's)"),
    ("--timeout-seconds", "S", "most seconds of one request, above 0 to 300 (default: the contract's, or 30)"),
    ("--concurrency", "N", "requests at a time, 1 to 64 (default: 1)"),
    ("--wait-for-endpoint", "S", "wait up to so many seconds until the endpoint accepts a connection, 0 to 3600"),
)
LIVE_CONSENTS = (
    ("--allow-contract-endpoint", "ask the endpoint that the contract names, if it is loopback"),
    ("--allow-isolated", "ask an endpoint on a private network that is directly attached, over plain http too"),
    ("--allow-remote", "ask any other endpoint, over https only"),
)


def parser() -> argparse.ArgumentParser:
    """All commands with their flags."""
    top = argparse.ArgumentParser(
        prog="agenttest",
        description="Checks from evidence, without a model as a judge, that an agent keeps its behaviour contract.",
        epilog="exit codes: 0 pass, 1 at least one violation, 2 incomplete or invalid",
        allow_abbrev=False,
        formatter_class=HELP,
    )
    top.add_argument("--version", action="version", version=f"agenttest {__version__}")
    # With its prog given, argparse does not format a usage to find it out.
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", prog="agenttest")
    for add in (add_demo, add_init, add_test, add_gates, add_replay, add_report, add_merge, add_schema):
        add(commands)
    return top


def subparser(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, does: str
) -> argparse.ArgumentParser:
    """A command with one sentence of help."""
    return commands.add_parser(name, help=does, description=does, allow_abbrev=False, formatter_class=HELP)


def add_demo(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`agenttest demo`."""
    subparser(commands, "demo", "Judge a bundled agent, good and regressed, by one contract; needs no files.")


def add_init(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`agenttest init`."""
    init = subparser(commands, "init", "Write a contract with observations, or scenarios, that pass, to start from.")
    init.add_argument(
        "kind", nargs="?", metavar="contract|scenarios", help="what to write: contract (the default), or scenarios"
    )
    init.add_argument(
        "path", nargs="?", metavar="PATH", help=f"where (default: .agenttest/agent-test.yml, or {SCENARIOS})"
    )
    init.add_argument("--path", dest="path_flag", metavar="PATH", help="the same as PATH")
    init.add_argument("--workflow", action="store_true", help="also write .github/workflows/agent-test.yml")
    init.add_argument("--force", action="store_true", help="overwrite files that are there")


def add_test(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`agenttest test`."""
    test = subparser(commands, "test", "Judge recorded observations, or a live agent, by their contracts.")
    places = f".agenttest/agent-test.yml, or {SCENARIOS}, here or above"
    test.add_argument(
        "suites", nargs="*", metavar="SUITE", help=f"contract files, or folders of scenario files (default: {places})"
    )
    add_judging(test)


def add_gates(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`agenttest gates`."""
    gates = subparser(
        commands,
        "gates",
        "Decide again by a saved run, or judge suites first: a line for each gate, then the verdict.",
    )
    gates.add_argument(
        "suites",
        nargs="*",
        metavar="SUITE|RUN",
        help="suites to judge first, or one run directory or its ZIP (default: the newest run, else the suite found)",
    )
    add_judging(gates)


def add_judging(test: argparse.ArgumentParser) -> None:
    """How suites are judged, and where what is found goes."""
    test.add_argument(
        "--observations",
        metavar="PATH",
        help="the recorded observations, or a folder of them (default: SUITE's sibling STEM.observations.json)",
    )
    test.add_argument(
        "--scenario", action="append", default=[], metavar="GLOB", help="only scenarios of this id or glob (repeatable)"
    )
    test.add_argument(
        "--tag",
        action="append",
        default=[],
        metavar="A,B",
        help="only scenarios with one of these tags (repeatable: of each)",
    )
    test.add_argument("--risk", metavar="WORD", help="only scenarios of this risk: low, medium, high or critical")
    test.add_argument("--min-risk", metavar="WORD", help="only scenarios of this risk or a higher one")
    test.add_argument("--partial", action="store_true", help="accept that a selection leaves out what a gate asks for")
    test.add_argument(
        "--lint",
        choices=("warn", "error"),
        default="warn",
        help="what a shallow scenario is: a warning (the default) or an error",
    )
    test.add_argument("--shard", metavar="I/N", help="only the I-th of N parts of the scenarios; `merge` joins them")
    test.add_argument(
        "--strict", action="store_true", help="every failing scenario counts (in contracts it always does)"
    )
    test.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        metavar="NAME",
        help=NAMES,
    )
    test.add_argument("-o", "--output", metavar="F", help="write the report to this file inside the project")
    for flag, place, does in RECORDS:
        test.add_argument(flag, nargs="?", const=place, metavar="PATH", help=f"{does} (without PATH: {place})")
    test.add_argument("--no-artifacts", action="store_true", help="save no run directory")
    add_limits(test)
    add_live(test)


def add_limits(test: argparse.ArgumentParser) -> None:
    """What one run may use."""
    test.add_argument(
        "--max-scenarios", type=int, metavar="N", help="most scenarios of a suite, 1 to 1000 (default: no limit)"
    )
    test.add_argument(
        "--max-seconds", type=float, default=300.0, metavar="S", help="most seconds, above 0 to 3600 (default: 300)"
    )
    test.add_argument(
        "--max-tokens",
        type=int,
        default=1024,
        metavar="N",
        help="most tokens of a live reply, 1 to 32768 (default: 1024)",
    )


def add_live(test: argparse.ArgumentParser) -> None:
    """Whom a live run may ask, and how."""
    live = test.add_argument_group("live testing (not with --observations)")
    for flag, value, does in LIVE_VALUES:
        live.add_argument(flag, metavar=value, type=NUMBERS.get(value, str), help=does)
    for flag, does in LIVE_CONSENTS:
        live.add_argument(flag, action="store_true", help=does)


def add_replay(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`agenttest replay`."""
    replay = subparser(
        commands,
        "replay",
        "Check a saved run: every file, and every decision anew. Exit 0 valid, 1 not valid, 2 unreadable.",
    )
    replay.add_argument("run", nargs="?", metavar="RUN", help="a run directory or its ZIP (default: the newest)")
    replay.add_argument("--format", choices=("text", "table", "json"), default="text", help="what to print")


def add_report(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`agenttest report`."""
    report = subparser(
        commands, "report", "Show a saved run in any format, once it is checked. Exit as its verdict, 2 not valid."
    )
    report.add_argument("run", nargs="?", metavar="RUN", help="a run directory or its ZIP (default: the newest)")
    report.add_argument(
        "--format",
        choices=RENDERED,
        default="text",
        metavar="NAME",
        help=f"{NAMES.replace(' or', ',')}, testrun (Markdown for the repository) or results (JSON)",
    )
    report.add_argument("-o", "--output", metavar="F", help="write the report to this file inside the project")


def add_merge(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`agenttest merge`."""
    merge = subparser(commands, "merge", "Join the saved runs of all shards to one run; each is replayed first.")
    merge.add_argument("runs", nargs="+", metavar="RUN", help="run directories, ZIPs of them, or a folder of both")
    merge.add_argument(
        "-o", "--output", metavar="DIR", help="the new run directory (default: a new one in .agenttest/runs)"
    )
    merge.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        metavar="NAME",
        help=NAMES,
    )


def add_schema(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """`agenttest schema`."""
    schema = subparser(commands, "schema", "Print the JSON Schema of a file format, for editors.")
    schema.add_argument("name", choices=("contract", "observations", "scenario", "trace"), help="which format")

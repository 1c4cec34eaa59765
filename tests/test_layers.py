"""The package stands on floors, as DESIGN has them: imports only go down, and the world is touched only at the ends."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "agenttest"
FLOORS = (  # ground up: a module or package imports only those of the floors below its own
    "__init__ model",
    "steps",
    "errors quote observations handles names signals streams",
    "archive",
    "settings jsontext files evidence assertions gates documents",
    "live steprules",
    "evaluate report journal discovery github zipped traces",
    "suites sources reporters bounds targets runfiles redaction",
    "runs pullrequest gathering recording",
    "observing rundir savedrun demo",
    "judging call",
    "run verify",
    "publish replay output plugin recall",
    "shards step pytest records standing",
    "merge",
    "modes",
    "commands action pytest_plugin flags",
    "cli",
    "__main__",
)
LEVELS = {room: level for level, floor in enumerate(FLOORS) for room in floor.split()}
PURE = [
    "model",
    "steps",
    "errors",
    "settings",
    "quote",
    "jsontext",
    "observations",
    "evidence",
    "assertions",
    "evaluate",
    "gates",
    "report",
]
WORLD = {
    "io",
    "os",
    "pathlib",
    "random",
    "secrets",
    "shutil",
    "socket",
    "subprocess",
    "sys",
    "tempfile",
    "time",
    "datetime",
}
OUTSIDE = {
    "yaml": {"documents.yamlfile", "documents.yamlsyntax"},
    "jsonschema": {"documents.schema"},
    "urllib3": {"github.http", "sources.endpoint.transport"},
    "jinja2": {"reporters.html.templates"},
}
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def imports(module: str) -> Iterator[str]:
    """Everything that a module imports, wherever in it; of this package without its name."""
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "agenttest":
            yield from (name.name if name.name in MODULES else "__init__" for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("agenttest."):
            inner = node.module.removeprefix("agenttest.")
            names = [f"{inner}.{name.name}" for name in node.names]
            yield from (name if name in MODULES else inner for name in names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name != "pytest")  # which is not our own


def room(module: str) -> str:
    """The module or package directly inside this one's that it belongs to."""
    return module.split(".")[0]


def test_every_module_has_its_floor() -> None:
    assert set() == {room(module) for module in MODULES} - LEVELS.keys()


@pytest.mark.parametrize("module", MODULES)
def test_imports_only_go_down(module: str) -> None:
    up = [
        name
        for name in imports(module)
        if name in MODULES and room(name) != room(module) and LEVELS[room(name)] >= LEVELS[room(module)]
    ]

    assert [] == up


def test_no_module_imports_itself_by_a_detour() -> None:
    graph = {module: {name for name in imports(module) if name in MODULES} for module in MODULES}

    assert len(MODULES) == len(list(TopologicalSorter(graph).static_order()))


@pytest.mark.parametrize("module", [module for module in MODULES if room(module) in PURE])
def test_what_judges_does_not_touch_the_world(module: str) -> None:
    assert set() == WORLD & {name.split(".")[0] for name in imports(module)}


@pytest.mark.parametrize("library", OUTSIDE)
def test_each_library_is_imported_in_its_one_place(library: str) -> None:
    users = {module for module in MODULES if library in {name.split(".")[0] for name in imports(module)}}

    assert users <= OUTSIDE[library]

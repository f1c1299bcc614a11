"""What the modules of the bench and of the trials import: each stands on others, and none on itself."""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest

from lenker_bench.programs.processes import ROOT

FOLDERS = [ROOT / "Boards" / "bench", ROOT / "Tests" / "Trials"]
MODULES = {
    ".".join(path.relative_to(folder).with_suffix("").parts): path
    for folder in FOLDERS
    for path in folder.glob("lenker_*/**/*.py")
    if path.stem != "__init__"
}


def imported(module: str, source: str) -> Iterator[str]:
    """All that a module imports anywhere: in functions, and for the types alone, too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module.split(".")[: -node.level] if node.level else []
            name = ".".join([*package, *filter(None, [node.module])])
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)


def cycle(sources: dict[str, str]) -> list[str]:
    """Modules of which each imports the one before, from one to itself; empty if there are none."""
    graph = {module: {name for name in imported(module, text) if name in sources} for module, text in sources.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_no_module_imports_itself_by_way_of_others():
    assert cycle({module: path.read_text("utf-8") for module, path in MODULES.items()}) == []


@pytest.mark.parametrize(
    "back",
    [
        "from .low import thing",
        "from . import low",
        "import a.low",
        "from a.low import thing",
        "def work():\n    from .low import thing",
        "if TYPE_CHECKING:\n    from ..a.low import thing",
    ],
)
def test_a_cycle_is_found_however_it_is_written(back):
    assert set(cycle({"a.low": "from .high import other", "a.high": back})) == {"a.low", "a.high"}

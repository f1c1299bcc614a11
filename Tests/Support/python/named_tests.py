"""The names of all tests: of Swift's as the compiler reads them, of Python's as Python does."""

import ast
import functools
import re
from pathlib import Path

from swift_syntax import Node, syntax

TESTS = Path(__file__).resolve().parents[2]
BEHAVIOUR = re.compile(r"(?:test_)?(central|peripheral)_?[bB]ehaviour_?(\d+)_")


@functools.cache
def names_of_tests() -> dict[str, list[str]]:
    """File, from here, → the names of its tests, in the source's order."""
    kinds = frozenset({"func_decl", "custom_attr", "type_unqualified_ident"})
    swift = syntax(TESTS.glob("Units/**/*.swift"), kinds)
    names = {path: names_in_swift(source) for path, source in swift.items()}
    for path in [*TESTS.glob("test_*.py"), *TESTS.glob("*/test_*.py")]:
        names[path] = names_in_python(path.read_text("utf-8"))
    return {path.relative_to(TESTS).as_posix(): names[path] for path in sorted(names)}


def names_in_swift(source: Node) -> list[str]:
    """Of the functions that are marked as tests."""
    return [function.name for function in source.all("func_decl") if _is_test(function)]


def _is_test(function: Node) -> bool:
    attributes = [part for part in function.parts if part.kind == "custom_attr"]
    return any(kind.attribute("id") == "Test" for attribute in attributes for kind in attribute.parts)


def names_in_python(source: str) -> list[str]:
    """Of the functions that pytest takes for tests."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)]
    functions.sort(key=lambda function: function.lineno)
    return [function.name for function in functions if function.name.startswith("test_")]


def sentence(name: str) -> str:
    """What a name says, without the number of a behaviour and what marks it as a test."""
    return BEHAVIOUR.sub("", name).removeprefix("test_")

"""The copy of the project that Tests/mutate breaks."""

import json
import subprocess
from pathlib import Path

import pytest

from mutation.tree import Tree

TARGETS = [
    {"name": "A", "path": None, "dependencies": [{"byName": ["B", None]}], "pluginUsages": [{"plugin": ["P", None]}]},
    {"name": "B", "path": None, "dependencies": [{"product": ["X", "x", None, None]}]},
    {"name": "P", "path": None, "dependencies": [{"target": ["T", None]}]},
    {"name": "T", "path": None, "dependencies": []},
    {"name": "C", "path": None, "dependencies": [{"byName": ["A", None]}]},
    {"name": "ATests", "path": "Tests/Units/ATests", "dependencies": [{"byName": ["A", None]}]},
]


@pytest.fixture
def tree(tmp_path, monkeypatch) -> Tree:
    """Of a project in git, where `swift` knows nothing but the targets above."""
    root = tmp_path / "project"
    for name, text in {
        "Package.swift": "// all\n",
        "Sources/A/A.swift": "a",
        "Sources/C/C.swift": "c",
        "Tests/Units/ATests/ATests.swift": "test",
        ".gitignore": ".build/\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    swift = tmp_path / "bin/swift"
    swift.parent.mkdir()
    swift.write_text(f"#!/bin/sh\ncat <<'END'\n{json.dumps({'targets': TARGETS})}\nEND\n")
    swift.chmod(0o755)
    monkeypatch.setenv("PATH", str(swift.parent), prepend=":")
    tree = Tree(root)
    tree.copy()
    return tree


def contents(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


def test_it_is_made_like_the_working_tree_again_whatever_was_left_in_it(tree):
    project = contents(tree.root / "Sources")
    unchanged = (tree.path / "Sources/C/C.swift").stat().st_mtime_ns
    (tree.path / "Sources/A/A.swift").write_text("broken")
    (tree.path / "Sources/A/Left.swift").write_text("left")
    (tree.path / ".build").mkdir()
    (tree.path / ".build/object").write_text("built")
    tree.reduce(tree.needed(["ATests"]))
    tree.copy()
    assert contents(tree.path / "Sources") == contents(tree.root / "Sources") == project
    assert (tree.path / "Package.swift").read_text() == "// all\n"
    assert (tree.path / "Sources/C/C.swift").stat().st_mtime_ns == unchanged
    assert (tree.path / ".build/object").read_text() == "built"


def test_no_more_is_built_than_the_tests_need(tree):
    needed = tree.needed(["ATests"])
    assert needed == {"ATests", "A", "B", "P", "T"}
    tree.reduce(needed)
    assert 'let kept: Set = ["A", "ATests", "B", "P", "T"]' in (tree.path / "Package.swift").read_text()
    assert (tree.root / "Package.swift").read_text() == "// all\n"


def test_only_what_the_tests_need_makes_a_result_old(tree):
    def digests() -> list[str]:
        tree.copy()
        return [tree.digest(tree.needed(["ATests"]), of_tests=of_tests) for of_tests in (False, True)]

    sources, tests = digests()
    (tree.root / "Sources/C/C.swift").write_text("other")
    assert digests() == [sources, tests]
    (tree.root / "Tests/Units/ATests/ATests.swift").write_text("other")
    assert digests()[0] == sources != tests and digests()[1] != tests
    (tree.root / "Sources/A/A.swift").write_text("other")
    assert digests()[0] != sources

"""What is missing for a tag: each of it is found, in a project where nothing else is missing."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from lenker_bench.programs.processes import ROOT

CARD = 'echo "a card" >"$1" && cd "$(dirname "$1")"'
# A zip file without files in it has these bytes alone.
UPDATE = r"printf 'PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >lenker-update.zip"
# The true ones build for minutes.
COMMANDS = {
    "pi-zero-w/image": f"{CARD} && {UPDATE}",
    "sysroot": 'echo "/sysroot/$1"',
    "licences/notices": "echo notices",
}


def git(project: Path, *arguments: str) -> None:
    author = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    subprocess.run(["git", "-C", project, *author, *arguments], check=True, capture_output=True)


def command(project: Path, name: str, script: str) -> None:
    path = project / "Boards" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def write(project: Path, name: str, text: str) -> None:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def project(tmp_path) -> Path:
    """A project that can be tagged."""
    for name, script in COMMANDS.items():
        command(tmp_path, name, script)
    for name in ("ready-for-release", "version", "changes"):
        shutil.copy(ROOT / "Boards" / name, tmp_path / "Boards")
    write(tmp_path, "Sources/Version/Version.swift", 'package var lenkerNumber: String { "1.2.3" }\n')
    write(tmp_path, "CHANGELOG.md", "# Changelog\n\n## 1.2.3 – 2026-12-01\n\n- A lamp.\n\n## 1.2.2 – 2026-11-01\n")
    for name in ("README.md", "Boards/guide/build.md"):
        write(tmp_path, name, "A [release](../../releases).\n")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def commit(project: Path) -> None:
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--allow-empty", "--message", "all")


def said(project: Path) -> tuple[int, list[str]]:
    result = subprocess.run(
        [project / "Boards/ready-for-release"], cwd="/", capture_output=True, text=True, check=False
    )
    assert result.stderr == ""
    return result.returncode, result.stdout.splitlines()


def test_a_version_that_lacks_nothing_is_ready(project):
    status, lines = said(project)
    assert (status, [line.split()[0] for line in lines]) == (0, ["ok"] * len(lines))


def changed(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(project: Path) -> None:
        write(project, name, (project / name).read_text().replace(old, new))
        commit(project)

    return change


def replaced(name: str, script: str) -> Callable[[Path], None]:
    def replace(project: Path) -> None:
        command(project, name, script)
        commit(project)

    return replace


VERSION = "Sources/Version/Version.swift"
CLOCK = f'{CARD} && {UPDATE} && echo "$TZ" >lenker.img'
PLACE = f'{CARD} && {UPDATE} && echo "$0" >lenker.img'
HALF = f"{CARD} && {UPDATE} && echo PK >lenker-update.zip"


@pytest.mark.parametrize(
    ("spoil", "lacks", "says"),
    [
        (changed(VERSION, "1.2.3", "1.2.3-dev"), "version", "take -dev from the number"),
        (lambda project: git(project, "tag", "v1.2.3"), "version", "set the next number"),
        (changed("CHANGELOG.md", "## 1.2.3 – 2026-12-01", "## Unreleased"), "changes", "begins with Unreleased"),
        (changed("README.md", "A [release", "There is no release yet: A [release"), "papers", "is in README.md"),
        (lambda project: write(project, "new.txt", "text"), "tree", "the first is new.txt: commit"),
        (replaced("licences/notices", "echo no notice of this >&2; exit 1"), "notices", "no notice of this"),
        (replaced("pi-zero-w/image", CLOCK), "card", "lenker.img has other bytes"),
        (replaced("pi-zero-w/image", PLACE), "card", "lenker.img has other bytes"),
        (replaced("pi-zero-w/image", CARD), "card", "no whole update"),
        (replaced("pi-zero-w/image", HALF), "card", "no whole update"),
        (replaced("pi-zero-w/image", "echo no room >&2; exit 1"), "card", "no room"),
    ],
)
def test_what_is_missing_is_named_with_what_to_do_and_nothing_else(project, spoil, lacks, says):
    spoil(project)
    status, lines = said(project)
    missing = [line for line in lines if not line.startswith("ok ")]
    assert status == 1 and len(missing) == 1, lines
    assert missing[0].startswith(f"missing {lacks}: ") and says in missing[0]

"""`Boards/install` with a package manager of our own: what it asks for, when, and what it says."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lenker_bench.programs.processes import ROOT

BOARDS = [
    "gcc-arm-linux-gnueabi",
    "libc6-dev-armel-cross",
    "gcc-aarch64-linux-gnu",
    "libc6-dev-arm64-cross",
    "qemu-user",
]

# Makes an environment whose Python only writes down how it was called.
VENV = r"""
if [ "$2" = venv ]; then
  rm -rf "$4"; mkdir -p "$4/bin"
  printf '#!/bin/sh\necho "pip $*" >>"%s"\ntest ! -e "%s/no-network"\n' "{calls}" "{folder}" >"$4/bin/python"
  chmod +x "$4/bin/python"
fi
"""


class Machine:
    """A project folder with a copy of the script, and commands that only write down how they were called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.commands = folder / "commands"
        self.calls_file = folder / "calls"
        (folder / "Boards" / "bench").mkdir(parents=True)
        (folder / "Tests").mkdir()
        self.bench = folder / "Boards" / "bench" / "requirements.txt"
        self.tests = folder / "Tests" / "requirements.txt"
        self.bench.write_text("bumble==1\n")
        self.tests.write_text("pytest==1\n")
        self.commands.mkdir()
        shutil.copy(ROOT / "Boards" / "install", folder / "Boards" / "install")
        self.command("id", "echo 0")
        self.have(BOARDS)
        self.command("apt-get", "exit 0")
        self.command("python3", VENV.format(calls=self.calls_file, folder=folder))

    def command(self, name: str, script: str) -> None:
        path = self.commands / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>"{self.calls_file}"\n{script}\n')
        path.chmod(0o755)

    def have(self, packages: list[str]) -> None:
        lines = "".join(f"{package} installed\\n" for package in packages)
        self.command("dpkg-query", f"printf '{lines}rest config-files\\n'; exit 1")

    def install(self, *parts: str) -> subprocess.CompletedProcess:
        environment = {**os.environ, "PATH": f"{self.commands}:{os.environ['PATH']}"}
        script = self.folder / "Boards" / "install"
        return subprocess.run([script, *parts], cwd="/", env=environment, capture_output=True, text=True, check=False)

    def calls(self, name: str) -> list[str]:
        return [line for line in self.calls_file.read_text().splitlines() if line.startswith(name)]

    def python_calls(self, *parts: str) -> list[str]:
        """Whether this installation makes an environment, and which files pip gets into it."""
        self.calls_file.write_text("")
        self.install(*parts)
        lines = self.calls_file.read_text().replace(f"{self.folder}/", "").splitlines()
        made = ["venv" for line in lines if line.startswith("python3 -m venv")]
        return made + [line.partition("-r ")[2] for line in lines if line.startswith("pip ")]


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


def test_nothing_is_done_or_said_when_all_is_there(machine):
    result = machine.install("boards")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert machine.calls("apt-get") == []


def test_only_what_is_missing_is_installed_and_the_lists_are_left_alone(machine):
    machine.have(BOARDS[:-1])
    assert machine.install("boards").returncode == 0
    (call,) = machine.calls("apt-get")
    assert call.endswith(" install qemu-user")


def test_a_package_that_was_removed_is_missing(machine):
    machine.have([])
    machine.install("boards")
    (call,) = machine.calls("apt-get")
    assert all(package in call.split() for package in BOARDS)


def test_the_lists_are_fetched_when_the_installation_fails_without(machine):
    machine.have(BOARDS[1:])
    flag = machine.folder / "fetched"
    machine.command("apt-get", f'case "$*" in *update*) touch {flag} ;; *) test -e {flag} ;; esac')
    assert machine.install("boards").returncode == 0
    assert [("update" in call) for call in machine.calls("apt-get")] == [False, True, False]


def test_a_failure_shows_what_apt_said(machine):
    machine.have([])
    machine.command("apt-get", "echo 'E: no network' >&2; exit 100")
    result = machine.install("boards")
    assert result.returncode == 1
    assert "E: no network" in result.stderr and "could not install" in result.stderr


def test_someone_who_is_not_root_uses_sudo(machine):
    machine.have(BOARDS[1:])
    machine.command("id", "echo 1000")
    machine.command("sudo", 'exec "$@"')
    assert machine.install("boards").returncode == 0
    assert len(machine.calls("sudo")) == len(machine.calls("apt-get")) == 1


def test_an_unknown_part_is_refused(machine):
    result = machine.install("boards", "moon")
    assert (result.returncode, result.stdout) == (64, "")
    assert "'moon'" in result.stderr


def test_without_a_part_it_says_how_it_is_used(machine):
    result = machine.install()
    assert result.returncode == 64 and result.stderr.startswith("usage:")


BENCH = "Boards/bench/requirements.txt"
BOTH = f"{BENCH} -r Tests/requirements.txt"


def test_the_bench_gets_what_it_runs_with_and_not_what_tests_need(machine):
    assert machine.python_calls("bench") == ["venv", BENCH]
    assert machine.python_calls("bench") == []


def test_the_tests_get_their_own_besides_in_the_same_environment(machine):
    machine.install("bench")
    assert machine.python_calls("tests") == [BOTH]
    assert machine.python_calls("bench", "tests") == []


@pytest.mark.parametrize("changed", ["bench", "tests"])
def test_a_change_of_either_file_of_requirements_makes_a_fresh_environment(machine, changed):
    machine.install("tests")
    getattr(machine, changed).write_text("other==1\n")
    assert machine.python_calls("tests") == ["venv", BENCH, BOTH]
    assert machine.python_calls("tests") == []


def test_what_only_tests_need_is_no_matter_to_the_bench(machine):
    machine.install("tests")
    machine.tests.write_text("other==1\n")
    assert machine.python_calls("bench") == []


@pytest.mark.parametrize("part", ["bench", "tests"])
def test_an_environment_that_was_not_finished_is_made_again(machine, part):
    machine.install("bench")
    failing = machine.folder / "no-network"
    failing.touch()
    if part == "bench":
        machine.bench.write_text("other==1\n")
    assert machine.install(part).returncode != 0
    failing.unlink()
    assert machine.python_calls(part)[:2] == ["venv", BENCH]

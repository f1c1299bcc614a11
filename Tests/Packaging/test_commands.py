"""The scripts of the bench and of the trials: what each installs, and what it runs with which arguments."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lenker_bench.programs.processes import ROOT

SAYING = '#!/bin/sh\necho "{name} $*"\n'


@pytest.fixture
def project(tmp_path) -> Path:
    """A project folder with copies of the scripts, where the programs that they call only say how they were called."""
    for folder in ("Boards/bench", "Tests", "Tests/Trials"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        for script in (ROOT / folder).iterdir():
            if script.is_file() and os.access(script, os.X_OK):
                shutil.copy(script, tmp_path / folder)
    for program in ("Boards/install", ".build/venv/bin/python", "programs/python3", "programs/swift"):
        path = tmp_path / program
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SAYING.format(name=path.name))
        path.chmod(0o755)
    return tmp_path


def said(project: Path, script: str, *arguments: str) -> list[str]:
    environment = {**os.environ, "PATH": f"{project / 'programs'}:{os.environ['PATH']}"}
    run = [project / script, *arguments]
    result = subprocess.run(run, cwd="/", env=environment, capture_output=True, text=True, check=True)
    return result.stdout.replace(f"{project}/", "").splitlines()


@pytest.mark.parametrize(
    ("script", "arguments", "parts"),
    [
        ("Boards/bench/run", "rotation=180", "host bench"),
        ("Boards/bench/run", "rotation=180 --firmware lenker", "bench"),
        ("Boards/bench/run", "--help", "bench"),
        ("Boards/bench/phone", "--seed 7", "bench"),
        ("Boards/bench/street", "--street 200", "bench"),
        ("Boards/bench/picture", "one.pbm -o panel.png", "bench"),
        ("Boards/bench/picture", "--animate ride.gif ride.csv --faster 2", "host bench"),
        ("Boards/bench/gallery", "--check", "bench"),
        ("Boards/bench/replay", "report.btsnoop --out replayed", "host bench"),
        ("Tests/Trials/losses", "--count 5 --firmware=lenker", "bench"),
        ("Tests/Trials/hostile", "no-code --seed 7", "host bench"),
    ],
)
def test_a_command_installs_what_it_needs_and_runs_its_module(project, script, arguments, parts):
    name = Path(script).name
    package = "lenker_trials" if "Trials" in script else "lenker_bench"
    assert said(project, script, *arguments.split()) == [
        f"install {parts}",
        f"python -m {package}.commands.{name} {arguments}",
    ]


def test_a_ride_with_a_real_phone_has_a_module_of_its_own(project):
    for arguments in (["--phone", "real"], ["--phone=real", "--yes"]):
        module = f"python -m lenker_bench.commands.real {' '.join(arguments)}"
        assert said(project, "Boards/bench/run", *arguments) == ["install host bench", module]


def test_each_command_has_a_module(project):
    shared = {"__init__", "options", "parser", "quitting", "real", "values"}
    for package, folder in (
        ("Boards/bench/lenker_bench", "Boards/bench"),
        ("Tests/Trials/lenker_trials", "Tests/Trials"),
    ):
        modules = {path.stem for path in (ROOT / package / "commands").glob("*.py")} - shared
        scripts = {path.name for path in (project / folder).iterdir() if path.is_file()} - {"command"}
        assert scripts == modules


@pytest.mark.parametrize(
    ("arguments", "runs"),
    [
        ("--lines --coverage", "coverage_of_corpus.py --lines"),
        ("pdu --replay", "fuzzing.py --replay pdu"),
        ("pdu --seconds 5 h4", "fuzzing.py pdu --seconds 5 h4"),
    ],
)
def test_a_task_of_the_fuzzer_is_named_before_or_behind_its_arguments(project, arguments, runs):
    assert said(project, "Tests/fuzz", *arguments.split())[-1] == f"python3 Tests/Support/python/{runs}"


def test_the_fuzzer_is_only_built_wherever_that_is_asked_for(project):
    assert all(not line.startswith("python3") for line in said(project, "Tests/fuzz", "pdu", "--build"))

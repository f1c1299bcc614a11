"""The program on its command line: arguments, board files, and what `--check` says."""

import asyncio
import re
import subprocess
from pathlib import Path

import pytest

from lenker_bench.programs.processes import ROOT, running_phone

USAGE, UNAVAILABLE, CONFIGURATION = 64, 69, 78
Result = tuple[int, str, str]


@pytest.fixture
def run(lenker_command: list[str], tmp_path: Path):
    """Runs the program to its end in an empty folder: its status, and what it said on standard output and error."""

    def run(*arguments: object) -> Result:
        command = [*lenker_command, *map(str, arguments)]
        result = subprocess.run(
            command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        return result.returncode, result.stdout, result.stderr

    return run


def board_file(folder: Path, text: str) -> Path:
    path = folder / "board.conf"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_version_is_one_line(run):
    status, out, error = run("--version")
    assert re.fullmatch(r"lenker \d+\.\d+\.\d+(-dev(\+[0-9a-f]{8})?)?\n", out)
    assert (status, error) == (0, "")


def test_the_changelog_begins_with_what_this_version_has(run):
    """A release has the first section to itself; before that, the section of what is not released is the first."""
    titles = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    number, dev, _ = re.fullmatch(r"lenker ([\d.]+)(-dev)?(\+\w+)?\n", run("--version")[1]).groups()
    if dev:
        assert titles[0] == "Unreleased"
        released = re.fullmatch(r"([\d.]+) – \d{4}-\d{2}-\d{2}", titles[1])[1]
        assert tuple(map(int, number.split("."))) > tuple(map(int, released.split(".")))
    else:
        assert re.fullmatch(rf"{re.escape(number)} – \d{{4}}-\d{{2}}-\d{{2}}", titles[0])


def test_the_version_names_the_commit_that_was_built(run):
    """Where git has one: a package of the sources alone has none."""
    git = ["git", "-c", "safe.directory=*", "-C", str(ROOT)]
    commit = run("--version")[1].strip().partition("+")[2]
    if commit:
        command = [*git, "merge-base", "--is-ancestor", commit, "HEAD"]
        assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    else:
        assert "-dev" not in run("--version")[1] or not (ROOT / ".git").exists()


def test_the_help_names_every_option(run):
    status, out, error = run("--help")
    assert (status, error) == (0, "")
    assert out.startswith("usage: lenker [--board FILE] [--check] [--version] [--help] [KEY=VALUE ...]\n")
    for option in ("--board", "--check", "--version", "--help", "KEY=VALUE"):
        assert sum(line.strip().startswith(option) for line in out.splitlines()) == 1
    assert "\n  rotation      0, 90, 180, 270 [0]\n" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--verbose"], 'unknown option "--verbose"'),
        (["\x1b[2J"], 'neither an option nor KEY=VALUE: "?[2J"'),
        (["x" * 5000], "neither an option nor KEY=VALUE"),
    ],
)
def test_bad_arguments_are_refused_with_the_usage(run, arguments, complaint):
    status, out, error = run(*arguments)
    assert (status, out) == (USAGE, "")
    first, second = error.splitlines()[:2]
    assert first.startswith("lenker: ") and complaint in first
    assert second.startswith("usage: lenker ")
    assert "\x1b" not in error


@pytest.mark.parametrize(
    ("text", "line", "said", "allowed"),
    [
        ("rotaton = 0\n", 1, 'unknown key "rotaton"', '"rotation"'),
        ("units = metric\n\nunits = imperial\n", 3, "units is set twice", "first in line 1"),
    ],
)
def test_an_error_in_a_board_file_is_one_line_with_place_and_advice(run, tmp_path, text, line, said, allowed):
    path = board_file(tmp_path, text)
    status, out, error = run("--board", path, f"events=file:{tmp_path}/events.jsonl")
    assert (status, out) == (CONFIGURATION, "")
    assert error.startswith(f"lenker: {path}:{line}: ")
    assert error.count("\n") == 1
    assert said in error and allowed in error
    assert not (tmp_path / "events.jsonl").exists(), "a device was opened"


def test_a_board_file_that_is_not_there_is_named(run, tmp_path):
    status, out, error = run("--board", tmp_path / "nowhere.conf")
    assert (status, out) == (CONFIGURATION, "")
    assert re.fullmatch(rf"lenker: {re.escape(str(tmp_path))}/nowhere\.conf:\d+: .+\n", error)


def test_an_error_in_an_override_names_its_argument(run):
    status, out, error = run("rotation=180", "units=parsec")
    assert (status, out) == (CONFIGURATION, "")
    assert error.count("\n") == 1
    assert error.startswith('lenker: argument:2: "parsec" is not a valid value for units; allowed: metric, imperial')


async def check(run, *arguments: object) -> Result:
    """`--check`, while the virtual phone of this test goes on."""
    return await asyncio.to_thread(run, "--check", *arguments)


async def test_a_check_of_what_is_there_is_ok(run, tmp_path):
    async with running_phone() as phone:
        status, out, error = await check(run, f"hci=tcp:127.0.0.1:{phone.port}", f"display=pbm:{tmp_path}/frames")
    assert (status, error) == (0, "")
    lines = out.splitlines()
    assert len(lines) == 2 and all(line.startswith("ok ") for line in lines)
    assert f"tcp:127.0.0.1:{phone.port}" in lines[0] and "b8:27:eb:4c:45:4e" in lines[0].lower()
    assert f"{tmp_path}/frames" in lines[1]


@pytest.mark.parametrize(
    ("chip", "said"),
    [("bcm43430a1", "chip BCM43430A1 (94), patch 508"), ("bcm43430b0", "chip BCM43430B0 (115), patch 92")],
)
async def test_central_behaviour_103_a_check_names_the_chip_and_its_patch(chip, said, run, tmp_path):
    async with running_phone(f"--chip={chip}") as phone:
        status, out, _ = await check(run, f"hci=tcp:127.0.0.1:{phone.port}", f"display=pbm:{tmp_path}/frames")
    assert status == 0
    assert said in out.splitlines()[0].split("; ")


async def test_a_check_says_what_each_further_device_is(run, tmp_path):
    keys = ["buttons=fifo:", "store=", "events=file:", "i2c-trace=file:"]
    async with running_phone() as phone:
        status, out, _ = await check(
            run,
            f"hci=tcp:127.0.0.1:{phone.port}",
            f"display=pbm:{tmp_path}/frames",
            *(f"{key}{tmp_path}/{number}" for number, key in enumerate(keys)),
        )
    assert status == 0
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["ok", name] for name in ("hci", "display", "buttons", "store", "events", "i2c-trace")
    ]


def test_a_check_of_a_radio_that_is_not_there_fails_with_advice(run, tmp_path, closed_port):
    status, out, _ = run("--check", f"hci=tcp:127.0.0.1:{closed_port}", f"display=pbm:{tmp_path}/frames")
    assert status == UNAVAILABLE
    (failed,) = [line for line in out.splitlines() if line.startswith("failed ")]
    assert f"tcp:127.0.0.1:{closed_port}" in failed
    assert "nobody listens there" in failed and "start the controller" in failed


async def test_overrides_come_before_the_file(run, tmp_path, closed_port):
    path = board_file(tmp_path, f"hci = tcp:127.0.0.1:{closed_port}\ndisplay = pbm:{tmp_path}/frames\n")
    async with running_phone() as phone:
        status, out, _ = await check(run, "--board", path, f"hci=tcp:127.0.0.1:{phone.port}")
    assert status == 0
    assert f"tcp:127.0.0.1:{phone.port}" in out and f":{closed_port}" not in out

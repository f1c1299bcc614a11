"""The runner, with a stand-in for the firmware: what it writes, says and returns, and that it leaves nothing behind."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from lenker_bench.commands import phone as phone_command
from lenker_bench.commands import run as run_command
from lenker_bench.commands.options import ride_arguments
from lenker_bench.programs.events import PATIENCE, FolderWatch
from lenker_bench.programs.outputs import prepare
from lenker_bench.programs.processes import PACKAGES, ROOT
from lenker_bench.view.pbm import read_picture

STAND_IN = ROOT / "Tests" / "Support" / "python" / "stand_in.py"
FIRMWARE = f"{shlex.quote(sys.executable)} {shlex.quote(str(STAND_IN))}"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGES), "TERM": "xterm-256color"}


def command(ride: Path, *options: object, firmware: str = FIRMWARE) -> list[str]:
    run = [sys.executable, "-m", "lenker_bench.commands.run", "--firmware", firmware, "--ride", str(ride)]
    # None of these tests is about the air.
    return [*run, "--air=instant", *map(str, options)]


def run(folder: Path, ride: Path, *options: object, firmware: str = FIRMWARE) -> subprocess.CompletedProcess:
    return subprocess.run(
        command(ride, *options, firmware=firmware),
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def processes_with(text: str) -> list[int]:
    """The running processes whose command lines name the text, ours left out."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if text in line and path.parent.name != str(os.getpid()):
            found.append(int(path.parent.name))
    return found


def test_the_phone_gets_all_options_of_a_ride():
    own = ["--ride=a.csv", "--kind=android", "--speed=3.0", "--seed=9", "--rides=2", "--pause=4.0"]
    own += ["--pause-every=5.0", "--drop-every=6.0", "--move-every=7.0"]
    own += ["--pairing=compare", "--answer=no", "--answer-after=1.5", "--keys=bonds.json", "--forget"]
    own += ["--address-lifetime=8.0", "--stranger"]
    own += ["--chip=bcm43430b0", "--links=3:complete", "--air=instant", "--advertising-interval=250.0"]
    own += ["--clock=refused", "--music=playing", "--notifications=call=5", "--controller=bumble"]
    own += ["--app=osmand", "--komoot=12.5", "--lacks=scanning", "--lacks=central"]
    assert sorted(ride_arguments(run_command.parse(own))) == sorted(own)
    phone = vars(phone_command.parse(own))
    assert (phone["rides"], phone["pause"], phone["pause_every"], phone["move_every"]) == (2, 4, 5, 7)


def test_without_a_terminal_it_leaves_frames_and_events_and_a_summary(tmp_path, a_ride):
    result = run(tmp_path, a_ride, "--speed", 5, "--out", "out")
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[:4] == [
        "instructions shown: 4, missed: 0",
        "frames: 4",
        "I2C bytes a frame: 100.0 in 2.0 messages",
        "reconnects: 0",
    ]
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names >= {"frame-000001.pbm", "frame-000004.pbm", "latest.pbm", "events.jsonl", "phone.jsonl"}
    assert "buttons" not in names
    assert read_picture(tmp_path / "out" / "latest.pbm").width == 128
    events = [json.loads(line) for line in (tmp_path / "out" / "events.jsonl").read_text().splitlines()]
    assert [event["distance"] for event in events if event["event"] == "instruction"] == [0, 110, 100, 0]
    assert processes_with(str(tmp_path)) == []


@pytest.mark.parametrize(
    ("flag", "options", "reason"),
    [
        ("--deaf", ("--seconds", 9), "run: no instruction was ever shown"),
        ("--mortal", (), "run: the firmware ended by itself, status 3"),
        ("--stubborn", ("--speed", 5), r"run: the firmware took \d+\.\d s to end after SIGTERM"),
        ("--gibberish", ("--speed", 5), "run: 1 lines of events are not JSON, first b'not an event'"),
    ],
)
def test_a_firmware_that_fails_is_a_failure(tmp_path, a_ride, flag, options, reason):
    result = run(tmp_path, a_ride, *options, "--out", "out", firmware=f"{FIRMWARE} {flag}")
    assert result.returncode == 1
    assert re.fullmatch(reason, result.stderr.splitlines()[-1])
    assert processes_with(str(tmp_path)) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rotation"], "'rotation' is not KEY=VALUE"),
        (["hci=hci0"], "hci is the virtual phone's"),
        (["events=none"], "this must be events=file:PATH"),
        (["--speed", "0"], "'0' is not a number above 0"),
        (["--kind", "nokia"], "invalid choice: 'nokia'"),
    ],
)
def test_bad_arguments_are_refused(arguments, message, capsys):
    with pytest.raises(SystemExit) as end:
        run_command.parse(arguments)
    assert end.value.code == 64
    assert message in capsys.readouterr().err


def test_a_board_key_that_the_firmware_refuses_is_named_and_nothing_else_is_said(tmp_path, a_ride, lenker_command):
    result = run(tmp_path, a_ride, "rotation=180", "panel=foo", firmware=shlex.join(lenker_command))
    (line,) = result.stderr.splitlines()
    assert line.startswith('run: panel=foo: "foo" is ') and "ssd1306-128x64" in line
    assert (result.returncode, result.stdout) == (64, "")


def test_without_a_terminal_it_says_how_it_goes(tmp_path, a_ride):
    said = run(tmp_path, a_ride, "--speed", 5, "--out", "out").stderr
    assert re.search(r"^ +\d+\.\d s  connected, instructions shown: 0$", said, re.M)


def test_an_older_runs_files_are_replaced_and_others_stay(tmp_path):
    for name in ("frame-000007.pbm", "latest.pbm", "events.jsonl", "frame-x.pbm", "notes.txt"):
        (tmp_path / name).write_text("old")
    prepare(tmp_path, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"frame-x.pbm", "notes.txt"}


def test_a_killed_runner_leaves_no_process(tmp_path, a_ride):
    out = tmp_path / "out"
    out.mkdir()
    with (
        contextlib.closing(FolderWatch(out)) as folder,
        subprocess.Popen(
            command(a_ride, "--speed", 0.1, "--out", out),
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as runner,
    ):
        while not (out / "latest.pbm").exists():
            assert select.select([folder], [], [], PATIENCE)[0], "no picture"
            folder.clear()
        ends = [os.pidfd_open(process) for process in processes_with(str(tmp_path))]
        assert len(ends) == 3
        runner.kill()
    for end in ends:
        assert select.select([end], [], [], PATIENCE)[0], "a process is left"
        os.close(end)


def take_terminal() -> None:
    """In the child: makes standard input its session's terminal, so that Ctrl-C reaches it."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.mark.parametrize(
    ("leave", "status"),
    [
        (lambda runner, terminal: os.write(terminal, b"q"), 0),
        (lambda runner, terminal: os.write(terminal, b"\x03"), 130),
        (lambda runner, terminal: runner.terminate(), 130),
        (lambda runner, terminal: runner.send_signal(signal.SIGHUP), 130),
    ],
    ids=["q", "ctrl-c", "sigterm", "sighup"],
)
def test_the_terminal_is_given_back(tmp_path, a_ride, leave, status):
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(ours, (40, 140))
    before = termios.tcgetattr(theirs)
    runner = subprocess.Popen(
        command(a_ride, "--speed", 0.1, "--out", tmp_path / "out"),
        env=ENVIRONMENT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        preexec_fn=take_terminal,
    )
    shown = b""
    while "direction 2 · 0 m · Lennéstraße".encode() not in shown or "╭".encode() not in shown:
        shown += os.read(ours, 1 << 16)
    assert b"\x1b[?1049h" in shown
    leave(runner, ours)
    while b"frames and events" not in shown:
        shown += os.read(ours, 1 << 16)
    assert runner.wait(10) == status
    assert b"\x1b[?25h\x1b[?1049l" in shown
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)

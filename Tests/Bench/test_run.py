"""The runner, with a stand-in for the firmware: what it writes, says and returns, and that it leaves nothing behind."""

import asyncio
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
from types import SimpleNamespace

import pytest

from lenker_bench.commands import phone as phone_command
from lenker_bench.commands import run as run_command
from lenker_bench.commands.options import ride_arguments
from lenker_bench.programs.events import PATIENCE, EventLog
from lenker_bench.programs.outputs import prepare
from lenker_bench.programs.processes import PACKAGES, ROOT
from lenker_bench.programs.watch import FolderWatch
from lenker_bench.view.pbm import read_picture
from lenker_bench.view.summary import Tally

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


@pytest.mark.parametrize(
    "wrong", ["--answer=no", "--pairing=just-works --answer=never", "--answer-after=2", "--forget"]
)
def test_an_option_of_pairing_that_would_do_nothing_is_refused(wrong, capsys):
    for program in (phone_command, run_command):
        with pytest.raises(SystemExit) as end:
            program.parse(wrong.split())
        assert end.value.code == 64
        assert "--pairing compare" in (said := capsys.readouterr().err) or "--keys FILE" in said


@pytest.mark.parametrize(("kind", "app", "komoot"), [("ios", "komoot", "at-once"), ("android", "komoot", "at-once")])
def test_a_phone_that_is_found_rides_with_komoot(kind, app, komoot):
    options = phone_command.parse([f"--kind={kind}"])
    assert (options.app, options.komoot) == (app, komoot)


@pytest.mark.parametrize(("app", "kind"), [("komoot", "ios"), ("osmand", "android"), ("maps", "android")])
def test_the_kind_of_phone_follows_from_the_app(app, kind):
    for program in (phone_command, run_command):
        assert program.parse([f"--app={app}"]).kind == kind


@pytest.mark.parametrize(("kind", "app"), [("iphone-comes", "komoot"), ("gadgetbridge", "osmand")])
def test_a_phone_that_makes_the_link_has_no_service_of_komoot(kind, app):
    options = phone_command.parse([f"--kind={kind}"])
    assert (options.app, options.komoot) == (app, "never")


@pytest.mark.parametrize(
    "wrong", ["--kind=ios --app=osmand", "--kind=iphone-comes --app=maps", "--komoot=later", "--lacks=wheels"]
)
def test_an_app_or_a_time_that_a_phone_does_not_have_is_refused(wrong, capsys):
    for program in (phone_command, run_command):
        with pytest.raises(SystemExit) as end:
            program.parse(wrong.split())
        assert end.value.code == 64
        assert wrong.split("=")[-1] in capsys.readouterr().err


def test_riders_figures_are_those_of_the_true_air_and_the_pis_chip():
    for program in (phone_command, run_command):
        options = program.parse([])
        assert (options.air, options.chip, options.advertising_interval) == ("true", "bcm43430a1", None)


@pytest.mark.parametrize("wrong", ["0", "many", "3:never", "2:states", ":status"])
def test_a_number_of_links_that_no_chip_has_is_refused(wrong, capsys):
    with pytest.raises(SystemExit) as end:
        phone_command.parse([f"--links={wrong}"])
    assert end.value.code == 64
    assert "--links" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", ["19", "10241", "often"])
def test_an_advertising_interval_that_no_phone_may_have_is_refused(wrong, capsys):
    with pytest.raises(SystemExit) as end:
        phone_command.parse([f"--advertising-interval={wrong}"])
    assert end.value.code == 64
    assert wrong in capsys.readouterr().err


@pytest.mark.parametrize("wrong", ["--rides=0", "--rides=-1", "--rides=1.5", "--pause=0", "--move-every=x"])
def test_an_option_that_makes_no_ride_is_refused(wrong, capsys):
    with pytest.raises(SystemExit) as end:
        phone_command.parse([wrong])
    assert end.value.code == 64
    assert wrong.partition("=")[2] in capsys.readouterr().err


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


def test_reconnects_are_counted(tmp_path, a_ride):
    result = run(tmp_path, a_ride, "--speed", 0.5, "--drop-every", 3, "--out", "out")
    assert result.returncode == 0, result.stderr
    reconnects = next(line for line in result.stdout.splitlines() if line.startswith("reconnects: "))
    assert int(reconnects.removeprefix("reconnects: ")) >= 1


def test_it_ends_after_the_seconds_given(tmp_path, a_ride):
    result = run(tmp_path, a_ride, "--seconds", 9, "--speed", 0.1, "--out", "out")
    assert result.returncode == 0, result.stderr
    duration = next(line for line in result.stdout.splitlines() if line.startswith("duration: "))
    assert 9 <= float(duration.split()[1]) < 25, "the ride takes 33 s"
    assert "instructions shown: 1, missed: 0" in result.stdout


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


async def test_a_run_that_nobody_watches_does_not_wait_for_ever_for_its_first_instruction(monkeypatch):
    monkeypatch.setattr(run_command, "FIRST_INSTRUCTION", 0.1)
    forever = asyncio.Event()
    phone = SimpleNamespace(log=EventLog(), wait=forever.wait, status=None)
    firmware = SimpleNamespace(log=EventLog(), process=forever, status=None)
    async with asyncio.timeout(5):
        assert await run_command.until_over(phone, firmware, None, asyncio.Event()) == ""


def test_a_firmware_that_cannot_be_run_is_named(tmp_path, a_ride):
    result = run(tmp_path, a_ride, firmware="./nowhere")
    assert (result.returncode, result.stderr) == (1, "run: cannot run ./nowhere: No such file or directory\n")


def test_the_users_keys_replace_ours(tmp_path, a_ride):
    out = tmp_path / "out"
    result = run(tmp_path, a_ride, f"events=file:{tmp_path}/other.jsonl", "--speed", 5, "--out", "out", "rotation=180")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "other.jsonl").exists() and not (out / "events.jsonl").exists()


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


@pytest.mark.parametrize(
    ("command", "complaint", "said"),
    [
        (["lenker"], "argument:2: bad", "panel=foo: bad"),
        (["qemu-arm", "-cpu", "arm1176", __file__], "argument:2: bad", "panel=foo: bad"),
        ([__file__, "--board", __file__], "argument:4: bad", "panel=foo: bad"),
        (
            ["lenker"],
            "argument:2: set twice, first in argument 1; once",
            "panel=foo: set twice, first in units=x; once",
        ),
        ([__file__, "units=x"], "argument:1: bad", "argument:1: bad"),
        (["lenker"], "board.conf:2: bad", "board.conf:2: bad"),
    ],
)
def test_the_number_of_an_argument_is_replaced_by_itself(command, complaint, said):
    assert run_command.with_own_arguments(complaint, command, ["units=x", "panel=foo"]) == said


def test_the_help_names_the_keys(capsys):
    with pytest.raises(SystemExit):
        run_command.parse(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "keys press the buttons: a A, A brightness, b B, B forget, q quit." in said


def test_without_a_terminal_it_says_how_it_goes(tmp_path, a_ride):
    said = run(tmp_path, a_ride, "--speed", 5, "--out", "out").stderr
    assert re.search(r"^ +\d+\.\d s  connected, instructions shown: 0$", said, re.M)


@pytest.mark.parametrize("variables", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONIOENCODING": ""}])
def test_an_output_without_utf_8_is_no_reason_to_fail(tmp_path, a_ride, variables):
    environment = {**ENVIRONMENT, **variables}
    words = command(a_ride, "--speed", 5, "--out", tmp_path / "out")
    result = subprocess.run(words, env=environment, capture_output=True, check=False)
    assert (result.returncode, b"Traceback" in result.stderr) == (0, False), result.stderr
    assert "Lennéstraße" in (tmp_path / "out" / "phone.jsonl").read_text("utf-8")


def test_a_ride_that_is_not_there_is_refused(tmp_path):
    result = run(tmp_path, Path("nothing.csv"))
    assert (result.returncode, result.stderr) == (64, "run: nothing.csv: No such file or directory\n")


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


def test_missed_instructions_are_those_told_and_never_shown():
    tally = Tally(sent=[(1, 1, ""), (2, 2, ""), (1, 1, ""), (3, 3, "")], shown=[(1, 1, ""), (3, 3, "")])
    assert tally.missed == 2


def test_a_folder_watch_tells_of_new_and_changed_files(tmp_path):
    watch = FolderWatch(tmp_path)
    assert select.select([watch], [], [], 0)[0] == []
    (tmp_path / "a").write_text("x")
    assert select.select([watch], [], [], 1)[0] == [watch]
    watch.clear()
    assert select.select([watch], [], [], 0)[0] == []
    watch.close()

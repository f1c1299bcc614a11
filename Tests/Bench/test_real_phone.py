"""`Boards/bench/run --phone real`: what it says, what it takes and gives back, and what an issue gets."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lenker_bench.commands import real
from lenker_bench.programs import keeper
from lenker_bench.programs.processes import PACKAGES, ROOT
from lenker_bench.view.reached import KOMOOT, OSMAND, Reached

RUN = ROOT / "Boards" / "bench" / "run"
# The kernel's part, and nothing else: commands to a controller, which are written down. No process but ours is seen.
KERNEL = """
import struct, sys
from pathlib import Path
from lenker_bench.programs import keeper
folder = Path(sys.argv.pop(1))
keeper.CLASS, keeper.SYSTEMD, keeper.PROCESSES = folder / "class", folder / "no-systemd", folder / "processes"
names = {keeper._HCIDEVUP: "up", keeper._HCIDEVDOWN: "down"}
def control(request, argument):
    if request == keeper._HCIGETDEVINFO:
        struct.pack_into("<I", argument, keeper._FLAGS_AT, 1)
    else:
        with (folder / "said").open("a") as said:
            print(names[request], argument, file=said)
keeper._control, keeper.END = control, 1
sys.exit(keeper.main())
"""


# MARK: - The controller


@pytest.mark.parametrize(
    ("wanted", "there", "problem"),
    [
        (None, [], "this PC has no Bluetooth controller"),
        ("hci1", [], "this PC has no Bluetooth controller"),
        (None, ["hci0", "hci1"], "there are hci0 and hci1: choose one, such as --controller hci0"),
        ("hci2", ["hci0", "hci1"], "there is no hci2, but hci0 and hci1"),
    ],
)
def test_a_controller_that_is_not_there_or_not_chosen_is_told(wanted, there, problem):
    with pytest.raises(keeper.LoanError, match=problem):
        real.chosen(wanted, there)


def test_the_only_controller_and_the_chosen_one_are_taken():
    assert real.chosen(None, ["hci3"]) == "hci3"
    assert real.chosen("hci1", ["hci0", "hci1"]) == "hci1"


def test_a_link_of_a_controller_is_none_itself(tmp_path):
    for name in ("hci10", "hci2", "hci2:64"):
        (tmp_path / name).mkdir()
    assert keeper.controllers(tmp_path) == ["hci2", "hci10"]


def test_without_bluetooth_the_command_says_so_and_takes_nothing():
    if keeper.controllers():
        pytest.skip("this machine has Bluetooth")
    command = [RUN, "--phone", "real", "--yes", "--firmware", "no"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 69 and "this PC has no Bluetooth controller" in done.stderr


@pytest.mark.parametrize("option", ["--kind=ios", "--ride=x.csv", "--sensor=heart", "hci=hci1", "nothing"])
def test_an_option_of_a_virtual_phone_is_refused(option):
    with pytest.raises(SystemExit) as ended:
        real.parse(["--phone", "real", option])
    assert ended.value.code == 64


def test_the_firmware_gets_what_the_rider_asked_for(tmp_path):
    options = argparse.Namespace(controller="hci1", advertise=True, pairing="required", keys=["rotation=180"])
    keys = real.board_keys(options, real.prepare(tmp_path / "out", tmp_path))
    assert keys[0] == "hci=hci1" and keys[-3:] == ["advertise=on", "pairing=required", "rotation=180"]
    assert not any(key.startswith("i2c-trace") for key in keys)


# MARK: - Taking and giving back


@pytest.fixture
def pc(tmp_path: Path) -> Path:
    """A controller whose radio is blocked."""
    (tmp_path / "processes").mkdir()
    switch = tmp_path / "class" / "hci4" / "rfkill7"
    switch.mkdir(parents=True)
    (switch / "soft").write_text("1")
    (switch / "hard").write_text("0")
    return tmp_path


def lend(pc: Path, *command: str) -> subprocess.Popen:
    """The keeper, which lends hci4 to this command."""
    words = [sys.executable, "-c", KERNEL, str(pc), "hci4", *command]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGES)}
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def blocked(pc: Path) -> str:
    return (pc / "class" / "hci4" / "rfkill7" / "soft").read_text()


def said(pc: Path) -> list[str]:
    return (pc / "said").read_text().splitlines()


@pytest.fixture
def bluetoothd(pc: Path) -> Iterator[subprocess.Popen]:
    """It has the name, and runs until it is ended; so does what is started in its place."""
    program = pc / "bluetoothd"
    shutil.copy(shutil.which("sleep"), program)
    daemon = subprocess.Popen([program, "1000"])
    (pc / "processes" / str(daemon.pid)).symlink_to(f"/proc/{daemon.pid}")
    yield daemon
    for number in running(program):
        os.kill(number, signal.SIGKILL)
    daemon.wait()


def running(program: Path) -> list[int]:
    return [number for number, command in keeper.daemons().items() if command == [str(program), "1000"]]


def test_what_was_taken_is_given_back_when_the_bench_ends_by_whatever_means(pc, bluetoothd):
    """Its end closes the pipe."""
    loan = lend(pc, "sleep", "1000")
    assert loan.stdout.readline() == "lent\n"
    assert bluetoothd.wait(60) == -signal.SIGTERM
    assert blocked(pc) == "0" and said(pc) == ["down 4"]
    loan.stdin.close()
    assert loan.stdout.read() == "" and loan.wait(60) == 0
    assert blocked(pc) == "1" and said(pc) == ["down 4", "up 4"]
    (again,) = running(pc / "bluetoothd")
    status = Path(f"/proc/{again}/status").read_text()
    assert int(status.partition("SigIgn:")[2].split()[0], 16) & 1 << signal.SIGTERM - 1 == 0


def test_a_bluetoothd_that_does_not_end_is_told_of_and_has_no_second_one_beside_it(pc):
    program = pc / "bluetoothd"
    shutil.copy(shutil.which("sh"), program)
    command = [str(program), "-c", "trap '' TERM; echo deaf; while :; do sleep 1; done"]
    daemon = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert daemon.stdout.readline() == "deaf\n"
    (pc / "processes" / str(daemon.pid)).symlink_to(f"/proc/{daemon.pid}")
    loan = lend(pc, "true")
    assert loan.wait(60) == keeper.UNAVAILABLE
    wanted = f"bluetoothd (process {daemon.pid}) does not end: end it, and start this again\n"
    assert loan.stdout.read() == wanted and blocked(pc) == "1"
    there = [number for number, found in keeper.daemons().items() if found == command]
    for number in there:
        os.kill(number, signal.SIGKILL)
    daemon.wait()
    assert there == [daemon.pid]


def test_who_ends_the_keeper_gets_it_back_too(pc):
    loan = lend(pc, "sleep", "1000")
    assert loan.stdout.readline() == "lent\n"
    loan.terminate()
    assert loan.wait(60) == 0
    assert blocked(pc) == "1" and said(pc) == ["down 4", "up 4"]


def test_a_firmware_that_ends_by_itself_ends_the_loan(pc):
    loan = lend(pc, "true")
    assert loan.wait(60) == 0 and loan.stdout.read() == "lent\n"
    assert said(pc) == ["down 4", "up 4"]


def test_a_dongle_that_was_pulled_is_told_and_nothing_else_is_tried(pc):
    loan = lend(pc, "sleep", "1000")
    assert loan.stdout.readline() == "lent\n"
    shutil.rmtree(pc / "class" / "hci4")
    loan.stdin.close()
    assert loan.wait(60) == 0
    assert loan.stdout.read() == "hci4 is gone: plug it in again, and it is as it was\n"
    assert said(pc) == ["down 4"]


def test_a_switch_of_the_pc_is_told_of_and_nothing_stays_taken(pc):
    (pc / "class" / "hci4" / "rfkill7" / "hard").write_text("1")
    loan = lend(pc, "true")
    assert loan.wait(60) == keeper.UNAVAILABLE
    assert loan.stdout.read() == "hci4 is switched off by a key or a switch of this PC: switch it on there\n"
    assert blocked(pc) == "1"


def test_a_program_that_is_not_there_is_told_of(pc):
    loan = lend(pc, "/no/lenker")
    assert loan.wait(60) == keeper.UNAVAILABLE
    assert "/no/lenker" in loan.stdout.read() and said(pc) == ["down 4", "up 4"]


# MARK: - What the rider sees

RIDE = [
    {"t": 0.0, "event": "start", "version": "0.3.0", "board": ""},
    {"t": 0.1, "event": "controller", "address": "11:22:33:44:55:66", "version": 9, "manufacturer": 2},
    {"t": 0.2, "event": "scan", "mode": "fast"},
    {"t": 2.0, "event": "phone", "address": "4A:00:00:00:00:01", "rssi": -60, "match": "overflow"},
    {"t": 2.5, "event": "link", "state": "connected"},
    {"t": 3.0, "event": "pairing", "state": "confirm", "number": "012345"},
    {"t": 8.0, "event": "pairing", "state": "done"},
    {"t": 8.1, "event": "bond", "state": "saved", "name": "Anna's Phone"},
    {"t": 8.1, "event": "link", "state": "encrypted"},
    {"t": 9.0, "event": "link", "state": "ready"},
    {"t": 9.5, "event": "instruction", "id": 1, "direction": 8, "distance": 90, "street": "Voßweg", "source": "komoot"},
    {"t": 20.0, "event": "link", "state": "disconnected", "reason": 8},
    {"t": 24.0, "event": "link", "state": "ready"},
]


def reached(*events: dict, app: str = KOMOOT) -> Reached:
    found = Reached(app, ["pairing=required"])
    for event in events:
        found.on_event(event)
    return found


@pytest.mark.parametrize(
    ("count", "advice"),
    [
        (3, "searching: start a navigation in komoot, its Bluetooth switched on"),
        (5, "connected: if the phone asks whether to pair, tap Pair"),
        (6, "six digits: 012 345 on the phone, too? a, and confirm there; else b"),
        (7, "paired: the first turn shows when the phone tells it"),
        (11, "riding: the panel shows the turns; q ends"),
        (12, "the link is lost (0x08): the phone is searched for"),
    ],
)
def test_what_is_shown_is_explained_in_the_width_of_the_smallest_window(count, advice):
    first, *events = reached(*RIDE[:count]).status_lines()
    assert first == advice and len(first) < 68
    assert len(events) == 3 and events[2 if count > 2 else count - 1].split()[2] == RIDE[count - 1]["event"]


def test_a_controller_that_went_away_is_explained_by_the_firmware():
    message = "hci1: the controller went away; it is opened again when it is back"
    assert reached({"t": 1, "event": "error", "source": "hci", "message": message}).status_lines()[0] == message


def test_osmand_is_waited_for_by_gadgetbridge():
    assert "Gadgetbridge" in reached(app=OSMAND).status_lines()[0]


# MARK: - What an issue gets


def test_the_text_for_an_issue_has_what_was_reached_and_when():
    assert reached(*RIDE).report().splitlines() == [
        "Lenker 0.3.0 on a PC, for 24 s",
        "controller: manufacturer 2, HCI version 9",
        "phone: iPhone with its app in the background; for komoot",
        "settings: pairing=required",
        "found: 2.0 s",
        "connected: 2.5 s",
        "encrypted: 8.1 s",
        "paired: 8.0 s",
        "service: 9.0 s",
        "first instruction: 9.5 s",
        "instructions: 1",
        "pairings that failed: 0",
        "losses: 1",
        "  20.0 s: reason 0x08, back after 4.0 s",
        "errors: 0",
    ]


def test_the_text_for_an_issue_tells_nobody_who_or_where():
    errors = [
        "“Anna's Phone” at 4a:00:00:00:00:01 does not answer",
        "/home/anna/ride/bond: the disk is full",
        "turn into voßweg: not UTF-8",
    ]
    events = [{"t": 30.0, "event": "error", "source": "phone", "message": message} for message in errors]
    text = reached(*RIDE, *events).report()
    assert text.splitlines()[-4:] == [
        "errors: 3",
        "  30.0 s: phone: “…” at ADDRESS does not answer",
        "  30.0 s: phone: PATH: the disk is full",
        "  30.0 s: phone: turn into …: not UTF-8",
    ]
    assert not any(word in text.lower() for word in ("anna", "voßweg", "4a:00", "11:22"))


def test_a_link_that_ends_as_the_rider_quits_is_no_loss():
    found = reached(*RIDE[:11])
    found.end()
    found.on_event(RIDE[11])
    assert "losses: 0" in found.report()


def test_what_was_not_reached_is_said():
    assert "connected: no" in reached(*RIDE[:4]).report()

"""The alerts of the real program: those that a person expects of each recorded ride, and the line that they drive."""

import contextlib
import errno
import subprocess
from pathlib import Path

import pytest

from alerting import Chip, Pace, alerting_firmware, interposed
from lenker_bench.phone.rides import read_ride
from lenker_bench.programs.processes import ROOT, FirmwareProcess, running_phone
from lenker_bench.view.pbm import read_picture
from recording import RECORDED_RIDES, told, told_apart

EXPECTATIONS = ROOT / "Tests" / "Units" / "NavigationTests" / "Rides"
PACE = 30
OPENED = ["output 22 0"]
PULSE = ["level 22 1", "level 22 0"]
LET_GO = ["release 22"]
SIGNAL = "; was high for 0.2 s: if no buzzer sounded and no LED lit up, look at its wires"
NO_CHIP = "alert names a line, but buttons no chip: set buttons = gpio:/dev/gpiochip0"
Alert = tuple[str, int, str]


def expected(name: str) -> list[Alert]:
    """The alerts written by hand for a recorded ride, each with direction and street of its line of the log."""
    steps = read_ride(RECORDED_RIDES / f"{name}.csv")
    lines = (RECORDED_RIDES / f"{name}.csv").read_text("utf-8").splitlines()
    above = len(lines) - len(steps)  # the route
    found = []
    for text in (EXPECTATIONS / f"{name}.txt").read_text("utf-8").splitlines():
        if text and not text.startswith("#"):
            line, level, *_ = text.split()
            step = steps[int(line) - 1 - above]
            found.append((level, step.direction, step.street))
    return found


def announced(firmware: FirmwareProcess) -> list[Alert]:
    """The firmware's alerts, each with direction and street of the instruction before it."""
    found = []
    instruction = None
    for event in firmware.log.events:
        if event["event"] == "instruction":
            instruction = event
        elif event["event"] == "alert":
            assert instruction is not None
            found.append((event["level"], instruction["direction"], instruction["street"]))
    return found


async def ridden(ride: Path, folder: Path) -> FirmwareProcess:
    """Rides to the last instruction."""
    pace = Pace(PACE, folder)
    async with (
        running_phone("--kind=android", "--pairing=none", "--ride", ride, f"--speed={PACE}") as phone,
        alerting_firmware(interposed(pace), phone.port, folder, "pairing=off") as firmware,
    ):
        # Not before, as the radio's and the phone's own times are real ones.
        await firmware.log.wait_for("instruction", 30)
        pace.begin()
        direction, distance, street = told_apart(ride)[-1]
        await firmware.log.wait_for("instruction", 120, direction=direction, distance=distance, street=street)
        # An alert is told behind its instruction.
        await firmware.stop()
    return firmware


def is_held_up(firmware: FirmwareProcess, ride: Path) -> bool:
    """Whether the machine stopped the program for so long that the ride was another one.

    The rides leave no instruction unconfirmed for 8 s, and a link that is lost loses some of them.
    """
    return bool(firmware.log.named("stale")) or told(firmware.log.events) != told_apart(ride)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", ["potsdam-long", "potsdam-short"])
async def test_the_alerts_of_a_recorded_ride_are_those_that_a_person_expects(name, tmp_path):
    """Played fast to a program whose clock is as fast, so that the seconds to each turn are those of the ride."""
    ride = RECORDED_RIDES / f"{name}.csv"
    if not ride.exists():
        pytest.skip(f"the recorded ride {ride.name} is not beside the project")
    for attempt in range(3):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        firmware = await ridden(ride, folder)
        if not is_held_up(firmware, ride):
            break
    else:
        pytest.fail("the machine is too busy to play the ride")
    assert announced(firmware) == expected(name)


@pytest.fixture
def chip(tmp_path: Path) -> Chip:
    return Chip(tmp_path)


@pytest.fixture
def ride(tmp_path: Path):
    """`ride(row, ...)` writes a ride of rows."""

    def write(*rows: str) -> Path:
        path = tmp_path / "ride.csv"
        path.write_text("\n".join(["milliseconds,direction,distance,street", *rows]) + "\n")
        return path

    return write


@contextlib.asynccontextmanager
async def riding(ride: Path, chip: Chip, alert: str = "22", pace: Pace | None = None):
    """A firmware with this line of the chip as its alert line."""
    parts = [chip, pace] if pace else [chip]
    async with running_phone("--kind=android", "--pairing=none", "--ride", ride) as phone:
        board = [f"buttons=gpio:{chip.path}", f"alert={alert}", "pairing=off"]
        async with alerting_firmware(interposed(*parts), phone.port, chip.folder.parent, *board) as firmware:
            yield firmware


async def test_a_near_turn_is_inverted_for_a_second_and_pulses_the_line_three_times(ride, chip, tmp_path):
    # A program that is woken late may leave a pulse out: here each lasts 750 ms of ours.
    pace = Pace(0.2, tmp_path)
    pace.begin()
    async with riding(ride("0,8,20,A"), chip, pace=pace) as firmware:
        await firmware.log.wait_for("alert", 30, level="high")
        first = await firmware.log.wait_for("frame")
        second = await firmware.log.wait_for("frame")
        await firmware.stop()
    inverted, upright = (read_picture(tmp_path / f"frame-{frame['number']:06}.pbm").rows for frame in (first, second))
    assert [[not pixel for pixel in row] for row in inverted] == [[bool(pixel) for pixel in row] for row in upright]
    assert second["t"] - first["t"] >= 0.9
    assert chip.log() == OPENED + 3 * PULSE + LET_GO


async def test_an_arrival_is_one_pulse(ride, chip):
    async with riding(ride("0,3,10,A"), chip) as firmware:
        await firmware.log.wait_for("alert", 30, level="arrive")
        await firmware.stop()
    assert chip.log() == OPENED + PULSE + LET_GO


async def test_the_other_levels_leave_the_line_low(ride, chip):
    async with riding(ride("0,2,0,A", "500,8,300,A"), chip) as firmware:
        await firmware.log.wait_for("alert", 30, level="low")
        await firmware.stop()
    assert [event["level"] for event in firmware.log.named("alert")] == ["depart", "low"]
    assert chip.log() == OPENED + LET_GO


async def test_the_line_is_low_when_the_program_ends_in_mid_pulse(ride, chip, tmp_path):
    pace = Pace(0.2, tmp_path)
    pace.begin()
    async with riding(ride("0,8,20,A"), chip, pace=pace) as firmware:
        await firmware.log.wait_for("alert", 30, level="high")
        await firmware.stop()
        assert firmware.status == 0
    log = chip.log()
    assert log[:2] == OPENED + PULSE[:1]
    assert log[-2:] == PULSE[1:] + LET_GO


async def test_a_chip_that_goes_is_told_once_and_opened_again_behind_the_ride(ride, chip, tmp_path):
    pace = Pace(4, tmp_path)
    rows = ["0,8,300,A", "3000,8,20,A", "3700,5,300,B", "6000,5,20,B"]
    async with riding(ride(*rows), chip, pace=pace) as firmware:
        await firmware.log.wait_for("instruction", 30)
        pace.begin()
        chip.fail(errno.ENODEV)
        error = await firmware.log.wait_for("error")
        await firmware.log.wait_for("instruction", street="B")
        chip.heal()
        await firmware.log.wait_for("instruction", street="B", distance=20)
        await firmware.stop()
    assert (error["source"], error["message"]) == (
        "gpio",
        "/dev/gpiochip9 line 22: the chip is gone, or the line is of no use for this; it is opened again each second",
    )
    assert len(firmware.log.named("error")) == 1
    log = chip.log()
    assert log[: log.index("release 22") + 2] == OPENED + LET_GO + OPENED
    assert log[log.index("release 22") + 2 :][:2] == PULSE


async def test_without_an_alert_line_the_chip_is_left_alone(ride, chip):
    async with riding(ride("0,8,20,A"), chip, "none") as firmware:
        await firmware.log.wait_for("alert", 30, level="high")
        await firmware.stop()
    assert chip.log() == []


async def test_a_line_of_no_chip_is_told_once_and_the_ride_goes_on(lenker, a_ride):
    async with running_phone("--ride", a_ride) as phone, lenker(phone.port, "alert=22") as firmware:
        error = await firmware.log.wait_for("error")
        assert error["source"] == "gpio"
        assert error["message"] == f"line 22: {NO_CHIP}"
        await firmware.log.wait_for("instruction", 30, distance=100)
        assert len(firmware.log.named("error")) == 1


def check(tmp_path: Path, chip: Chip, *keys: str) -> list[str]:
    """What `--check` says of buttons and alert line."""
    command = [*interposed(chip), "--check", "hci=tcp:127.0.0.1:1", f"display=pbm:{tmp_path}", *keys]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 69  # there is no radio
    return [line for line in result.stdout.splitlines() if " buttons" in line or " alert" in line]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (["alert=22"], [f"ok alert /dev/gpiochip9 line 22{SIGNAL}"]),
        (
            ["alert=22", "button-page=17"],
            ["ok buttons /dev/gpiochip9 line 17; page: not pressed", f"ok alert /dev/gpiochip9 line 22{SIGNAL}"],
        ),
        (
            ["alert=54"],
            ["failed alert /dev/gpiochip9 line 54: the chip has no such line: see gpioinfo for those there are"],
        ),
        (["alert=none", "button-page=17"], ["ok buttons /dev/gpiochip9 line 17; page: not pressed"]),
    ],
)
def test_check_opens_the_line_and_says_how_it_is(keys, said, chip, tmp_path):
    assert check(tmp_path, chip, f"buttons=gpio:{chip.path}", *keys) == said


def test_check_lets_the_line_be_heard_once_and_leaves_it_low(chip, tmp_path):
    check(tmp_path, chip, f"buttons=gpio:{chip.path}", "alert=22")
    assert chip.log() == [*OPENED, *PULSE, *LET_GO]


def test_check_says_what_level_each_button_has(chip, tmp_path):
    chip.press(27)
    keys = [f"buttons=gpio:{chip.path}", "button-page=17", "button-unpair=27"]
    assert check(tmp_path, chip, *keys) == [
        "ok buttons /dev/gpiochip9 line 17 line 27; page: not pressed; unpair: pressed; if nobody holds it,"
        " line 27 is wired to ground for ever: turn the button by a quarter, or look for a bridge"
    ]


@pytest.mark.parametrize("buttons", ["none", "stdin"])
def test_check_finds_a_line_of_no_chip(buttons, chip, tmp_path):
    assert check(tmp_path, chip, f"buttons={buttons}", "alert=22")[-1] == f"failed alert line 22: {NO_CHIP}"

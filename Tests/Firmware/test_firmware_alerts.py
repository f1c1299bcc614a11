"""The line that the real program's alerts drive, and what `--check` says of it."""

import contextlib
import errno
import subprocess
from pathlib import Path

import pytest

from alerting import Chip, alerting_firmware, interposed
from lenker_bench.programs.processes import running_phone

OPENED = ["output 22 0"]
PULSE = ["level 22 1", "level 22 0"]
LET_GO = ["release 22"]
SIGNAL = "; was high for 0.2 s: if no buzzer sounded and no LED lit up, look at its wires"
NO_CHIP = "alert names a line, but buttons no chip: set buttons = gpio:/dev/gpiochip0"


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
async def riding(ride: Path, chip: Chip):
    """A firmware with line 22 of the chip as its alert line."""
    async with running_phone("--kind=android", "--pairing=none", "--ride", ride) as phone:
        board = [f"buttons=gpio:{chip.path}", "alert=22", "pairing=off"]
        async with alerting_firmware(interposed(chip), phone.port, chip.folder.parent, *board) as firmware:
            yield firmware


async def test_an_arrival_is_one_pulse(ride, chip):
    async with riding(ride("0,3,10,A"), chip) as firmware:
        await firmware.log.wait_for("alert", 30, level="arrive")
        await firmware.stop()
    assert chip.log() == OPENED + PULSE + LET_GO


async def test_a_chip_that_goes_is_told_once_and_opened_again_behind_the_ride(ride, chip):
    async with riding(ride("0,8,300,A", "1500,8,20,A", "4500,5,20,B"), chip) as firmware:
        await firmware.log.wait_for("instruction", 30)
        chip.fail(errno.ENODEV)
        error = await firmware.log.wait_for("error")
        chip.heal()
        await firmware.log.wait_for("instruction", street="B")
        await firmware.stop()
    assert (error["source"], error["message"]) == (
        "gpio",
        "/dev/gpiochip9 line 22: the chip is gone, or the line is of no use for this; it is opened again each second",
    )
    assert len(firmware.log.named("error")) == 1
    log = chip.log()
    assert log[: log.index("release 22") + 2] == OPENED + LET_GO + OPENED
    assert log[log.index("release 22") + 2 :][:2] == PULSE


async def test_a_line_of_no_chip_is_told_once_and_the_ride_goes_on(lenker, a_ride):
    async with running_phone("--ride", a_ride) as phone, lenker(phone.port, "alert=22") as firmware:
        error = await firmware.log.wait_for("error")
        assert error["source"] == "gpio"
        assert error["message"] == f"line 22: {NO_CHIP}"
        await firmware.log.wait_for("instruction", 30, distance=100)
        assert len(firmware.log.named("error")) == 1


def check(tmp_path: Path, chip: Chip, *keys: str, label: str = "") -> list[str]:
    """What `--check` says of buttons and alert line, where the chip's driver calls it so."""
    usual = ["hci=tcp:127.0.0.1:1", f"display=pbm:{tmp_path}"]
    command = ["env", f"GPIO_LABEL={label}", *interposed(chip), "--check", *usual, *keys]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 69  # there is no radio
    return [line for line in result.stdout.splitlines() if " buttons" in line or " alert" in line]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (["alert=22"], [f"ok alert /dev/gpiochip9 line 22{SIGNAL}"]),
        (
            ["alert=22", "button-a=17"],
            ["ok buttons /dev/gpiochip9 line 17; A: not pressed", f"ok alert /dev/gpiochip9 line 22{SIGNAL}"],
        ),
        (
            ["alert=54"],
            ["failed alert /dev/gpiochip9 line 54: the chip has no such line: see gpioinfo for those there are"],
        ),
        (["alert=none", "button-a=17"], ["ok buttons /dev/gpiochip9 line 17; A: not pressed"]),
    ],
)
def test_check_opens_the_line_and_says_how_it_is(keys, said, chip, tmp_path):
    assert check(tmp_path, chip, f"buttons=gpio:{chip.path}", *keys) == said


def test_check_lets_the_line_be_heard_once_and_leaves_it_low(chip, tmp_path):
    check(tmp_path, chip, f"buttons=gpio:{chip.path}", "alert=22")
    assert chip.log() == [*OPENED, *PULSE, *LET_GO]


def test_check_says_what_level_each_button_has(chip, tmp_path):
    chip.press(27)
    keys = [f"buttons=gpio:{chip.path}", "button-a=17", "button-b=27"]
    assert check(tmp_path, chip, *keys) == [
        "ok buttons /dev/gpiochip9 line 17 line 27; A: not pressed; B: pressed; if nobody holds it,"
        " line 27 is wired to ground for ever: turn the button by a quarter, or look for a bridge"
    ]


@pytest.mark.parametrize("label", ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"])
def test_central_behaviour_103_the_headers_chip_is_found_by_its_label(label, chip, tmp_path):
    keys = ["buttons=gpio:/dev/gpiochip0", "button-a=17", "alert=22"]
    assert check(tmp_path, chip, *keys, label=label) == [
        "ok buttons /dev/gpiochip0 line 17; the header's chip is /dev/gpiochip9; A: not pressed",
        f"ok alert /dev/gpiochip0 line 22{SIGNAL}",
    ]


def test_central_behaviour_103_a_chip_of_another_label_is_nobodys_header(chip, tmp_path):
    keys = ["buttons=gpio:/dev/gpiochip0", "button-a=17"]
    (said,) = check(tmp_path, chip, *keys, label="raspberrypi-exp-gpio")
    assert said.startswith("failed buttons /dev/gpiochip0 line 17: no such chip")


@pytest.mark.parametrize("buttons", ["none", "stdin"])
def test_check_finds_a_line_of_no_chip(buttons, chip, tmp_path):
    assert check(tmp_path, chip, f"buttons={buttons}", "alert=22")[-1] == f"failed alert line 22: {NO_CHIP}"

"""The line that resets the panel: what the real program does with it, and what `--check` says of it."""

import subprocess

import pytest

from alerting import Chip, alerting_firmware, interposed

PULSE = ["output 25 0", "level 25 1"]


@pytest.fixture
def chip(tmp_path):
    return Chip(tmp_path)


async def test_the_panel_is_reset_once_before_its_first_picture(chip, tmp_path, closed_port):
    keys = [f"buttons=gpio:{chip.path}", "panel=ssd1309-128x64", "panel-reset=25"]
    async with alerting_firmware(interposed(chip), closed_port, tmp_path, *keys) as firmware:
        await firmware.log.wait_for("frame")
        assert chip.log() == PULSE
        await firmware.stop()
    assert chip.log() == [*PULSE, "release 25"]


def check(tmp_path, chip: Chip, *keys: str) -> list[str]:
    """What `--check` says, its radio left out."""
    command = [*interposed(chip), "--check", "hci=tcp:127.0.0.1:1", f"display=pbm:{tmp_path}", *keys]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return [line for line in said.splitlines() if " hci " not in line]


def test_check_resets_the_panel_and_holds_the_line_until_it_has_its_picture(chip, tmp_path):
    said = check(tmp_path, chip, f"buttons=gpio:{chip.path}", "panel-reset=25", "alert=22")
    assert said[0] == "ok panel-reset /dev/gpiochip9 line 25; was low for 10 ms"
    assert said[1].startswith("ok display ")
    assert chip.log()[:3] == [*PULSE, "release 25"]


@pytest.mark.parametrize(
    ("buttons", "line", "why"),
    [
        ("none", 25, "line 25: panel-reset names a line, but buttons no chip: set buttons = gpio:/dev/gpiochip0"),
        (
            f"gpio:{Chip.path}",
            54,
            "/dev/gpiochip9 line 54: the chip has no such line: see gpioinfo for those there are",
        ),
    ],
)
def test_check_says_what_is_wrong_with_the_line(chip, tmp_path, buttons, line, why):
    assert check(tmp_path, chip, f"buttons={buttons}", f"panel-reset={line}")[0] == f"failed panel-reset {why}"

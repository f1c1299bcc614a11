"""What the real program does with lines of a GPIO chip, and what `--check` says of them, without a chip of a kernel."""

import subprocess
from pathlib import Path

import pytest

from builds import command_of
from interposing import interposer

PULSE = ["output 22 0", "level 22 1", "level 22 0", "release 22"]
RESET = ["output 25 0", "level 25 1", "release 25"]
SIGNAL = "; was high for 0.2 s: if no buzzer sounded and no LED lit up, look at its wires"
NO_LINE = "the chip has no such line: see gpioinfo for those there are"


class Chip:
    """A GPIO chip of 54 lines in the kernel's place, see `gpio_chip.c`, and what the firmware does with them."""

    path = "/dev/gpiochip9"

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "gpio"
        self._folder.mkdir()
        library = interposer("gpio_chip", folder)
        self.command = ["env", f"LD_PRELOAD={library}", f"GPIO_FOLDER={self._folder}", *command_of("regular")]

    def press(self, line: int) -> None:
        """From now on the button at this line is pressed."""
        (self._folder / "pressed").write_text(str(line))

    def log(self) -> list[str]:
        """What became of the lines so far."""
        return (self._folder / "log").read_text().splitlines()


@pytest.fixture
def chip(tmp_path: Path) -> Chip:
    return Chip(tmp_path)


def check(tmp_path: Path, chip: Chip, *keys: str, label: str = "") -> list[str]:
    """What `--check` says of the lines, where the chip's driver calls it so."""
    usual = ["hci=tcp:127.0.0.1:1", f"display=pbm:{tmp_path}"]
    command = ["env", f"GPIO_LABEL={label}", *chip.command, "--check", *usual, *keys]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 69  # there is no radio
    return [line for line in result.stdout.splitlines() if " hci " not in line and " display " not in line]


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            ["alert=22", "button-a=17"],
            ["ok buttons /dev/gpiochip9 line 17; A: not pressed", f"ok alert /dev/gpiochip9 line 22{SIGNAL}"],
        ),
        (["alert=54"], [f"failed alert /dev/gpiochip9 line 54: {NO_LINE}"]),
        (["panel-reset=25"], ["ok panel-reset /dev/gpiochip9 line 25; was low for 10 ms"]),
        (["panel-reset=54"], [f"failed panel-reset /dev/gpiochip9 line 54: {NO_LINE}"]),
        ([], ["failed buttons /dev/gpiochip9: no line is named: set button-a and button-b"]),
    ],
)
def test_check_opens_the_line_and_says_how_it_is(keys, said, chip, tmp_path):
    assert check(tmp_path, chip, f"buttons=gpio:{chip.path}", *keys) == said


def test_check_lets_the_line_be_heard_once_and_resets_the_panel_once(chip, tmp_path):
    check(tmp_path, chip, f"buttons=gpio:{chip.path}", "alert=22", "panel-reset=25")
    assert chip.log() == RESET + PULSE


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
    assert said.startswith("failed buttons /dev/gpiochip0 line 17: no such chip: see gpiodetect")


def test_check_says_that_a_file_is_no_chip(chip, tmp_path):
    said = check(tmp_path, chip, "buttons=gpio:/dev/null", "button-a=17", "alert=22")
    why = "not a GPIO chip: see gpiodetect"
    lines = {"buttons": 17, "alert": 22}
    assert [line[: line.index(why)] for line in said] == [
        f"failed {name} /dev/null line {number}: " for name, number in lines.items()
    ]

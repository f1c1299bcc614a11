"""`--check` and a panel on a bus: the numbered test pictures, with `i2c_bus.c` in the kernel's place."""

import subprocess

import pytest

from interposing import interposer
from lenker_bench.view.sheet import expected_picture
from ssd1306 import Panel

# Data sheet SSD1306, table 9-1: what begins a set-up, the addressing mode in it, and a window of all columns and pages.
DISPLAY_OFF = bytes.fromhex("00ae")
HORIZONTAL, PAGE_BY_PAGE = bytes.fromhex("2000"), bytes.fromhex("2002")
WHOLE = bytes.fromhex("0021007f220007")
IN_PAGES = [bytes([0x00, 0xB0 + page, 0x00, 0x10]) for page in range(7, -1, -1)]


@pytest.fixture
def looks(lenker_command, tmp_path):
    """`looks(*keys)`: the messages before each time that one can look at the panel, and how long, in milliseconds."""

    def run(*keys: str) -> list[tuple[list[bytes], int | None]]:
        log = tmp_path / "log"
        environment = ["env", f"LD_PRELOAD={interposer('i2c_bus', tmp_path)}", f"I2C_LOG={log}"]
        usual = ["--check", "hci=tcp:127.0.0.1:1", "display=i2c:/dev/i2c-9@0x3c", "pairing=off"]
        subprocess.run([*environment, *lenker_command, *usual, *keys], stdout=subprocess.PIPE, check=False)
        found, messages = [], []
        for what, *values in map(str.split, log.read_text().splitlines()):
            if what == "wait":
                found.append((messages, int(values[0])))
                messages = []
            else:
                assert values[0] == "3c"
                messages.append(bytes.fromhex(values[1]))
        return [*found, (messages, None)]

    return run


@pytest.mark.parametrize(("updates", "mode"), [("changes", HORIZONTAL), ("pages", PAGE_BY_PAGE)])
def test_central_behaviour_64_a_check_draws_its_picture_in_each_way_for_two_seconds_and_its_number(
    looks, updates, mode
):
    shown = looks(f"updates={updates}")
    assert [time for _, time in shown] == [2000, 2000, 2000, None]
    modes = [HORIZONTAL, PAGE_BY_PAGE, HORIZONTAL, mode]
    pictures = ["check-1", "check-2", "check-3", "check"]
    for (messages, _), wanted, name in zip(shown, modes, pictures, strict=True):
        assert messages[0].startswith(DISPLAY_OFF) and wanted in messages[0]
        glass = Panel("ssd1306-128x64")
        for message in messages:
            glass.write(message)
        assert glass.picture() == expected_picture(name).rows


def test_central_behaviour_64_each_number_comes_as_a_change_in_the_way_that_it_stands_for(looks):
    """As a clone may take a whole picture and then no change of it."""
    numbers = []
    for messages, _ in looks()[:3]:
        first = messages.index(b"\x00\xaf")  # which ends the first picture: it is switched on
        numbers.append([message for message in messages[first + 1 :] if message[0] == 0x00])
    changes, pages, whole = numbers
    assert changes and all(address[1] == 0x21 and address != WHOLE for address in changes)
    assert pages and all(address in IN_PAGES for address in pages) and len(pages) < len(IN_PAGES)
    assert whole == [WHOLE]

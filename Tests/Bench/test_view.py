"""What a person sees of a ride: on terminals of every kind, in windows that are too small, and without any terminal."""

import asyncio
import re

import pytest

from lenker_bench.view import progress
from lenker_bench.view.drawing import fitted, panel_lines, smallest_size
from lenker_bench.view.live import TEXT_ROWS, LiveView
from lenker_bench.view.look import Look
from lenker_bench.view.pbm import Picture
from lenker_bench.view.progress import Progress
from lenker_bench.view.summary import Tally

UNICODE, ASCII, BLACK_AND_WHITE = Look(), Look("ascii"), Look(is_coloured=False)
COLOUR = re.compile("\x1b\\[[0-9;]*m")
PANEL = Picture(128, 64, ((0,) * 128,) * 63 + ((1,) * 128,))


class Screen:
    """A terminal of a given size that keeps what is written."""

    def __init__(self, columns: int, rows: int, look: Look = UNICODE) -> None:
        self.size = columns, rows
        self.look = look
        self.written = ""

    def enter(self) -> None: ...

    def leave(self) -> None: ...

    def write(self, text: str) -> None:
        self.written += text

    def fileno(self) -> int:
        return 0


def drawn(screen: Screen, tmp_path, tally: Tally) -> list[str]:
    """The lines of the live view, without what steers the terminal."""
    view = LiveView(screen, tmp_path, tally, lambda key: None, lambda: None)
    view._draw()
    return [re.sub("\x1b\\[[0-9;]*[A-Za-z]", "", line) for line in screen.written.split("\r\n")]


def draw_panel(tmp_path) -> None:
    (tmp_path / "latest.pbm").write_text(f"P1\n{PANEL.width} {PANEL.height}\n{'0' * 128 * 63}{'1' * 128}\n")


def test_a_terminal_without_blocks_gets_a_panel_of_ascii():
    lines = panel_lines(PANEL, 132, 34, ASCII)
    plain = [COLOUR.sub("", line) for line in lines]
    assert plain[0] == plain[-1] == "+" + "-" * 130 + "+"
    assert plain[-2] == "| " + "." * 128 + " |"
    assert "".join(lines).isascii()


def test_a_terminal_with_letters_of_one_byte_keeps_them():
    assert Look("latin-1").written("Voßstraße · 5 bytes on I²C") == "Voßstraße · 5 bytes on I²C"
    assert Look("ascii").written("Voßstraße · 5 bytes on I²C") == "Vo?stra?e - 5 bytes on I2C"
    assert fitted("Невский · 5 m", 40, Look("latin-1")) == "??????? · 5 m".replace("·", "-")


@pytest.mark.parametrize("locale", [{"LANG": "C"}, {"LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"}])
def test_the_locale_c_has_ascii_only(locale):
    assert not Look.of_terminal(locale).has_blocks


def test_no_color_is_obeyed():
    assert Look.of_terminal({}).is_coloured and Look.of_terminal({"NO_COLOR": ""}).is_coloured
    assert not Look.of_terminal({"NO_COLOR": "1"}).is_coloured
    assert not any(COLOUR.search(line) for line in panel_lines(PANEL, 132, 34, BLACK_AND_WHITE))


@pytest.mark.parametrize(("look", "size"), [(UNICODE, (68, 18)), (ASCII, (132, 34))])
def test_the_smallest_size_is_that_of_the_smallest_drawing(look, size):
    columns, rows = smallest_size(PANEL, look)
    assert (columns, rows) == size
    assert panel_lines(PANEL, columns, rows, look)
    assert not panel_lines(PANEL, columns - 1, rows, look) and not panel_lines(PANEL, columns, rows - 1, look)


@pytest.mark.parametrize(("columns", "rows"), [(67, 30), (90, 21), (20, 6)])
async def test_a_window_that_is_too_small_says_the_size_it_takes(tmp_path, columns, rows):
    draw_panel(tmp_path)
    lines = drawn(Screen(columns, rows), tmp_path, Tally())
    said = " ".join(lines)
    assert f"{columns} x {rows}" in said and f"68 x {18 + TEXT_ROWS}" in said
    assert all(len(line) < columns for line in lines) and len(lines) < rows


async def test_a_window_of_that_size_is_large_enough(tmp_path):
    draw_panel(tmp_path)
    lines = drawn(Screen(68, 18 + TEXT_ROWS), tmp_path, Tally())
    assert lines[0].startswith("╭") and lines[17].startswith("╰")


async def test_the_live_view_writes_ascii_where_there_is_nothing_else(tmp_path):
    draw_panel(tmp_path)
    screen = Screen(132, 38, Look("ascii"))
    drawn(screen, tmp_path, Tally(shown=[(5, 110, "Voßstraße")], link="connected"))
    assert screen.written.isascii() and "110 m" in screen.written


def pairing(tally: Tally, **fields: object) -> None:
    tally.on_phone_event({"event": "pairing", "phone": "rider", **fields})


@pytest.mark.parametrize("end", [{"state": "done"}, {"state": "failed", "reason": 12}])
async def test_the_live_view_shows_the_phones_digits_until_the_pairing_is_over(tmp_path, end):
    tally = Tally()
    pairing(tally, state="confirm", number="012345")
    assert "the phone shows 012 345" in drawn(Screen(80, 30), tmp_path, tally)
    pairing(tally, **end)
    assert not any("012 345" in line for line in drawn(Screen(80, 30), tmp_path, tally))


async def test_a_lost_link_ends_the_phones_question():
    tally = Tally()
    pairing(tally, state="confirm", number="012345")
    tally.on_phone_event({"event": "disconnected", "phone": "rider", "reason": 8})
    assert tally.question == ""


def test_a_strangers_digits_are_not_the_riders():
    tally = Tally()
    tally.on_phone_event({"event": "pairing", "phone": "stranger", "state": "confirm", "number": "111111"})
    assert tally.question == ""


@pytest.mark.virtual_time
async def test_without_a_terminal_what_is_new_is_said_at_once_and_how_it_goes_every_10_seconds(monkeypatch):
    monkeypatch.setattr(progress.time, "monotonic", asyncio.get_running_loop().time)
    tally, said = Tally(), []
    with Progress(tally, said.append) as watching:
        tally.on_firmware_event({"event": "link", "state": "connected"})
        watching.changed()
        tally.on_firmware_event({"event": "frame", "bytes": 1, "messages": 1})
        watching.changed()
        await asyncio.sleep(25)
        pairing(tally, state="confirm", number="012345")
        watching.changed()
        tally.on_firmware_event({"event": "error", "source": "gpio", "message": "no such chip"})
        watching.changed()
    assert said == [
        "   0.0 s  connected, instructions shown: 0",
        "  10.0 s  connected, instructions shown: 0",
        "  20.0 s  connected, instructions shown: 0",
        "  25.0 s  connected, instructions shown: 0, the phone shows 012 345",
        "  25.0 s  connected, instructions shown: 0, the phone shows 012 345, last error: gpio: no such chip",
    ]


def test_the_summary_says_what_sensors_are_remembered_and_what_they_measured():
    tally = Tally()
    for kind, state in (("heart", "found"), ("heart", "remembered"), ("speed", "remembered"), ("speed", "forgotten")):
        tally.on_firmware_event({"event": "sensor", "kind": kind, "address": "C0:01", "name": "H10", "state": state})
    tally.on_firmware_event({"event": "measure", "heart": 142, "speed": 6750})
    tally.on_firmware_event({"event": "radar", "vehicles": [{"track": 1, "distance": 43}]})
    measured = "6750 mm/s, 142 bpm, vehicles behind: 1"
    assert f"sensors: heart H10; they measured {measured}" in tally.report_lines(1.0)
    assert measured in tally.status_lines()[1]

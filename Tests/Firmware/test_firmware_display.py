"""The real program and its panel: kinds, rotation, contrast, the trace, and a mock display that cannot be written."""

import re

import pytest

from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import running_phone
from lenker_bench.view.pbm import Picture, read_picture
from recording import read_trace, recording, wait_for_instructions
from ssd1306 import GLASSES, Panel

LINE = re.compile(r"\d+\.\d{3} 3c(?: [0-9a-f]{2})+")
# Data sheet SSD1306, the application note's order, with what the module's maker says for this glass.
INITIALIZATION = {0xAE, 0xD5, 0xA8, 0xD3, 0x40, 0x8D, 0x20, 0xA1, 0xC8, 0xDA, 0x81, 0xD9, 0xDB, 0x2E, 0xA4, 0xA6}


def turned(rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """The same picture upside down."""
    return tuple(row[::-1] for row in rows[::-1])


def unturned(rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """What of a glass is seen by somebody for whom its right edge is up."""
    return tuple(zip(*(row[::-1] for row in rows), strict=True))


@pytest.mark.parametrize(
    ("panel", "updates", "rotation"),
    [(panel, "changes", 0) for panel in GLASSES]
    + [("ssd1306-128x64", "whole", 0), ("ssd1306-64x48", "pages", 0), ("sh1106-128x64", "pages", 0)]
    + [(panel, "changes", rotation) for panel in GLASSES for rotation in (90, 270)],
)
async def test_each_kind_of_panel_shows_the_ride(lenker, tmp_path, panel, updates, rotation):
    async with running_phone("--kind=android", "--ride", OWN_RIDE, "--speed=200") as phone:
        keys = [f"panel={panel}", f"updates={updates}", f"rotation={rotation}"]
        async with lenker(phone.port, *keys) as firmware:
            await wait_for_instructions(firmware.log, 20)
            await firmware.stop()
    ridden = recording(tmp_path, firmware.log)
    assert ridden.named("error") == []
    glass = Panel(panel)
    messages = iter(ridden.trace())
    for frame in ridden.named("frame"):
        for _ in range(frame["messages"]):
            glass.write(next(messages).data)
        picture = ridden.picture(frame["number"])
        assert (picture.width, picture.height) == (GLASSES[panel].width, GLASSES[panel].height)
        assert picture.rows == glass.picture()


async def picture_of(lenker, folder, ride, *keys: str) -> Picture:
    """What the glass shows with the ride's first instruction."""
    return (await shown(lenker, folder, ride, *keys))[0]


async def shown(lenker, folder, ride, *keys: str) -> tuple[Picture, list[bytes]]:
    """That, and the messages that were sent for it."""
    Outputs(folder.parent).events.unlink(missing_ok=True)
    async with running_phone("--kind=android", "--ride", ride, "--speed=0.01") as phone:
        async with lenker(phone.port, f"display=pbm:{folder}", *keys) as firmware:
            await firmware.log.wait_for("instruction", 30)
            await firmware.log.wait_for("frame")
            messages = [message.data for message in read_trace(folder.parent / "i2c.trace")]
            return read_picture(folder / "latest.pbm"), messages


async def test_a_panel_that_is_mounted_upside_down_is_driven_the_other_way_round(lenker, a_ride, tmp_path):
    upright = await picture_of(lenker, tmp_path / "upright", a_ride, "panel=sh1106-128x64")
    turned_round = await picture_of(lenker, tmp_path / "turned", a_ride, "panel=sh1106-128x64", "rotation=180")
    assert any(map(any, upright.rows)) and upright.rows != turned(upright.rows)
    assert turned_round.rows == turned(upright.rows)


async def test_a_panel_on_its_edge_has_a_picture_that_is_turned_by_a_quarter(lenker, a_ride, tmp_path):
    right_up = await picture_of(lenker, tmp_path / "right", a_ride, "rotation=90")
    left_up = await picture_of(lenker, tmp_path / "left", a_ride, "rotation=270")
    assert (right_up.width, right_up.height) == (128, 64), "the mock shows the glass"
    assert left_up.rows == turned(right_up.rows)
    seen = unturned(right_up.rows)
    assert (len(seen[0]), len(seen)) == (64, 128)
    assert any(map(any, seen[:64])), "the arrow is on top"


@pytest.mark.parametrize(("rotation", "offset"), [(0, 4), (180, 0), (90, 4), (270, 0)])
async def test_central_behaviour_64_a_panel_whose_ram_begins_elsewhere_shows_the_same(
    lenker, a_ride, tmp_path, rotation, offset
):
    """A CH1116: it has the 128 columns from 4 on of 132, and so those from 0 on when it is upside down."""
    keys = ["panel=sh1106-128x64", f"rotation={rotation}"]
    usual = await picture_of(lenker, tmp_path / "usual", a_ride, *keys)
    _, messages = await shown(lenker, tmp_path / "other", a_ride, *keys, f"column-offset={offset}")
    glass = Panel("sh1106-128x64", first_segment=4)
    for message in messages:
        glass.write(message)
    assert any(map(any, usual.rows)) and glass.picture() == usual.rows


@pytest.mark.parametrize(("rotation", "offset"), [(0, 96), (180, 32), (90, 96), (270, 32)])
async def test_central_behaviour_64_a_square_module_that_begins_elsewhere_shows_the_same(
    lenker, a_ride, tmp_path, rotation, offset
):
    """An SH1107 whose glass begins at COM output 96: its RAM has no more columns, so another line is the first."""
    keys = ["panel=sh1107-128x128", f"rotation={rotation}"]
    usual = await picture_of(lenker, tmp_path / "usual", a_ride, *keys)
    _, messages = await shown(lenker, tmp_path / "other", a_ride, *keys, f"column-offset={offset}")
    glass = Panel("sh1107-128x128", first_segment=96)
    for message in messages:
        glass.write(message)
    assert any(map(any, usual.rows)) and glass.picture() == usual.rows


async def test_a_square_panel_has_the_same_picture_on_its_edge(lenker, a_ride, tmp_path):
    keys = ["panel=sh1107-128x128"]
    level = await picture_of(lenker, tmp_path / "level", a_ride, *keys)
    on_edge = await picture_of(lenker, tmp_path / "edge", a_ride, *keys, "rotation=90")
    assert (level.width, level.height) == (128, 128) and any(map(any, level.rows))
    assert unturned(on_edge.rows) == level.rows


async def test_rotation_is_done_by_the_controller(lenker, a_ride, tmp_path):
    await picture_of(lenker, tmp_path / "frames", a_ride, "rotation=180")
    commands = set(read_trace(tmp_path / "i2c.trace")[0].data)
    assert {0xA0, 0xC0} <= commands and not {0xA1, 0xC8} & commands


def pair(data: bytes, command: int) -> int:
    """The byte that follows a command."""
    return data[data.index(command) + 1]


async def test_the_panel_is_set_up_dark_and_switched_on_last(lenker, tmp_path, closed_port):
    async with lenker(closed_port) as firmware:
        await firmware.log.wait_for("frame")
        first, *others = [message.data for message in read_trace(tmp_path / "i2c.trace")]
    assert first[:2] == b"\x00\xae"
    assert set(first) >= INITIALIZATION
    assert (pair(first, 0x8D), pair(first, 0x20), pair(first, 0xDA), pair(first, 0x81)) == (0x14, 0, 0x12, 207)
    assert 0xAF not in first
    on = next(number for number, data in enumerate(others) if data == b"\x00\xaf")
    # The whole RAM is written before: no noise is ever shown.
    assert sum(len(data) for data in others[:on]) >= 1024


async def test_the_contrast_of_the_board_file_is_set(lenker, tmp_path, closed_port):
    async with lenker(closed_port, "contrast=90") as firmware:
        await firmware.log.wait_for("frame")
        assert pair(read_trace(tmp_path / "i2c.trace")[0].data, 0x81) == 90


async def test_each_line_of_the_trace_is_a_message(lenker, a_ride, tmp_path):
    await picture_of(lenker, tmp_path / "frames", a_ride)
    text = (tmp_path / "i2c.trace").read_text("ascii")
    assert text.endswith("\n")
    assert all(LINE.fullmatch(line) for line in text.splitlines())


async def test_pictures_of_an_older_run_are_gone(lenker, tmp_path, closed_port):
    frames = tmp_path / "frames"
    frames.mkdir()
    (frames / "frame-000999.pbm").write_bytes(b"old")
    (frames / "notes.txt").write_bytes(b"the rider's own")
    async with lenker(closed_port, f"display=pbm:{frames}") as firmware:
        await firmware.log.wait_for("frame")
    assert not (frames / "frame-000999.pbm").exists()
    assert (frames / "notes.txt").read_bytes() == b"the rider's own"


async def test_without_its_panel_the_ride_goes_on_until_it_is_back(lenker, a_ride, tmp_path):
    obstacle = tmp_path / "obstacle"
    obstacle.write_text("a file where a folder should be")
    async with running_phone("--kind=android", "--ride", a_ride) as phone:
        async with lenker(phone.port, f"display=pbm:{obstacle}/frames") as firmware:
            error = await firmware.log.wait_for("error", source="i2c")
            assert error["message"].startswith(f"{obstacle}/frames: ")
            await wait_for_instructions(firmware.log, 4)
            assert firmware.log.named("frame") == []
            assert firmware.log.named("error") == [error]
            obstacle.unlink()
            await firmware.log.wait_for("frame", 30)
            assert any(map(any, read_picture(obstacle / "frames" / "latest.pbm").rows))

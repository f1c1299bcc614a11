"""Pictures for people: bitmaps and sheets as PNG, a ride as a GIF, and the strip of the README."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from lenker_bench.commands import gallery
from lenker_bench.phone.rides import OWN_RIDE, read_ride
from lenker_bench.programs.building import ride_in_virtual_time
from lenker_bench.programs.processes import PACKAGES, ROOT
from lenker_bench.view.animation import LARGEST, LAST, encoded, read_run, timed
from lenker_bench.view.panel import draw_panel
from lenker_bench.view.pbm import Picture, PictureError, parse

RIDE = [str(ROOT / ".build" / "debug" / "Rides"), "pictures"]  # made by `swift build`, and with the units
TEXT = b"P1\n# a comment\n3 2\n1 0 1\n0 1 0\n"


@pytest.mark.parametrize("data", [TEXT, b"P4\n3 2\n\xa0\x40", b"P1 3 2 101010", b"P4\n#c\n3\n2\n\xbf\x5f"])
def test_both_formats_give_the_same_picture(data):
    assert parse(data) == Picture(3, 2, ((1, 0, 1), (0, 1, 0)))


@pytest.mark.parametrize("data", [b"", b"P5\n1 1\n255\n0", b"P4\n3 2\n\xa0", b"P4\n0 2\n", b"P4\n9999 9999\n"])
def test_what_is_no_bitmap_is_refused(data):
    with pytest.raises(PictureError):
        parse(data)


def picture(*arguments: object) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "lenker_bench.commands.picture", *map(str, arguments)]
    return subprocess.run(command, cwd=PACKAGES, capture_output=True, text=True, check=False)


def test_a_png_has_light_pixels_on_a_dark_glass(tmp_path: Path):
    (tmp_path / "a.pbm").write_bytes(TEXT)
    assert picture(tmp_path / "a.pbm", "-o", tmp_path / "a.png", "--scale", 4).returncode == 0
    image = Image.open(tmp_path / "a.png").convert("L")
    edge = 4 * 4 + 3 * 4
    assert image.size == (3 * 4 + 2 * edge, 2 * 4 + 2 * edge)
    lit = [[image.getpixel((edge + x * 4 + 1, edge + y * 4 + 1)) > 128 for x in range(3)] for y in range(2)]
    assert lit == [[True, False, True], [False, True, False]]


def test_the_strip_is_that_of_the_expected_pictures_byte_for_byte():
    data = io.BytesIO()
    gallery.draw(gallery.STRIP).save(data, format="PNG", optimize=True)
    assert data.getvalue() == gallery.STRIP_FILE.read_bytes(), "Boards/bench/gallery --strip makes it"
    assert gallery.STRIP_FILE.name in (ROOT / "README.md").read_text()


def test_an_animation_has_each_picture_from_the_first_instruction_on_for_as_long_as_it_stayed(tmp_path: Path):
    lines = [{"t": 1.0, "event": "instruction"}]
    shown = [b"", b"101010", b"111111", b"111111", b"101010", b"000000"]
    for number, time in enumerate((0.1, 1.02, 1.5, 2.02, 9.0), 1):
        lines.append({"t": time, "event": "frame", "number": number})
        (tmp_path / f"frame-{number:06}.pbm").write_bytes(b"P1 3 2 " + shown[number])
    lines.sort(key=lambda event: event["t"])
    (tmp_path / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in lines))
    result = picture("--animate", tmp_path / "ride.gif", tmp_path, "--scale", 3)
    assert result.returncode == 0, result.stderr
    with Image.open(tmp_path / "ride.gif") as image:
        assert (image.n_frames, image.info["duration"], image.info["loop"]) == (2, 1000, 0)
        expected = draw_panel(Picture(3, 2, ((1, 1, 1), (1, 1, 1))), 3)
        assert ImageChops.difference(image.convert("RGBA"), expected).getbbox(alpha_only=False) is None
        image.seek(1)
        assert image.info["duration"] == LAST


def test_the_same_ride_makes_the_same_small_animation(tmp_path: Path):
    made = []
    for name in ("once", "again"):
        (folder := tmp_path / name).mkdir()
        ride_in_virtual_time(RIDE, read_ride(OWN_RIDE.with_name("lenker-short.csv")), [], folder)
        made.append(encoded(timed(read_run(folder), 2), 4, Path("ride.gif")))
    assert made[0] == made[1] and len(made[0]) < LARGEST / 2

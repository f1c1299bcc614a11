"""Pictures of the panel: reading bitmaps, drawing them in a terminal and as PNG."""

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from lenker_bench.programs.processes import PACKAGES
from lenker_bench.view.drawing import braille_lines, fitted, half_block_lines, panel_lines
from lenker_bench.view.look import Look
from lenker_bench.view.pbm import Picture, PictureError, parse, read_picture
from lenker_bench.view.sheet import PICTURES

TEXT = b"P1\n# a comment\n3 2\n1 0 1\n0 1 0\n"
BINARY = b"P4\n3 2\n\xa0\x40"
EXPECTED = Picture(3, 2, ((1, 0, 1), (0, 1, 0)))


@pytest.mark.parametrize("data", [TEXT, BINARY, b"P1 3 2 101010", b"P4\n#c\n3\n2\n\xbf\x5f"])
def test_both_formats_give_the_same_picture(data):
    assert parse(data) == EXPECTED


@pytest.mark.parametrize(
    "data", [b"", b"P5\n1 1\n255\n0", b"P4\n3 2\n\xa0", b"P1\n3 2\n1 0", b"P4\n0 2\n", b"P4\n9999 9999\n"]
)
def test_what_is_no_bitmap_is_refused(data):
    with pytest.raises(PictureError):
        parse(data)


def test_an_error_names_the_file(tmp_path):
    path = tmp_path / "broken.pbm"
    path.write_bytes(b"P4\n3")
    with pytest.raises(PictureError, match=r"broken\.pbm: not a P1 or P4"):
        read_picture(path)


def test_a_half_block_is_two_pixels():
    assert half_block_lines(Picture(4, 3, ((1, 0, 1, 0), (0, 1, 1, 0), (1, 1, 1, 1)))) == ["▀▄█ ", "▀▀▀▀"]


def test_a_braille_cell_is_eight_pixels():
    rows = ((1, 0), (0, 1), (1, 0), (0, 1), (1, 1))
    assert braille_lines(Picture(2, 5, rows)) == ["⢕", "⠉"]


def test_the_picture_is_as_large_as_fits():
    panel = Picture(128, 64, ((0,) * 128,) * 64)
    assert len(panel_lines(panel, 132, 34, Look())) == 34
    assert len(panel_lines(panel, 131, 34, Look())) == 18
    assert len(panel_lines(panel, 68, 18, Look())) == 18
    assert panel_lines(panel, 67, 18, Look()) == []


def test_text_from_outside_cannot_steer_a_terminal():
    assert fitted("a\x1b[2Jb\u202e\n", 20, Look()) == "a·[2Jb··"
    assert fitted("漢字漢字", 5, Look()) == "漢字"


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


def test_several_pictures_make_a_sheet(tmp_path: Path):
    (tmp_path / "a.pbm").write_bytes(TEXT)
    files = [tmp_path / "a.pbm"] * 3
    assert picture(*files, "-o", tmp_path / "a.png", "--scale", 1, "--columns", 2).returncode == 0
    assert Image.open(tmp_path / "a.png").size == (2 * 17 + 4, 2 * 16 + 4)


def test_a_sheet_of_expected_pictures_is_drawn_whole(tmp_path: Path):
    assert picture(PICTURES / "start.txt", "-o", tmp_path / "a.png", "--scale", 1, "--columns", 4).returncode == 0
    assert Image.open(tmp_path / "a.png").size == (4 * (128 + 14 + 4) - 4, 3 * (128 + 14 + 4) - 4)


def test_a_missing_picture_is_said_to_be_missing(tmp_path: Path):
    result = picture(tmp_path / "nothing.pbm", "-o", tmp_path / "a.png")
    assert result.returncode == 64
    assert result.stderr == f"picture: {tmp_path / 'nothing.pbm'}: No such file or directory\n"

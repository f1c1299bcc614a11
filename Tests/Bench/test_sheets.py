"""Sheets of expected pictures, read as the unit tests write them."""

import re
from pathlib import Path

import pytest

from lenker_bench.programs.processes import ROOT
from lenker_bench.view.drawing import half_block_lines
from lenker_bench.view.pbm import Picture, PictureError
from lenker_bench.view.sheet import PICTURES, expected_pictures, parse_sheet, read_sheet

WRITER = ROOT / "Tests" / "Units" / "GraphicsTests" / "PictureSheetTests.swift"
PANELS = ["128x64", "128x128", "128x32", "64x48", "72x40", "64x128", "32x128", "48x64", "40x72"]


def written() -> str:
    """What the writer writes of a sheet of two small pictures, as its own test says."""
    text = re.search(r'static let text = """\n(.*?)    """', WRITER.read_text(encoding="utf-8"), re.S)[1]
    return "".join(line.removeprefix("    ") for line in text.splitlines(keepends=True))


def test_a_sheet_is_read_as_the_pixels_that_the_writer_wrote():
    assert parse_sheet(written()) == {
        "4x3, en": Picture(4, 3, ((1, 0, 1, 0), (0, 1, 1, 0), (1, 0, 0, 1))),
        "2x2, de": Picture(2, 2, ((0, 1), (0, 1))),
    }


@pytest.mark.parametrize(
    ("part", "other", "line"),
    [
        ("# 4x3, en", "4x3, en", 1),
        ("# 4x3, en", "# 5x3, en", 1),
        ("# 4x3, en", "# 4x5, en", 1),
        ("│▀▄█ │", "│▀▄█│", 1),
        ("│▀▄█ │", "│▀▄█", 1),
        ("│▀▄█ │", "│▀▄█X│", 1),
        ("│▀  ▀│", "│▀  █│", 1),
        ("┌────┐", "┌───┐", 1),
        ("└────┘", "", 1),
        ("# 2x2, de", "# a note\n# 2x2, de", 7),
    ],
)
def test_what_is_no_sheet_is_refused_by_file_and_line(tmp_path: Path, part: str, other: str, line: int):
    path = tmp_path / "broken.txt"
    path.write_text(written().replace(part, other), encoding="utf-8")
    with pytest.raises(PictureError, match=rf"broken\.txt: line {line}: no heading"):
        read_sheet(path)


def test_a_sheet_that_is_missing_is_named(tmp_path: Path):
    with pytest.raises(PictureError, match=r"none\.txt: No such file"):
        read_sheet(tmp_path / "none.txt")


def test_a_screen_s_sheet_has_each_panel_lying_and_upright():
    pictures = expected_pictures("ready")
    assert [panel for panel, language in pictures if language == "en"] == PANELS
    assert {panel for panel, language in pictures if language != "en"} == {"128x64"}
    for (panel, _), picture in pictures.items():
        assert panel == f"{picture.width}x{picture.height}"


def test_the_characters_are_those_of_a_terminal_s_picture():
    text = (PICTURES / "alert.txt").read_text(encoding="utf-8")
    for picture in expected_pictures("alert").values():
        assert "\n".join(f"│{line}│" for line in half_block_lines(picture)) in text

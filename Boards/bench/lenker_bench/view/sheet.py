"""Sheets of expected pictures: text that can be read, as the unit tests write it.

Each picture stands below a line with its size and title, `# 128x64, en`, in a frame; a character is two pixels, one
above the other. `Tests/Support/TestSupport/PictureSheet.swift` writes them.
"""

import re
from pathlib import Path

from ..programs.processes import ROOT
from .drawing import HALF_BLOCKS
from .pbm import Picture, PictureError

PICTURES = ROOT / "Tests" / "Units" / "ScreensTests" / "Pictures"
HEADING = re.compile(r"# (\d{1,4})x(\d{1,4}), (.+)")


def expected_pictures(screen: str) -> dict[tuple[str, str], Picture]:
    """What a screen looks like by panel and language. Raises `PictureError` if its sheet cannot be read."""
    pictures = read_sheet(PICTURES / f"{screen}.txt")
    return {tuple(heading.split(", ")): picture for heading, picture in pictures.items()}


def expected_picture(screen: str, panel: str = "128x64") -> Picture:
    """What a screen looks like in English."""
    return expected_pictures(screen)[panel, "en"]


def read_sheet(path: Path) -> dict[str, Picture]:
    """All pictures of a sheet by their headings. Raises `PictureError` with the file's name and what is wrong."""
    try:
        return parse_sheet(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PictureError(f"{path}: {error.strerror}") from error
    except (PictureError, UnicodeDecodeError) as error:
        raise PictureError(f"{path}: {error}") from error


def parse_sheet(text: str) -> dict[str, Picture]:
    pictures: dict[str, Picture] = {}
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        if not lines[number]:
            number += 1
            continue
        heading = HEADING.fullmatch(lines[number])
        picture = None
        if heading:
            width, height = int(heading[1]), int(heading[2])
            end = number + 1 + (height + 1) // 2 + 2
            picture = _framed(lines[number + 1 : end], width, height)
        if not heading or picture is None:
            raise PictureError(f"line {number + 1}: no heading such as '# 128x64, en' with a picture of that size")
        pictures[heading[0][2:]] = picture
        number = end
    return pictures


def _framed(lines: list[str], width: int, height: int) -> Picture | None:
    """The picture in a frame of this size; nothing if it is none."""
    top, bottom = f"┌{'─' * width}┐", f"└{'─' * width}┘"
    if len(lines) != (height + 1) // 2 + 2 or lines[0] != top or lines[-1] != bottom:
        return None
    row = re.compile(f"│([{HALF_BLOCKS}]{{{width}}})│")
    cells = [row.fullmatch(line) for line in lines[1:-1]]
    if not all(cells):
        return None
    values = [[HALF_BLOCKS.index(character) for character in line[1]] for line in cells]
    rows = [tuple(value >> half & 1 for value in line) for line in values for half in (0, 1)]
    if any(any(row) for row in rows[height:]):
        return None
    return Picture(width, height, tuple(rows[:height]))

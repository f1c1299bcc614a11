"""The panel as characters: half blocks where the window is wide enough, else braille; punctuation in ASCII."""

import unicodedata
from collections.abc import Callable

from wcwidth import wcswidth

from .pbm import Picture
from .terminal import Look

LIT, DARK, BEZEL = "\x1b[38;2;170;225;255m", "\x1b[48;2;6;9;16m", "\x1b[38;2;70;76;88m"
PLAIN = "\x1b[0m"

HALF_BLOCKS = " ▀▄█"  # by upper pixel + 2 × lower pixel
HALF_BLOCKS_IN_ASCII = " '.:"
# Bits of the eight dots of a braille cell (Unicode block U+2800), by row and column.
BRAILLE_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))

# Controls, direction marks, lone surrogates, line and paragraph ends (Unicode general categories).
STEERING = {"Cc", "Cf", "Cs", "Zl", "Zp"}

FRAME_COLUMNS, FRAME_ROWS = 4, 2


def half_block_lines(picture: Picture, characters: str = HALF_BLOCKS) -> list[str]:
    """One character for two pixels, one above the other."""
    lines = []
    for y in range(0, picture.height, 2):
        upper = picture.rows[y]
        lower = picture.rows[y + 1] if y + 1 < picture.height else (0,) * picture.width
        lines.append("".join(characters[top + 2 * bottom] for top, bottom in zip(upper, lower, strict=True)))
    return lines


def braille_lines(picture: Picture) -> list[str]:
    """One character for two by four pixels."""
    lines = []
    for top in range(0, picture.height, 4):
        cells = [0x2800] * ((picture.width + 1) // 2)
        for y, row in enumerate(picture.rows[top : top + 4]):
            for x, pixel in enumerate(row):
                if pixel:
                    cells[x // 2] += BRAILLE_DOTS[y][x % 2]
        lines.append("".join(map(chr, cells)))
    return lines


def ascii_lines(picture: Picture) -> list[str]:
    """One character for two pixels, for a terminal without blocks."""
    return half_block_lines(picture, HALF_BLOCKS_IN_ASCII)


def _drawings(look: Look) -> list[Callable[[Picture], list[str]]]:
    """The ways to draw on such a terminal, the largest first."""
    return [half_block_lines, braille_lines] if look.has_blocks else [ascii_lines]


def panel_lines(picture: Picture, columns: int, rows: int, look: Look) -> list[str]:
    """The picture in its bezel, as large as fits; no line at all when not even the smallest drawing fits."""
    for draw in _drawings(look):
        lines = draw(picture)
        if len(lines[0]) + FRAME_COLUMNS <= columns and len(lines) + FRAME_ROWS <= rows:
            return _framed(lines, look)
    return []


def smallest_size(picture: Picture, look: Look) -> tuple[int, int]:
    """The fewest columns and rows that the picture in its bezel needs."""
    lines = _drawings(look)[-1](picture)
    return len(lines[0]) + FRAME_COLUMNS, len(lines) + FRAME_ROWS


def _framed(lines: list[str], look: Look) -> list[str]:
    across, down, corners = ("─", "│", "╭╮╰╯") if look.has_blocks else ("-", "|", "++++")
    bezel, glass, plain = (BEZEL, DARK + LIT, PLAIN) if look.is_coloured else ("", "", "")
    edge = across * (len(lines[0]) + 2)
    inside = [f"{bezel}{down}{glass} {line} {plain}{bezel}{down}{plain}" for line in lines]
    top, bottom = (f"{bezel}{left}{edge}{right}{plain}" for left, right in (corners[:2], corners[2:]))
    return [top, *inside, bottom]


def fitted(text: str, columns: int, look: Look) -> str:
    """One line of text from outside, harmless to a terminal, in its letters, and not wider than the columns."""
    harmless = "".join("·" if unicodedata.category(character) in STEERING else character for character in text)
    shown = look.written(harmless)
    while wcswidth(shown) > columns:
        shown = shown[:-1]
    return shown

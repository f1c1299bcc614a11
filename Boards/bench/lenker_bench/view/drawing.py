"""The panel as characters: half blocks where the terminal is wide enough, else braille."""

import unicodedata

from wcwidth import wcswidth

from .pbm import Picture

LIT, DARK, BEZEL = "\x1b[38;2;170;225;255m", "\x1b[48;2;6;9;16m", "\x1b[38;2;70;76;88m"
PLAIN = "\x1b[0m"

HALF_BLOCKS = " ▀▄█"  # by upper pixel + 2 × lower pixel
# Bits of the eight dots of a braille cell (Unicode block U+2800), by row and column.
BRAILLE_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))

# Controls, direction marks, lone surrogates, line and paragraph ends (Unicode general categories).
STEERING = {"Cc", "Cf", "Cs", "Zl", "Zp"}

FRAME_COLUMNS, FRAME_ROWS = 4, 2


def half_block_lines(picture: Picture) -> list[str]:
    """One character for two pixels, one above the other."""
    lines = []
    for y in range(0, picture.height, 2):
        upper = picture.rows[y]
        lower = picture.rows[y + 1] if y + 1 < picture.height else (0,) * picture.width
        lines.append("".join(HALF_BLOCKS[top + 2 * bottom] for top, bottom in zip(upper, lower, strict=True)))
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


def panel_lines(picture: Picture, columns: int, rows: int) -> list[str]:
    """The picture in its bezel, as large as fits; no line at all when even braille does not fit."""
    for lines in (half_block_lines(picture), braille_lines(picture)):
        width = len(lines[0])
        if width + FRAME_COLUMNS <= columns and len(lines) + FRAME_ROWS <= rows:
            return _framed(lines, width)
    return []


def _framed(lines: list[str], width: int) -> list[str]:
    edge = "─" * (width + 2)
    inside = [f"{BEZEL}│{DARK}{LIT} {line} {PLAIN}{BEZEL}│{PLAIN}" for line in lines]
    return [f"{BEZEL}╭{edge}╮{PLAIN}", *inside, f"{BEZEL}╰{edge}╯{PLAIN}"]


def fitted(text: str, columns: int) -> str:
    """One line of text from outside, harmless to a terminal and not wider than the columns."""
    harmless = "".join("·" if unicodedata.category(character) in STEERING else character for character in text)
    while wcswidth(harmless) > columns:
        harmless = harmless[:-1]
    return harmless

"""Command line of the picture maker: what the panel showed, as a PNG that looks like the panel."""

import argparse
import sys
from pathlib import Path

from PIL import Image, ImageDraw

from ..view.pbm import Picture, PictureError, read_picture
from .options import EXIT_USAGE, Parser

LIT, DARK, GLASS, BEZEL = (176, 226, 255), (13, 17, 24), (6, 8, 12), (38, 42, 50)
LARGEST_SCALE = 32


def scale(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= LARGEST_SCALE:
        raise argparse.ArgumentTypeError(f"'{text}' is not from 1 to {LARGEST_SCALE}")
    return int(text)


def draw_panel(picture: Picture, scale: int) -> Image.Image:
    """One panel in its bezel; at a scale of 3 or more, the dark grid between the pixels shows."""
    glass, bezel = 3 * scale, 4 * scale
    gap = 1 if scale >= 3 else 0
    edge = glass + bezel
    size = picture.width * scale + 2 * edge, picture.height * scale + 2 * edge
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), radius=bezel, fill=BEZEL)
    draw.rectangle((bezel, bezel, size[0] - bezel - 1, size[1] - bezel - 1), fill=GLASS)
    for y, row in enumerate(picture.rows):
        for x, pixel in enumerate(row):
            left, top = edge + x * scale, edge + y * scale
            draw.rectangle((left, top, left + scale - 1 - gap, top + scale - 1 - gap), fill=LIT if pixel else DARK)
    return image


def arrange(panels: list[Image.Image], columns: int, gap: int) -> Image.Image:
    """All panels on one sheet, in rows of this many."""
    columns = min(columns, len(panels))
    width, height = max(panel.width for panel in panels), max(panel.height for panel in panels)
    rows = -(-len(panels) // columns)
    sheet = Image.new("RGBA", (columns * (width + gap) - gap, rows * (height + gap) - gap), (0, 0, 0, 0))
    for number, panel in enumerate(panels):
        sheet.paste(panel, (number % columns * (width + gap), number // columns * (height + gap)))
    return sheet


def main() -> int:
    parser = Parser(prog="picture", description="Portable bitmaps as one PNG with the look of the panel.")
    parser.add_argument("files", metavar="FILE.pbm", nargs="+", type=Path)
    parser.add_argument("-o", "--output", metavar="OUT.png", type=Path, required=True)
    parser.add_argument("--scale", metavar="N", type=scale, default=4, help="image pixels a pixel (default: 4)")
    parser.add_argument("--columns", metavar="N", type=scale, default=3, help="panels a row (default: 3)")
    options = parser.parse_args()
    try:
        panels = [draw_panel(read_picture(path), options.scale) for path in options.files]
        arrange(panels, options.columns, 4 * options.scale).save(options.output, format="PNG", optimize=True)
    except PictureError as error:
        print(f"picture: {error}", file=sys.stderr)
        return EXIT_USAGE
    except OSError as error:
        print(f"picture: {options.output}: {error.strerror}", file=sys.stderr)
        return EXIT_USAGE
    return 0


if __name__ == "__main__":
    sys.exit(main())

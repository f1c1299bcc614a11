"""The panel as an image with its own look, in a bezel: for sheets of pictures and for animations."""

import functools

from PIL import Image, ImageDraw

from .pbm import Picture

# The colours by their index in an image.
CORNER, BEZEL, GLASS, DARK, LIT = range(5)
PALETTE = ((0, 0, 0), (38, 42, 50), (6, 8, 12), (13, 17, 24), (176, 226, 255))  # that of a corner is not seen
SMALLEST_SCALE_WITH_GRID = 3


def indexed_panel(picture: Picture, scale: int) -> Image.Image:
    """One panel in its bezel, by the indices of its colours; at a scale of 3 or more, the grid between pixels shows."""
    image = _dark(picture.width, picture.height, scale).copy()
    pixels = Image.frombytes(
        "P", (picture.width, picture.height), bytes(LIT if pixel else DARK for row in picture.rows for pixel in row)
    )
    enlarged = pixels.resize((picture.width * scale, picture.height * scale), Image.Resampling.NEAREST)
    edge = 7 * scale
    image.paste(enlarged, (edge, edge), _grid(picture.width, picture.height, scale))
    return image


def draw_panel(picture: Picture, scale: int) -> Image.Image:
    """The same in true colours, with transparent corners."""
    image = indexed_panel(picture, scale)
    image.info["transparency"] = CORNER
    return image.convert("RGBA")


@functools.cache
def _dark(width: int, height: int, scale: int) -> Image.Image:
    """Bezel and glass."""
    glass, bezel = 3 * scale, 4 * scale
    size = width * scale + 2 * (glass + bezel), height * scale + 2 * (glass + bezel)
    image = Image.new("P", size, CORNER)
    image.putpalette([channel for colour in PALETTE for channel in colour])
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), radius=bezel, fill=BEZEL)
    draw.rectangle((bezel, bezel, size[0] - bezel - 1, size[1] - bezel - 1), fill=GLASS)
    return image


@functools.cache
def _grid(width: int, height: int, scale: int) -> Image.Image:
    """Where pixels are, and not the gaps between them."""
    mask = Image.new("L", (width * scale, height * scale), 255)
    if scale >= SMALLEST_SCALE_WITH_GRID:
        draw = ImageDraw.Draw(mask)
        for x in range(scale - 1, mask.width, scale):
            draw.line((x, 0, x, mask.height), fill=0)
        for y in range(scale - 1, mask.height, scale):
            draw.line((0, y, mask.width, y), fill=0)
    return mask

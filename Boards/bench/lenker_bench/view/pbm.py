"""Portable bitmaps: P1 (text) and P4 (binary), read into rows of pixels."""

import re
from dataclasses import dataclass
from pathlib import Path

LARGEST_SIDE = 4096


class PictureError(Exception):
    """A file that is not a portable bitmap."""


@dataclass(frozen=True)
class Picture:
    """`rows[y][x]` is 1 where the pixel is lit."""

    width: int
    height: int
    rows: tuple[tuple[int, ...], ...]


def read_picture(path: Path) -> Picture:
    """Reads a picture. Raises `PictureError` with the file's name and what is wrong."""
    try:
        return parse(path.read_bytes())
    except OSError as error:
        raise PictureError(f"{path}: {error.strerror}") from error
    except PictureError as error:
        raise PictureError(f"{path}: {error}") from error


def parse(data: bytes) -> Picture:
    """One picture of either format; comments run from `#` to the end of their line."""
    header = re.match(rb"P([14])" + rb"(?:\s|#[^\n]*\n)+(\d{1,5})" * 2, data)
    if not header:
        raise PictureError("not a P1 or P4 portable bitmap")
    width, height = int(header[2]), int(header[3])
    if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
        raise PictureError(f"a picture of {width} by {height} pixels")
    body = data[header.end() :]
    pixels = _text_pixels(body) if header[1] == b"1" else _binary_pixels(body, width, height)
    if len(pixels) < width * height:
        raise PictureError(f"{len(pixels)} pixels instead of {width * height}")
    return Picture(width, height, tuple(tuple(pixels[y * width : (y + 1) * width]) for y in range(height)))


def _text_pixels(body: bytes) -> list[int]:
    return [byte - 0x30 for byte in re.sub(rb"#[^\n]*|\s", b"", body) if byte in b"01"]


def _binary_pixels(body: bytes, width: int, height: int) -> list[int]:
    stride = (width + 7) // 8
    packed = body[1 : 1 + stride * height]  # after one white space
    return [packed[y * stride + x // 8] >> (7 - x % 8) & 1 for y in range(len(packed) // stride) for x in range(width)]

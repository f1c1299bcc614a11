"""Updates of the card: the file that guard looks for, as update.c reads it, and the zip that it comes in."""

import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from card import Card

FILE = "lenker-update.bin"
NEW_BOARD = "board.conf.new"
OWN_PROGRAM, UPDATED_PROGRAM = "/bin/lenker", "/run/lenker"
"""Where the image's own lenker runs, and that of an update."""
MAGIC = b"\x89UPDATE\n"
HEADER = struct.Struct("<8sI16s32sII")
HEADER_SIZE = HEADER.size + 4
NOT_WHOLE = f"{FILE} is not whole and was not started. "
COPY_AGAIN = "Delete it, see that 5 MB are free on this drive, unzip it again, and eject the drive."


def update(program: bytes, version: str, board: str = "pi-zero-w", layout: int = 1, magic: bytes = MAGIC) -> bytes:
    header = HEADER.pack(magic, layout, board.encode(), version.encode(), number(version), len(program))
    return header + struct.pack("<I", zlib.crc32(header + program)) + program


def number(version: str) -> int:
    """One that grows with each version, and is smaller before its release."""
    release, _, before = version.partition("-")
    first, second, third = map(int, release.split("."))
    return ((first * 1000 + second) * 1000 + third) * 2 + (not before)


def zip_of(image: Path) -> Path:
    """The one that was made with an image."""
    (path,) = image.parent.glob("lenker-*-update.zip")
    return path


def contents(image: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(zip_of(image)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def unzip(card: Card, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        card.write(name, content)

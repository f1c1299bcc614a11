"""The card image of the Pi Zero W: its partitions, the files on them, and what a first file system is made of."""

import gzip
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from lenker_bench.programs.processes import ROOT

IMAGE = ROOT / "Boards" / "pi-zero-w" / "image"
SECTOR = 512
BLOCK = 4 << 20  # bytes of flash that are erased at once
CARD_SIZE = 64 << 20
ERROR_SIZE = 1024


@dataclass(frozen=True)
class Partition:
    """An entry of the master boot record, in bytes."""

    kind: int
    start: int
    size: int


@dataclass(frozen=True)
class Entry:
    """A file of the first file system."""

    path: str
    mode: int
    owner: tuple[int, int]
    time: int
    content: bytes


@dataclass(frozen=True)
class FileTimes:
    """When a file of a FAT was made, used and written, as the FAT has it."""

    name: bytes
    made: tuple[int, int, int]
    used: int
    written: tuple[int, int]


def make_image(path: Path, *firmware: str, environment: Mapping[str, str] = MappingProxyType({})) -> None:
    """Writes the image to a file, with this firmware or one that is built for it."""
    subprocess.run([IMAGE, path, *firmware], check=True, env=os.environ | dict(environment), stdout=subprocess.DEVNULL)


def partitions(image: Path) -> list[Partition]:
    """Those that are there, of the four that there is room for."""
    with image.open("rb") as file:
        record = file.read(SECTOR)
    assert record[510:] == b"\x55\xaa"
    entries = (struct.unpack_from("<4xB3xII", record, 446 + 16 * number) for number in range(4))
    return [Partition(kind, start * SECTOR, count * SECTOR) for kind, start, count in entries if kind]


class Card:
    """A card image whose first partition is read and written."""

    def __init__(self, image: Path) -> None:
        self.image = image
        self.drive = f"file={image}"
        """How QEMU reaches it."""
        self.descriptors: list[int] = []
        """Open files that it needs for that."""
        self._drive = f"{image}@@{partitions(image)[0].start}"

    def read(self, name: str) -> bytes:
        return subprocess.run(["mtype", "-i", self._drive, f"::{name}"], check=True, capture_output=True).stdout

    def names(self) -> list[str]:
        listing = subprocess.run(["mdir", "-b", "-i", self._drive, "::"], check=True, capture_output=True, text=True)
        return [line.removeprefix("::/") for line in listing.stdout.splitlines()]

    def write(self, name: str, content: bytes) -> None:
        subprocess.run(["mcopy", "-o", "-i", self._drive, "-", f"::{name}"], input=content, check=True)

    def error(self) -> tuple[list[str], int]:
        """The lines that were left there for a person, without those that only fill the file, and their number."""
        content = self.read("lenker-error.txt")
        assert len(content) == ERROR_SIZE
        *lines, entry = content.decode().rstrip("\n").splitlines()
        return lines, int(re.fullmatch(r"Entry number (\d+) of this card\.", entry)[1])

    def place(self, name: str) -> int:
        """Where on the card the file begins."""
        command = ["mshowfat", "-i", self._drive, f"::{name}"]
        clusters = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        first = int(re.search(r"<(\d+)", clusters)[1])
        fat = partitions(self.image)[0].start
        with self.image.open("rb") as file:
            file.seek(fat)
            parameters = struct.unpack_from("<HBHBHHBH", file.read(SECTOR), 11)
        size, per_cluster, reserved, fats, entries, _, _, sectors = parameters
        return fat + (reserved + fats * sectors + (first - 2) * per_cluster) * size + 32 * entries

    def clusters(self, name: str) -> list[int]:
        """The clusters of the file, in its order."""
        command = ["mshowfat", "-i", self._drive, f"::{name}"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        spans = re.findall(r"<(\d+)(?:-(\d+))?>", text)
        return [number for first, last in spans for number in range(int(first), int(last or first) + 1)]

    def delete(self, name: str) -> None:
        subprocess.run(["mdel", "-i", self._drive, f"::{name}"], check=True)

    def sectors(self) -> list[bytes]:
        """All of the card."""
        data = self.image.read_bytes()
        return [data[offset : offset + SECTOR] for offset in range(0, len(data), SECTOR)]

    def times(self) -> Iterator[FileTimes]:
        """Those of each file and of the volume's label, from the FAT's own folder."""
        data = self.image.read_bytes()[partitions(self.image)[0].start :]
        size, _, reserved, fats, entries, _, _, sectors = struct.unpack_from("<HBHBHHBH", data, 11)
        folder = (reserved + fats * sectors) * size
        for offset in range(folder, folder + 32 * entries, 32):
            name, attributes, tenths, *made_and_used, time, date = struct.unpack_from("<11sBxBHHH2xHH", data, offset)
            if name[0] not in (0, 0xE5) and attributes != 0x0F:
                yield FileTimes(name, (tenths, *made_and_used[:2]), made_and_used[2], (time, date))


def entries_of(archive: bytes) -> Iterator[Entry]:
    """Reads what `initramfs.Archive` writes, compressed."""
    data, offset = gzip.decompress(archive), 0
    while True:
        assert data[offset : offset + 6] == b"070701"
        fields = [int(data[offset + 6 + 8 * number : offset + 14 + 8 * number], 16) for number in range(13)]
        _, mode, user, group, _, time, size, *_, name_size, _ = fields
        start = offset + 110 + name_size
        path = data[offset + 110 : start - 1].decode()
        start += -start % 4
        if path == "TRAILER!!!":
            return
        yield Entry(path, mode, (user, group), time, data[start : start + size])
        offset = start + size + -size % 4


def copy_of(image: Path, path: Path) -> Card:
    """A card of its own, with room behind the image: an emulated Pi takes only one whose size is a power of two."""
    shutil.copyfile(image, path)
    os.truncate(path, CARD_SIZE)
    return Card(path)

"""Sensors in the firmware's store, as the tables of its records have them."""

import re
import struct
import zlib
from pathlib import Path

VERSION = Path(__file__).resolve().parents[3] / "Sources" / "Version" / "Version.swift"
MAGIC = b"\x89LKBOND\n"
SIZE = 512
TOLD = 99
"""Where the version is that the rider was told last."""
PLACES = slice(284, 508)
"""Of the four sensors, a place of 56 bytes each."""


def sensor(kind: int, name: str) -> bytes:
    """A place with a sensor that has a static random address and two handles."""
    address = bytes([kind, 0, 0, 0, 0, 0xD0])
    return struct.pack("<BB6sHHB20s23x", 1, 1, address, 16 + kind, 17 + kind, len(name), name.encode())


SENSORS = b"".join(sensor(kind, name) for kind, name in enumerate(("H10 4F2A", "Speed", "Assioma", "RTL515")))


def told_version() -> bytes:
    """That of these sources: a program of them has no update to tell, and writes nothing for it."""
    *numbers, end = re.search(r'"(\d+)\.(\d+)\.(\d+)(-dev)?"', VERSION.read_text()).groups()
    return bytes([*map(int, numbers), 2 if end else 1])


def record_with_sensors(sequence: int) -> bytes:
    """A half of the store in which no phone is remembered, but these sensors are."""
    return _record(struct.pack("<BBHI", 2, 2, 0, sequence), SENSORS)


def _record(content: bytes, places: bytes) -> bytes:
    record = ((MAGIC + content).ljust(TOLD, b"\0") + told_version()).ljust(PLACES.start, b"\0") + places
    return record + struct.pack("<I", zlib.crc32(record))


def _number(half: bytes) -> int | None:
    """The sequence number of a whole record; nothing of any other bytes."""
    record, (checksum,) = half[: SIZE - 4], struct.unpack("<I", half[SIZE - 4 : SIZE])
    is_whole = record.startswith(MAGIC) and zlib.crc32(record) == checksum
    return struct.unpack_from("<I", record, 12)[0] if is_whole else None


def sensors_that_count(*halves: bytes) -> bytes:
    """The places in the newest of the records that are whole; nothing if none is."""
    numbers = [(number, half) for half in halves if (number := _number(half)) is not None]
    return max(numbers)[1][PLACES] if numbers else b""


def next_is_damaged(*halves: bytes) -> bool:
    """Whether the half that the next record goes to has bytes that are no record, whose checksum is spoilt first."""
    numbers = [_number(half) for half in halves]
    whole = [number for number in numbers if number is not None]
    following = 1 - numbers.index(max(whole)) if whole else 0
    return numbers[following] is None and set(halves[following][:SIZE]) not in ({0x00}, {0xFF})

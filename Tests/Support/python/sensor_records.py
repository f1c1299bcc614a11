"""Sensors in the firmware's store, as the tables of its records have them."""

import struct
import zlib

MAGIC = b"\x89LKBOND\n"
SIZE = 512
PLACES = slice(284, 508)
"""Of the four sensors, a place of 56 bytes each."""


def sensor(kind: int, name: str) -> bytes:
    """A place with a sensor that has a static random address and two handles."""
    address = bytes([kind, 0, 0, 0, 0, 0xD0])
    return struct.pack("<BB6sHHB20s23x", 1, 1, address, 16 + kind, 17 + kind, len(name), name.encode())


SENSORS = b"".join(sensor(kind, name) for kind, name in enumerate(("H10 4F2A", "Speed", "Assioma", "RTL515")))


def record_with_sensors(sequence: int) -> bytes:
    """A half of the store in which no phone is remembered, but these sensors are."""
    return _record(struct.pack("<BBHI", 2, 2, 0, sequence), SENSORS)


def _record(content: bytes, places: bytes) -> bytes:
    record = (MAGIC + content).ljust(PLACES.start, b"\0") + places
    return record + struct.pack("<I", zlib.crc32(record))


def sensors_that_count(*halves: bytes) -> bytes:
    """The places in the newest of the records that are whole; nothing if none is."""
    newest = (-1, b"")
    for half in halves:
        record, (checksum,) = half[: SIZE - 4], struct.unpack("<I", half[SIZE - 4 : SIZE])
        if record.startswith(MAGIC) and zlib.crc32(record) == checksum:
            newest = max(newest, (struct.unpack_from("<I", record, 12)[0], record[PLACES]))
    return newest[1]

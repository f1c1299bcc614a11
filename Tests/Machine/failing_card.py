"""A card that asks before each write; a plugin of nbdkit, which `power.FailingCard` starts.

Its settings: `image`, the card's file, and `writes`, the number of an open socket. That gets the place and the size of
a write (u64, u32, big-endian) and its bytes, does what it likes with them, and answers with a byte. One that does not
answer has no current any more.
"""

import os
import socket
import struct

API_VERSION = 2

settings: dict[str, str] = {}


def config(key: str, value: str) -> None:
    settings[key] = value


def open(readonly: bool) -> tuple[int, socket.socket]:
    """The one client that there is."""
    return os.open(settings["image"], os.O_RDONLY), socket.socket(fileno=int(settings["writes"]))


def get_size(handle: tuple[int, socket.socket]) -> int:
    return os.fstat(handle[0]).st_size


def pread(handle: tuple[int, socket.socket], buffer: bytearray, offset: int, flags: int) -> None:
    buffer[:] = os.pread(handle[0], len(buffer), offset)


def pwrite(handle: tuple[int, socket.socket], buffer: bytearray, offset: int, flags: int) -> None:
    handle[1].sendall(struct.pack(">QI", offset, len(buffer)) + buffer)
    if not handle[1].recv(1):
        os._exit(0)


def flush(handle: tuple[int, socket.socket], flags: int) -> None:
    """What was written is there."""

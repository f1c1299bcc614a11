"""komoot's navigation service: identifiers, the value, and how advertisements name it."""

import struct

from bumble.core import UUID

from .rides import Step

SERVICE = UUID("71C1E128-D92F-4FA8-A2B2-0F171DB3436C")
CHARACTERISTIC = UUID("503DD605-9BCB-4F6E-B235-270A57483026")

MAXIMUM_VALUE = 512  # Core Specification, Vol 3, Part F, 3.2.9
ROOMS_AT_SMALLEST_MTU = (20, 22)  # of a notification, of the answer to a read


def encode(identifier: int, step: Step) -> bytes:
    """The characteristic's value, at most 512 bytes; the street is cut there, even within a letter."""
    head = struct.pack("<IBI", identifier, step.direction, step.distance)
    return (head + step.street.encode("utf-8"))[:MAXIMUM_VALUE]


def may_be_cut(part: bytes, room: int) -> bool:
    """Whether a careful central reads on behind this part: it fills its room, or the one that an app may assume."""
    return len(part) >= room or len(part) in ROOMS_AT_SMALLEST_MTU


def overflow_bit(uuid: UUID) -> int:
    """The bit that stands for a service in a background iPhone's overflow area, 0 to 127.

    CRC-8 with polynomial 0x09 and initial value 0x15 over the 128-bit UUID in text order, seven bits of it.
    """
    remainder = 0x15
    for byte in reversed(uuid.to_bytes(force_128=True)):
        remainder ^= byte
        for _ in range(8):
            remainder = (remainder << 1 ^ 0x09) & 0xFF if remainder & 0x80 else remainder << 1
    return remainder & 0x7F


def overflow_mask(*bits: int) -> bytes:
    """The overflow area's sixteen bytes with the given bits set."""
    mask = bytearray(16)
    for bit in bits:
        mask[bit // 8] |= 0x80 >> (bit % 8)
    return bytes(mask)

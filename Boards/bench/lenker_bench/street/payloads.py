"""The kinds of devices in a street, from `payloads.txt`, which says where each was seen."""

import random
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..wire.advertising import ReportType

FILE = Path(__file__).with_suffix(".txt")
LONGEST = 31  # bytes; Core Specification, Vol 6, Part B, 2.3.1
NOTHING = "-"
DRAWN = ".."
COLUMNS = 9
PDUS = {"ind": ReportType.ADV_IND, "scan": ReportType.ADV_SCAN_IND, "nonconn": ReportType.ADV_NONCONN_IND}
# The two most significant bits of a random address; Vol 6, Part B, 1.3.2.
RANDOM_ADDRESSES = {"nonresolvable": 0b00, "resolvable": 0b01, "static": 0b11}
PUBLIC_ADDRESS = re.compile(r"public:([0-9A-F]{6})")


@dataclass(frozen=True)
class Template:
    """Advertising data, some of whose bytes are drawn."""

    known: bytes
    drawn: tuple[int, ...]

    @staticmethod
    def parsed(text: str) -> "Template":
        """Raises `ValueError`."""
        digits = "" if text == NOTHING else text
        known = bytes.fromhex(digits.replace(DRAWN, "00"))
        if len(known) > LONGEST:
            raise ValueError(f"{len(known)} bytes")
        return Template(known, tuple(n for n in range(len(known)) if digits[2 * n : 2 * n + 2] == DRAWN))

    def filled(self, random_source: random.Random) -> bytes:
        if not self.drawn:
            return self.known
        data = bytearray(self.known)
        for index in self.drawn:
            data[index] = random_source.randrange(256)
        return bytes(data)


@dataclass(frozen=True)
class Payload:
    """One kind of device: what it advertises, and how often."""

    name: str
    pdu: ReportType
    address: str
    """One of `RANDOM_ADDRESSES`, or the maker's six digits of a public one."""
    interval: float
    """In seconds."""
    lifetime: float | None
    """How many seconds an address stays; none: for ever."""
    share: int
    data: Template
    scan_response: Template

    def new_address(self, random_source: random.Random) -> tuple[bytes, bool]:
        """Six bytes, the least significant first, and whether it is a public one."""
        drawn = bytearray(random_source.randbytes(6))
        if self.address not in RANDOM_ADDRESSES:
            drawn[3:] = bytes.fromhex(self.address)[::-1]
            return bytes(drawn), True
        drawn[5] = drawn[5] & 0x3F | RANDOM_ADDRESSES[self.address] << 6
        return bytes(drawn), False


def parsed(line: str) -> Payload:
    """One line of the file. Raises `ValueError`."""
    columns = line.split(maxsplit=COLUMNS - 1)
    if len(columns) != COLUMNS:
        raise ValueError(f"{len(columns)} columns instead of {COLUMNS}")
    name, pdu, address, interval, lifetime, share, data, scan_response, _source = columns
    public = PUBLIC_ADDRESS.fullmatch(address)
    if not public and address not in RANDOM_ADDRESSES:
        raise ValueError(f"no address: {address}")
    return Payload(
        name,
        PDUS[pdu],
        public[1] if public else address,
        float(interval) / 1000,
        None if lifetime == NOTHING else float(lifetime),
        int(share),
        Template.parsed(data),
        Template.parsed(scan_response),
    )


@cache
def payloads() -> tuple[Payload, ...]:
    """All that the file has."""
    lines = FILE.read_text("utf-8").splitlines()
    return tuple(parsed(line) for line in lines if line and not line.startswith("#"))

"""The kinds of devices in a street, from `payloads.txt`, which says where each was seen."""

import random
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bumble import hci

from ..wire.advertising import FADING, Advertisement, ReportType

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


NEAREST, FARTHEST = -40.0, -100.0  # dBm; who is heard weaker has gone
AROUND = -95.0, -50.0  # where the devices of a street are heard at first
ARRIVING = -95.0, -85.0  # where one that comes is heard at first
WALK = 2.0  # dB; the standard deviation after a second


class Sender(Advertisement):
    """One that sends every `interval` seconds, and is connected to by nobody.

    `wanted` has the addresses that somebody wanted to connect to.
    """

    def __init__(self, pdu: ReportType, interval: float, random_source: random.Random) -> None:
        self.kind = pdu
        self.interval = interval
        self.data = self.scan_response = b""
        self.wanted: set[str] = set()
        self._random = random_source

    def prepare(self, now: float) -> bool:
        """Its time has come: whether it sends."""
        raise NotImplementedError

    def accepts_link(self) -> bool:
        self.wanted.add(self.advertiser_address.to_string(False))
        return False


class Passer(Sender):
    """A device of the street, of a kind that a capture had: its signal walks, its address changes.

    A sender that is too weak has gone, and another one comes.
    """

    def __init__(self, payload: Payload, random_source: random.Random) -> None:
        super().__init__(payload.pdu, payload.interval, random_source)
        self.payload = payload
        self._level = random_source.uniform(*AROUND)
        self._moved: float | None = None
        self._expires: float | None = None
        self._renew()

    def prepare(self, now: float) -> bool:
        if self._moved is None:
            self._begin(now)
        self._move(now - self._moved)
        self._moved = now
        if self._level < FARTHEST:
            self._level = self._random.uniform(*ARRIVING)
            self._renew()
        elif self._expires is not None and now >= self._expires:
            self._expires = now + self.payload.lifetime
            self._renew()
        return True

    def strength(self, random_source: random.Random) -> float:
        # Its own random numbers: all else is the same with a street and without.
        return self._random.gauss(self._level, FADING)

    def _begin(self, now: float) -> None:
        self._moved = now
        if self.payload.lifetime is not None:
            # Its address is not new at this moment.
            self._expires = now + self._random.uniform(0, self.payload.lifetime)

    def _move(self, seconds: float) -> None:
        self._level += self._random.gauss(0, WALK * seconds**0.5)
        if self._level > NEAREST:
            self._level = 2 * NEAREST - self._level

    def _renew(self) -> None:
        address, is_public = self.payload.new_address(self._random)
        kind = hci.Address.PUBLIC_DEVICE_ADDRESS if is_public else hci.Address.RANDOM_DEVICE_ADDRESS
        self.advertiser_address = hci.Address(address, kind)
        self.data = self.payload.data.filled(self._random)
        self.scan_response = self.payload.scan_response.filled(self._random)

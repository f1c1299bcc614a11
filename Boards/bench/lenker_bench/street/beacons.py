"""Beacons: an iBeacon that is heard as strong as its signal says."""

import random
import re
import uuid
from dataclasses import dataclass

from bumble import hci

from ..wire.advertising import ReportType
from .senders import Sender
from .signals import Signal, SignalError

INTERVAL = 0.1  # seconds; Apple's iBeacon specification
POWER = -59  # dBm at 1 m
LIMIT = 0xFFFF  # of major and minor
FLAGS = bytes.fromhex("020106")
PREFIX = bytes.fromhex("1aff4c000215")
BEACON = re.compile(r"([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})/(\d{1,5})/(\d{1,5})@(.+)")
WANTED = "write UUID/MAJOR/MINOR@dBm, such as E20A39F4-73F5-4BC4-A12F-17D1AD07A961/7/515@-60"


class BeaconError(Exception):
    """A text that is no beacon; the message says what is one."""


@dataclass(frozen=True)
class BeaconChoice:
    """What `--beacon UUID/MAJOR/MINOR@SIGNAL` asks for."""

    uuid: uuid.UUID
    major: int
    minor: int
    signal: Signal

    @staticmethod
    def parsed(text: str) -> "BeaconChoice":
        """Raises `BeaconError`."""
        match = BEACON.fullmatch(text)
        if not match:
            raise BeaconError(f"'{text}' is no beacon: {WANTED}")
        major, minor = int(match[2]), int(match[3])
        if max(major, minor) > LIMIT:
            raise BeaconError(f"'{text}': major and minor are at most {LIMIT}")
        try:
            signal = Signal.parsed(match[4])
        except SignalError as error:
            raise BeaconError(f"'{text}': {error}") from error
        return BeaconChoice(uuid.UUID(match[1]), major, minor, signal)

    @property
    def data(self) -> bytes:
        """Its advertising data: the UUID in the order of its text, major and minor most significant byte first."""
        numbers = self.major.to_bytes(2, "big") + self.minor.to_bytes(2, "big")
        return FLAGS + PREFIX + self.uuid.bytes + numbers + POWER.to_bytes(1, "big", signed=True)


class Beacon(Sender):
    """A beacon with a static address; it counts its seconds from when it is first asked."""

    def __init__(self, choice: BeaconChoice, end: float, random_source: random.Random) -> None:
        """`end` is when the last change of its signal ends, in seconds."""
        super().__init__(ReportType.ADV_NONCONN_IND, INTERVAL, random_source)
        address = bytearray(random_source.randbytes(6))
        address[5] |= 0xC0
        self.advertiser_address = hci.Address(bytes(address), hci.Address.RANDOM_DEVICE_ADDRESS)
        self.data = choice.data
        self._signal, self._end = choice.signal, end
        self._began: float | None = None
        self._level = 0.0

    def prepare(self, now: float) -> bool:
        if self._began is None:
            self._began = now
        level = self._signal.at(now - self._began, self._end, self._random)
        self._level = level or 0.0
        return level is not None

    def strength(self, random_source: random.Random) -> float:
        return self._level

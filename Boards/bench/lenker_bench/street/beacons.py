"""Beacons: an iBeacon that is heard as strong as its signal says."""

import itertools
import random
import re
import uuid
from dataclasses import dataclass

from bumble import hci

from ..wire.advertising import STRONGEST, UNKNOWN_STRENGTH, WEAKEST, ReportType
from .payloads import Sender

OFF = "off"
LEVEL = rf"-?\d{{1,3}}|{OFF}"
PART = re.compile(rf"(?:(\d+(?:\.\d+)?)s:)?({LEVEL})(?:\.\.({LEVEL}))?")


class SignalError(Exception):
    """A text that is no signal; the message says what is one."""


@dataclass(frozen=True)
class Part:
    """From `start` on, in seconds, the signal goes from `first` to `last`, in dBm; without a `first` it is off."""

    start: float
    first: int | None
    last: int | None

    @property
    def changes(self) -> bool:
        return self.first != self.last


@dataclass(frozen=True)
class Signal:
    """How strong a beacon is heard, from second to second: a text that a person writes.

    -60                       always
    -60..-95                  evenly from one to the other, over the ride
    -60,30s:-90               -90 dBm from 30 s on
    -60,30s:-60..-90,50s:off  the same in 20 s, then gone
    -60~3                     with random numbers of 3 dB about it, their standard deviation
    127                       strength unknown

    Its parts are in the order of their starts, the first at 0.
    """

    parts: tuple[Part, ...]
    noise: float = 0.0

    @staticmethod
    def parsed(text: str) -> "Signal":
        """Raises `SignalError`."""
        script, separator, noise = text.partition("~")
        if separator and not re.fullmatch(r"\d+(\.\d+)?", noise):
            raise SignalError(f"'{noise}' is no noise in dB, such as 3")
        parts = [_part(word) for word in script.split(",")]
        starts = [part.start for part in parts]
        if starts[0] != 0 or any(later <= earlier for earlier, later in itertools.pairwise(starts)):
            raise SignalError(f"'{script}': the first part has no time, and each later one a later time")
        return Signal(tuple(parts), float(noise or 0))

    @property
    def needs_end(self) -> bool:
        """Whether it changes until an end that it does not name."""
        return self.parts[-1].changes

    def at(self, seconds: float, end: float, random_source: random.Random) -> float | None:
        """The strength in dBm, or none while it is off; `end` is when the last part ends."""
        number = max(index for index, part in enumerate(self.parts) if index == 0 or part.start <= seconds)
        part = self.parts[number]
        if part.first is None or part.first == UNKNOWN_STRENGTH:
            return part.first
        until = self.parts[number + 1].start if number + 1 < len(self.parts) else end
        level = float(part.first)
        if part.changes:
            level += (part.last - part.first) * min(1.0, (seconds - part.start) / max(until - part.start, 1e-9))
        return level + (random_source.gauss(0, self.noise) if self.noise else 0)


def _part(text: str) -> Part:
    match = PART.fullmatch(text)
    if not match:
        raise SignalError(f"'{text}' is no signal: write -60, -60..-95 or -60,30s:-90, off, and ~3 for noise")
    start, first, last = match.groups()
    levels = [_level(word) for word in (first, last or first)]
    if levels[0] != levels[1] and not {None, UNKNOWN_STRENGTH}.isdisjoint(levels):
        raise SignalError(f"'{text}': a change has a strength at both ends")
    return Part(float(start or 0), *levels)


def _level(text: str) -> int | None:
    if text == OFF:
        return None
    level = int(text)
    if not WEAKEST <= level <= STRONGEST and level != UNKNOWN_STRENGTH:
        raise SignalError(f"{level} dBm is not from {WEAKEST} to {STRONGEST}, nor {UNKNOWN_STRENGTH} for unknown")
    return level


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

"""The values of sensors at a time of the ride: bytes as the specifications of their services have them."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

WHEEL = 2.105  # metres around
GEAR = 3.0  # turns of the wheel for one of the crank
CRANK_RESOLUTION, POWER_RESOLUTION = 1024, 2048  # parts of a second
CSC_WHEEL, CSC_CRANK = 1 << 0, 1 << 1
POWER_WHEEL, POWER_CRANK = 1 << 4, 1 << 5
RADAR_RANGE = 140.0  # metres
RADAR_PRESENT = 0x80
RADAR_FIRST, RADAR_REST = 0, 2  # in the low half of a value's first byte
VEHICLES_IN_A_VALUE = 6


class Way(Protocol):
    """A ride's way over time."""

    def metres_at(self, seconds: float) -> float: ...

    def reached(self, metres: float) -> float: ...


def read(path: str) -> tuple[bytes, ...]:
    """The values of a file, in hexadecimal, one a line. Raises `OSError`, or `ValueError` if it has others or none."""
    values = tuple(bytes.fromhex(line) for line in Path(path).read_text("utf-8").split("\n") if line.strip())
    if not values:
        raise ValueError(path)
    return values


def heart_rate(beats: int, intervals: list[int], *, has_contact: bool = True) -> bytes:
    """Heart Rate Measurement; intervals between beats in 1/1024 s."""
    size = 1 if beats > 255 else 0
    flags = size | (3 if has_contact else 2) << 1 | (0x10 if intervals else 0)
    return bytes([flags]) + beats.to_bytes(1 + size, "little") + b"".join(i.to_bytes(2, "little") for i in intervals)


def heart(source: random.Random, beats: float | None, *, has_contact: bool = True) -> Iterator[bytes]:
    """A value a second: always the same beats a minute, or some that wander."""
    rate = beats or source.uniform(90, 130)
    while True:
        rate = beats or min(180.0, max(60.0, rate + source.uniform(-3, 3)))
        interval = round(60 / rate * 1024)
        yield heart_rate(round(rate), [interval] * max(1, round(rate / 60)), has_contact=has_contact)


class Turns:
    """What turns once in so many metres, and when it last did."""

    def __init__(self, road: Way, circumference: float, first: int = 0) -> None:
        self._road = road
        self._circumference = circumference
        self._first = first

    def at(self, seconds: float, resolution: int) -> tuple[int, int]:
        """How often so far, and the time of the last one in parts of a second; neither has an end."""
        turns = int(self._road.metres_at(seconds) / self._circumference)
        return self._first + turns, round(self._road.reached(turns * self._circumference) * resolution)


def _wheel(count: int, time: int) -> bytes:
    return (count % 2**32).to_bytes(4, "little") + (time % 2**16).to_bytes(2, "little")


def _crank(count: int, time: int) -> bytes:
    return (count % 2**16).to_bytes(2, "little") + (time % 2**16).to_bytes(2, "little")


def csc(road: Way, seconds: float, first: int = 0, *, is_ticking: bool = False) -> bytes:
    """CSC Measurement with wheel and crank; the wheel's count begins at `first`.

    A sensor that is ticking tells the time of the value instead of that of the last turn.
    """
    wheel, wheel_time = Turns(road, WHEEL, first).at(seconds, CRANK_RESOLUTION)
    crank, crank_time = Turns(road, WHEEL * GEAR).at(seconds, CRANK_RESOLUTION)
    if is_ticking:
        wheel_time = crank_time = round(seconds * CRANK_RESOLUTION)
    return bytes([CSC_WHEEL | CSC_CRANK]) + _wheel(wheel, wheel_time) + _crank(crank, crank_time)


def cadence(road: Way, seconds: float, *, claims_wheel: bool = False) -> bytes:
    """CSC Measurement of a crank alone; one that claims a wheel, too, has never counted it."""
    crank = _crank(*Turns(road, WHEEL * GEAR).at(seconds, CRANK_RESOLUTION))
    return bytes([CSC_WHEEL | CSC_CRANK]) + _wheel(0, 0) + crank if claims_wheel else bytes([CSC_CRANK]) + crank


def power(road: Way, seconds: float, watts: int) -> bytes:
    """Cycling Power Measurement with wheel and crank."""
    wheel = Turns(road, WHEEL).at(seconds, POWER_RESOLUTION)
    crank = Turns(road, WHEEL * GEAR).at(seconds, CRANK_RESOLUTION)
    head = (POWER_WHEEL | POWER_CRANK).to_bytes(2, "little") + watts.to_bytes(2, "little", signed=True)
    return head + _wheel(*wheel) + _crank(*crank)


def radar(vehicles: list[tuple[int, float]], count: int) -> list[bytes]:
    """The values for these vehicles, tracks with their metres; `count` goes round.

    More than six come in two values, of which the first one has six.
    """
    seen = [
        bytes([RADAR_PRESENT | track, round(metres), 0]) for track, metres in vehicles if 0 <= metres <= RADAR_RANGE
    ]
    parts = [(RADAR_REST, seen)]
    if len(seen) > VEHICLES_IN_A_VALUE:
        parts = [(RADAR_FIRST, seen[:VEHICLES_IN_A_VALUE]), (RADAR_REST, seen[VEHICLES_IN_A_VALUE:])]
    return [bytes([count % 16 << 4 | part]) + b"".join(triplets) for part, triplets in parts]


def traffic(seconds: float, count: int, every: float = 12.0, approach: float = 10.0) -> list[tuple[int, float]]:
    """`count` vehicles that overtake one after the other, a group each `every` seconds."""
    group, since = divmod(seconds, max(every, RADAR_RANGE / approach + count))
    vehicles = ((int(group) * count + index) % 100 for index in range(count))
    return [(track, RADAR_RANGE - approach * (since - index)) for index, track in enumerate(vehicles)]

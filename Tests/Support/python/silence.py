"""Rides on which the phone falls silent again and again, and how far the distance shown is off meanwhile.

A ride is a file of either format that the bench knows. Its readings are what the firmware is told, and those that are
withheld are the truth. The wheel turns by the recorded positions; where there are none, by the readings themselves.
"""

import bisect
import csv
import itertools
import math
import random
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lenker_bench.phone.rides import LOG_COLUMNS, Step, read_ride
from lenker_bench.programs.processes import ROOT

PROGRAM = ROOT / ".build" / "debug" / "Rides"  # made by `swift build`, and with the units
EARTH = 6_371_000
RESOLUTION = 1024
LOG_ROUNDING = 5  # metres: a log has what the app shows, to the nearest 10 m
RISE = 40  # metres by which the distance to the same turn does not grow
EVERY = 20_000  # milliseconds from one silence to the next


@dataclass
class Ride:
    """What the phone said, and how far the bicycle had come by then, in metres."""

    steps: list[Step]
    ways: list[float]
    rounding: int
    times: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.times = [step.milliseconds for step in self.steps]

    def way_at(self, time: float) -> float:
        index = min(max(bisect.bisect_right(self.times, time), 1), len(self.times) - 1)
        first, last = self.times[index - 1], self.times[index]
        part = min(max((time - first) / (last - first), 0), 1) if last > first else 1
        return self.ways[index - 1] + part * (self.ways[index] - self.ways[index - 1])

    def time_of(self, way: float) -> float:
        index = min(max(bisect.bisect_left(self.ways, way), 1), len(self.ways) - 1)
        first, last = self.ways[index - 1], self.ways[index]
        part = min(max((way - first) / (last - first), 0), 1) if last > first else 1
        return self.times[index - 1] + part * (self.times[index] - self.times[index - 1])

    def is_same_turn(self, first: int, last: int) -> bool:
        """Whether all steps from the one to the other are about one turn."""
        pairs = zip(self.steps[first:last], self.steps[first + 1 : last + 1], strict=True)
        return all(
            (a.direction, a.street) == (b.direction, b.street) and b.distance - a.distance <= RISE for a, b in pairs
        )


def ride_of(path: Path) -> Ride:
    """Reads a ride, with the positions of a recorded one."""
    steps = read_ride(path)
    positions = [
        (float(row[1]), float(row[2]))
        for row in csv.reader(path.read_text("utf-8").splitlines())
        if len(row) == LOG_COLUMNS
    ]
    gains = [distance_between(a, b) for a, b in itertools.pairwise(positions)] if positions else list(gains_of(steps))
    ways = [0.0]
    for gain in gains:
        ways.append(ways[-1] + gain)
    return Ride(steps, ways, LOG_ROUNDING if positions else 0)


def distance_between(first: tuple[float, float], last: tuple[float, float]) -> float:
    """Metres between two positions in degrees that are not far apart."""
    east = math.radians(last[1] - first[1]) * math.cos(math.radians(first[0] + last[0]) / 2)
    return EARTH * math.hypot(east, math.radians(last[0] - first[0]))


def gains_of(steps: list[Step]) -> Iterator[float]:
    """By how much each step came on: as the distance fell, and between two turns as before."""
    pace = 0.0
    for a, b in itertools.pairwise(steps):
        time = max(b.milliseconds - a.milliseconds, 1)
        if (a.direction, a.street) == (b.direction, b.street) and b.distance <= a.distance:
            pace = (a.distance - b.distance) / time
        yield pace * time


@dataclass
class Error:
    """How far a distance was off when the phone would have said another one; lengths in metres."""

    metres: int
    way: float
    """Ridden since the last reading that was said first."""
    seconds: float
    """Since then."""
    contradiction: float
    """By how much a perfect wheel is off, as the recorded positions and readings contradict each other."""
    rounding: int
    """Of the readings."""

    @property
    def off(self) -> float:
        """By how much it was off, whatever the readings were before they were rounded."""
        return max(0, abs(self.metres) - self.rounding)


@dataclass
class Silences:
    """A ride with a silence of so many milliseconds every twenty seconds, from a phase on."""

    ride: Ride
    length: int
    phase: int
    circumference: int | None
    """Of the wheel, in millimetres; none if there is none."""
    seed: int = 0

    def is_silent(self, time: int) -> bool:
        return (time - self.phase) % EVERY < self.length

    def lines(self) -> Iterator[tuple[int, str]]:
        for step in self.ride.steps:
            time = step.milliseconds
            if self.is_silent(time):
                yield time, f"ask {time}"
            else:
                yield time, f"say {time} {step.direction} {step.distance} {step.street}"

    def pulses(self) -> Iterator[tuple[int, str]]:
        if self.circumference is None:
            return
        chance = random.Random(self.seed)
        clock, count = chance.randrange(65_536), chance.randrange(2**20)
        offset = chance.random()
        for second in range(self.ride.times[-1] // 1000 + 1):
            time = second * 1000 + chance.randrange(1000 if second == 0 else 60)
            turns = int(self.ride.way_at(time) * 1000 / self.circumference + offset)
            ended = self.ride.time_of((turns - offset) * self.circumference / 1000)
            tick = (clock + round(ended * RESOLUTION / 1000)) % 65_536
            value = b"\x01" + (count + turns).to_bytes(4, "little") + tick.to_bytes(2, "little")
            yield time, f"csc {time} {value.hex()}"

    def errors(self) -> list[Error]:
        """How far the distance was off at each reading that was withheld of a turn that had been said."""
        lines = [line for _, line in sorted([*self.lines(), *self.pulses()], key=lambda entry: entry[0])]
        run = subprocess.run(
            [PROGRAM, "progress", str(self.circumference or 2105)],
            input="\n".join(lines) + "\n",
            capture_output=True,
            text=True,
            check=True,
        )
        answers = iter(run.stdout.splitlines())
        return list(self._judged(answers))

    def _judged(self, answers: Iterator[str]) -> Iterator[Error]:
        said: int | None = None
        steps = self.ride.steps
        for index, step in enumerate(steps):
            if not self.is_silent(step.milliseconds):
                if said is None or steps[said].distance != step.distance or not self.ride.is_same_turn(said, index):
                    said = index
                continue
            metres, *_ = next(answers).split()
            if said is None or metres == "-" or not self.ride.is_same_turn(said, index):
                continue
            way = self.ride.ways[index] - self.ride.ways[said]
            by_wheel = max(0, steps[said].distance - way)
            seconds = (step.milliseconds - steps[said].milliseconds) / 1000
            yield Error(int(metres) - step.distance, way, seconds, by_wheel - step.distance, self.ride.rounding)


PHASES = range(0, EVERY, 1_000)
SEEDS = range(4)


def errors_of(ride: Ride, length: int, circumference: int | None, phases: Sequence[int] = PHASES) -> list[Error]:
    """All errors of silences of this length, from each phase, and with a wheel from each seed."""
    return [
        error
        for phase in phases
        for seed in (SEEDS if circumference else [0])
        for error in Silences(ride, length, phase, circumference, seed).errors()
    ]

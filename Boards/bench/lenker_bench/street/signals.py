"""How strong a beacon is heard, from second to second: a text that a person writes.

-60                       always
-60..-95                  evenly from one to the other, over the ride
-60,30s:-90               -90 dBm from 30 s on
-60,30s:-60..-90,50s:off  the same in 20 s, then gone
-60~3                     with random numbers of 3 dB about it
127                       strength unknown
"""

import itertools
import random
import re
from dataclasses import dataclass

from ..wire.advertising import STRONGEST, UNKNOWN_STRENGTH, WEAKEST

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
    """Parts in the order of their starts, the first at 0; `noise` is a standard deviation in dB."""

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

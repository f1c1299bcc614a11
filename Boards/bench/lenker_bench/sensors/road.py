"""How far a ride has come, by the distances to its turns."""

from collections.abc import Sequence
from itertools import pairwise

from ..phone.rides import Step

NEAR = 60  # metres: who was no farther from a turn has gone by it when the next one is told


class Road:
    """Metres ridden at a time of the ride, and the other way round; between two readings the speed is even."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._times = [0.0]
        self._metres = [0.0]
        for before, after in pairwise(steps):
            fell = before.distance - after.distance
            if fell < 0:  # to another turn: the rest of the way to the last one was ridden, if it was near
                fell = before.distance if before.distance <= NEAR else 0
            seconds = (after.milliseconds - before.milliseconds) / 1000
            self._times.append(self._times[-1] + seconds)
            self._metres.append(self._metres[-1] + fell)

    @property
    def length(self) -> float:
        return self._metres[-1]

    def metres_at(self, seconds: float) -> float:
        for (begin, end), (start, stop) in zip(pairwise(self._times), pairwise(self._metres), strict=True):
            if begin <= seconds < end:
                return start + (stop - start) * (seconds - begin) / (end - begin)
        return 0.0 if seconds < 0 else self.length

    def reached(self, metres: float) -> float:
        """When so many metres were ridden, in seconds."""
        for (begin, end), (start, stop) in zip(pairwise(self._times), pairwise(self._metres), strict=True):
            if start < metres <= stop:
                return begin + (end - begin) * (metres - start) / (stop - start)
        return 0.0


class EvenRoad:
    """A road on which somebody always rides as fast."""

    def __init__(self, metres_a_second: float) -> None:
        self._speed = metres_a_second

    def metres_at(self, seconds: float) -> float:
        return self._speed * max(0.0, seconds)

    def reached(self, metres: float) -> float:
        return metres / self._speed

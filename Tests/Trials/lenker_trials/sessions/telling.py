"""A phone that says something new when asked to, so that what is shown after a fault is known to be fresh."""

import asyncio
import random
from collections.abc import Callable

from lenker_bench.phone.kinds import Kind
from lenker_bench.phone.navigation import Navigation
from lenker_bench.phone.rides import Step

STRAIGHT_ON = 1
NAME = "Langer Uferweg, Stück "  # longer than the smallest notification and the smallest reading


class Telling(Navigation):
    """Takes the place of a phone's ride: each `tell` is an instruction that was never told before."""

    def __init__(self, kind: Kind, random_source: random.Random) -> None:
        super().__init__(kind, [], 1.0, random_source, lambda event, **fields: None)
        self._told: list[float] = []

    def tell(self) -> None:
        self._told.append(asyncio.get_running_loop().time())
        number = len(self._told)
        self._set(number, self.step(number))

    def step(self, number: int) -> Step:
        # The distance makes the panel change with each; the street is what makes it the only one of its kind.
        return Step(0, STRAIGHT_ON, number % 90 * 10 + 100, f"{NAME}{number}")

    def told_at(self, event: dict) -> float | None:
        """When the instruction of this event was told; none if it never was, as in a damaged packet."""
        number = str(event["street"]).removeprefix(NAME)
        if not number.isdecimal() or not 0 < int(number) <= len(self._told):
            return None
        return self._told[int(number) - 1]


async def keep_telling(navigation: Telling, interval: Callable[[], float]) -> None:
    while True:
        navigation.tell()
        await asyncio.sleep(interval())

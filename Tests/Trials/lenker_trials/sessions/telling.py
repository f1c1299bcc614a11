"""What a phone tells in place of a ride: something new each time, so that it is known to be fresh, or any bytes."""

import asyncio
import random
from collections.abc import Callable

from bumble import att

from lenker_bench.phone.kinds import Kind
from lenker_bench.phone.navigation import Navigation
from lenker_bench.phone.rides import Step
from lenker_bench.phone.subscribers import Subscriber

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


class Script:
    """Takes the place of the phone's navigation: it has the value that it was given, or refuses to be read."""

    def __init__(self, value: bytes | None) -> None:
        self._value = value
        self._was_read = asyncio.Event()
        self._listeners: list[Subscriber] = []

    @property
    def value(self) -> bytes:
        if self._value is None:
            self._was_read.set()
            raise att.ATT_Error(att.ATT_ATTRIBUTE_NOT_FOUND_ERROR)
        return self._value

    @value.setter
    def value(self, value: bytes | None) -> None:
        self._value = value

    def add(self, listener: Subscriber) -> None:
        self._listeners.append(listener)

    def remove(self, listener: Subscriber) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)

    def was_read(self, is_complete: bool) -> None:
        self._was_read.set()

    def forget_listeners(self) -> None:
        """The phone was switched off."""
        self._listeners.clear()

    async def next_reading(self) -> None:
        """Waits until the firmware has read a part of the value, or was refused it."""
        self._was_read.clear()
        await asyncio.wait_for(self._was_read.wait(), 30)

    def say(self, value: bytes, notified: bytes | None = None) -> None:
        """Gives a new value, and notifies its first four bytes or what is wanted."""
        self.value = value
        self.notify(value[:4] if notified is None else notified)

    def notify(self, data: bytes) -> None:
        for listener in self._listeners:
            listener.notify(data)

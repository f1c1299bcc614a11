"""A rider who adds sensors: by gestures, and by what the firmware's events tell."""

import asyncio
import contextlib
from collections.abc import Callable

from .events import EventLog, Follower

LOOK = 4.0  # seconds; sensors on the air are heard sooner
OFFER = 15.0  # seconds until somebody who was heard is offered, with all that may fail before
LOOKS = 2  # a turn that is due may take the page once
VALUE = 5.0  # seconds; most sensors say something each second
REACTION = 0.5
SAVE = 2.0
PAGES = 4
ALIKE = {"speed", "cadence"}
"""Kinds of one service: which of them a sensor is, its turns tell."""


class RiderError(Exception):
    """What the rider could not do; the message says it."""


class Rider:
    """Presses the buttons of a firmware. It knows the pages only by what happens there."""

    def __init__(self, log: EventLog, press: Callable[[str], None]) -> None:
        self._events = Follower(log)
        self._press = press
        self.kept: dict[str, str] = {}
        """The addresses of the sensors that it keeps, by their kinds."""

    async def add(self, is_wanted: Callable[[dict], bool]) -> dict:
        """Keeps the first sensor offered that is wanted, and has the others passed over.

        Returns the event that it is remembered. Raises `RiderError` if none is offered.
        """
        for _ in range(LOOKS):
            await self._look()
            with contextlib.suppress(TimeoutError):
                while not is_wanted(offered := await self._events.next(self._is_offer, OFFER)):
                    self._press("b")
                return await self._keep(offered["kind"])
        raise RiderError("no sensor was offered that was wanted")

    async def _keep(self, kind: str) -> dict:
        """The rider knows it by its value; one that says nothing is kept all the same."""
        with contextlib.suppress(TimeoutError):
            await self._events.next(lambda event: _is_value(event, kind), VALUE)
        await asyncio.sleep(REACTION)
        # Where a turn has taken the page, this leads back to it.
        for _ in range(1 + PAGES):
            self._press("a")
            with contextlib.suppress(TimeoutError):
                kept = await self._events.next(lambda event: _is_sensor(event, "remembered"), SAVE)
                self.kept[kept["kind"]] = kept["address"]
                return kept
        raise RiderError("a sensor was not remembered")

    async def add_each(self, kinds: set[str]) -> None:
        """Keeps a sensor of each of these kinds. Raises `RiderError`."""
        while missing := kinds - set(self.kept):
            wanted = missing | ALIKE if missing & ALIKE else missing
            await self.add(lambda offered, wanted=wanted: offered["kind"] in wanted)

    def _is_offer(self, event: dict) -> bool:
        return _is_sensor(event, "ready") and event["address"] not in self.kept.values()

    async def _look(self) -> None:
        """Turns pages until a press of B looks for sensors, which it does on their page alone."""
        # The page of the data is between only once there is a sensor, after which the page is still there.
        # There the first press takes away that a sensor is kept, elsewhere which phone it is.
        for gestures in ("bb" if self.kept else "aab", *["aab"] * PAGES):
            self._press(gestures)
            try:
                await self._events.next(lambda event: _is_sensor(event, "found"), LOOK)
            except TimeoutError:
                continue
            return
        raise RiderError("no sensor was found")


def _is_value(event: dict, kind: str) -> bool:
    """Whether something was measured by which the rider knows a sensor of this kind."""
    if kind in ALIKE:
        return event["event"] == "measure" and bool(ALIKE & set(event))
    return event["event"] in ("measure", "radar")


def _is_sensor(event: dict, state: str) -> bool:
    return event["event"] == "sensor" and event["state"] == state

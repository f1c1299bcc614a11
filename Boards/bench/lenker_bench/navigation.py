"""The app on the phone: plays a ride to whoever listens, and says it as the kind of phone does."""

import asyncio
import contextlib
import random
from collections.abc import Callable
from typing import Protocol

from bumble import att

from . import komoot
from .kinds import Kind
from .rides import Step

REPEAT_EVERY = 2.0  # seconds of the ride
REPEAT_NO_FASTER_THAN = 0.2  # seconds
PATIENCE = 5.0  # seconds that an instruction waits for its listener before the next one
FINAL_PATIENCE = 15.0  # seconds that the last one waits
KEPT_AFTER_END = 3.0  # seconds
WHOLE_VALUE_IN_ONE_OF = 8  # iOS: every eighth notification or so is the whole value

READ_BEFORE_START = att.ATT_ATTRIBUTE_NOT_FOUND_ERROR


class Listener(Protocol):
    """A subscribed central."""

    att_mtu: int

    def notify(self, value: bytes) -> None: ...


class Navigation:
    """The characteristic's value over time.

    The ride begins with the first listener and is played no faster than it is heard: the next instruction comes when
    it is due and somebody has got the present one, or after `PATIENCE`. Without a listener time goes on.
    """

    def __init__(
        self, kind: Kind, steps: list[Step], speed: float, random_source: random.Random, report: Callable[..., None]
    ) -> None:
        self._kind = kind
        self._steps = steps
        self._speed = speed
        self._random = random_source
        self._report = report
        self._identifier = random_source.getrandbits(32)
        self._step: Step | None = None
        self._listeners: list[Listener] = []
        self._is_heard = False
        self._begun = asyncio.Event()
        self._released = asyncio.Event()
        self._released.set()
        self.heard = 0

    @property
    def value(self) -> bytes:
        """The whole value as a read gives it. Raises `att.ATT_Error` where the kind has none yet."""
        if self._step is not None:
            return komoot.encode(self._identifier, self._step)
        if self._kind.refuses_reading_before_start:
            raise att.ATT_Error(READ_BEFORE_START)
        return komoot.encode(self._identifier, Step(0, 0, 0, ""))

    def add(self, listener: Listener) -> None:
        """Starts to notify a central, at first with what is known."""
        if listener in self._listeners:
            return
        self._listeners.append(listener)
        self._update_release()
        self._begun.set()
        if self._step is not None:
            self._notify([listener])

    def remove(self, listener: Listener) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)
            self._update_release()

    def was_read(self, is_complete: bool) -> None:
        """A central has read the value, or with `is_complete` the last part of it."""
        if not self._kind.has_configuration_descriptor:
            self._begun.set()
        if is_complete:
            self._mark_heard()

    async def play(self) -> bool:
        """Plays the ride to its end; whether the last instruction was heard."""
        loop = asyncio.get_running_loop()
        await self._begun.wait()
        repeating = asyncio.create_task(self._repeat())
        start = loop.time()
        try:
            for number, step in enumerate(self._steps, 1):
                await asyncio.sleep(start + step.milliseconds / 1000 / self._speed - loop.time())
                await self._wait_until_released(PATIENCE)
                self._set(number, step)
            is_heard = await self._wait_for_last()
            await asyncio.sleep(KEPT_AFTER_END)
        finally:
            repeating.cancel()
        self._report("finished", instructions=len(self._steps), heard=self.heard, last_heard=is_heard)
        return is_heard

    async def _wait_until_released(self, patience: float) -> None:
        try:
            async with asyncio.timeout(patience):
                await self._released.wait()
        except TimeoutError:
            self._report("unheard", patience=patience)

    async def _wait_for_last(self) -> bool:
        """Unlike the others, the last instruction also waits for a central that is away."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FINAL_PATIENCE):
                while not self._is_heard:
                    self._released.clear()
                    await self._released.wait()
        return self._is_heard

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(max(REPEAT_EVERY / self._speed, REPEAT_NO_FASTER_THAN))
            if self._step is not None and self._listeners:
                self._notify(self._listeners)

    def _set(self, number: int, step: Step) -> None:
        self._step = step
        self._identifier = self._random.getrandbits(32)
        self._is_heard = False
        self._update_release()
        self._report(
            "instruction",
            number=number,
            id=self._identifier,
            direction=step.direction,
            distance=step.distance,
            street=step.street,
            listeners=len(self._listeners),
        )
        self._notify(self._listeners)

    def _notify(self, listeners: list[Listener]) -> None:
        if self._kind.new_identifier_at_each_send:
            self._identifier = self._random.getrandbits(32)
        value = self.value
        is_short = self._kind.notifies_identifier and self._random.randrange(WHOLE_VALUE_IN_ONE_OF) != 0
        for listener in list(listeners):
            listener.notify(value[:4] if is_short else value)
            # Only a notification that is not full to the brim is known to be whole.
            if not is_short and len(value) < listener.att_mtu - 3:
                self._mark_heard()

    def _mark_heard(self) -> None:
        if self._step is not None and not self._is_heard:
            self._is_heard = True
            self.heard += 1
            self._update_release()

    def _update_release(self) -> None:
        if self._step is None or self._is_heard or not self._listeners:
            self._released.set()
        else:
            self._released.clear()

"""The app on the phone: plays a ride to whoever listens, in the manner of its kind."""

import asyncio
import contextlib
import random
from collections.abc import Callable
from dataclasses import replace
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
    """A central that is subscribed, or that reads where nobody can subscribe."""

    def notify(self, value: bytes) -> bool:
        """Notifies the central; whether it surely has the whole value now."""


def says_the_same(one: Step, other: Step | None) -> bool:
    """Whether two instructions differ at most in their time."""
    return other is not None and replace(one, milliseconds=other.milliseconds) == other


class Navigation:
    """The characteristic's value over time.

    The ride begins with the first listener and is played no faster than it is heard: the next instruction comes when
    it is due and somebody has got the present one, or after `PATIENCE`. Without a listener time goes on, but not
    while the rider has paused it.
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
        self._running = asyncio.Event()
        self._running.set()
        self._paused_at = 0.0
        self._start = 0.0
        self.heard = 0

    @property
    def value(self) -> bytes:
        """The whole value, as a read returns it. Raises `att.ATT_Error` where the kind has none yet."""
        if self._step is not None:
            return komoot.encode(self._identifier, self._step)
        if self._kind.refuses_reading_before_start:
            raise att.ATT_Error(READ_BEFORE_START)
        return komoot.encode(self._identifier, Step(0, 0, 0, ""))

    def add(self, listener: Listener) -> None:
        """Starts to notify a central, beginning with the present instruction."""
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
        if is_complete:
            self._mark_heard()

    async def play(self) -> bool:
        """Plays the ride to its end; whether the last instruction was heard."""
        await self._begun.wait()
        repeating = asyncio.create_task(self._repeat())
        self._start = asyncio.get_running_loop().time()
        try:
            for number, step in enumerate(self._steps, 1):
                await self._wait_until_due(step)
                await self._wait_until_released(PATIENCE)
                await self._running.wait()
                self._set(number, step)
            is_heard = await self._wait_for_last()
            await asyncio.sleep(KEPT_AFTER_END)
        finally:
            repeating.cancel()
        self._report("ended", instructions=len(self._steps), heard=self.heard, last_heard=is_heard)
        return is_heard

    def clear(self) -> None:
        """Ends the ride; the next one begins with the first listener."""
        self._step = None
        self._begun.clear()

    def pause(self) -> None:
        """Pauses the ride."""
        if self._running.is_set():
            self._running.clear()
            self._paused_at = asyncio.get_running_loop().time()
            self._report("paused")

    def resume(self) -> None:
        """Resumes the ride; everything is due later by the length of the pause."""
        if not self._running.is_set():
            self._start += asyncio.get_running_loop().time() - self._paused_at
            self._running.set()
            self._report("resumed")

    async def _wait_until_due(self, step: Step) -> None:
        while True:
            await self._running.wait()
            due = self._start + step.milliseconds / 1000 / self._speed
            if due <= asyncio.get_running_loop().time():
                return
            await asyncio.sleep(due - asyncio.get_running_loop().time())

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
            repeats = self._kind.repeats_while_paused or self._running.is_set()
            if self._step is not None and self._listeners and repeats:
                self._notify(self._listeners)

    def _set(self, number: int, step: Step) -> None:
        # A central that only reads sees no difference in an instruction that says the same, so it need not read again.
        is_known = self._is_heard and not self._kind.has_configuration_descriptor and says_the_same(step, self._step)
        self._step = step
        self._identifier = self._random.getrandbits(32)
        self._is_heard = False
        if is_known:
            self._mark_heard()
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
            if listener.notify(value[:4] if is_short else value) and not is_short:
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

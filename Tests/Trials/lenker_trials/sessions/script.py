"""A phone that says what it is told to: any bytes, at any time."""

import asyncio

from bumble import att

from lenker_bench.phone.subscribers import Subscriber


class Script:
    """Takes the place of the phone's navigation: it has the value that it was given, or refuses to be read."""

    def __init__(self, value: bytes | None) -> None:
        self._value = value
        self.readings = 0
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
        self.readings += 1
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

"""A phone in this process that says what a test wants: any bytes, at any time, in parts of any size."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

from lenker_bench.air import Air
from lenker_bench.chip import Chip
from lenker_bench.h4 import FirmwareServer
from lenker_bench.kinds import KINDS
from lenker_bench.phone import Phone, Subscriber
from lenker_bench.report import Report

FIRMWARE_ADDRESS = "B8:27:EB:4C:45:4E"


class Endless:
    """A value that never ends: every part that is read of it is full."""

    def __init__(self, beginning: bytes) -> None:
        self._beginning = beginning

    def __len__(self) -> int:
        return 1 << 30

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(len(self))
        return (self._beginning + b"x" * stop)[start:stop]


class Script:
    """Takes the place of the phone's navigation: it has the value that the test gave it."""

    def __init__(self, value: bytes | Endless) -> None:
        self.value = value
        self.readings = 0
        self._was_read = asyncio.Event()
        self._listeners: list[Subscriber] = []

    def add(self, listener: Subscriber) -> None:
        self._listeners.append(listener)

    def remove(self, listener: Subscriber) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)

    def was_read(self, is_complete: bool) -> None:
        self.readings += 1
        self._was_read.set()

    async def next_reading(self) -> None:
        """Waits until the firmware has read a part of the value."""
        self._was_read.clear()
        await asyncio.wait_for(self._was_read.wait(), 30)

    def say(self, value: bytes | Endless, notified: bytes | None = None) -> None:
        """Gives a new value, and notifies its first four bytes or what the test wants."""
        self.value = value
        self.notify(value[:4] if notified is None else notified)

    def notify(self, data: bytes) -> None:
        for listener in self._listeners:
            listener.notify(data)


class HostilePhone:
    """The phone's script, and the port of the firmware's radio."""

    def __init__(self, script: Script, port: int, phone: Phone) -> None:
        self.script = script
        self.port = port
        self.phone = phone


@contextlib.asynccontextmanager
async def hostile_phone(
    value: bytes | Endless, kind: str = "android", mtu: int | None = None
) -> AsyncIterator[HostilePhone]:
    """A phone with this first value; with `mtu` it grants the firmware no more than that."""
    random_source = random.Random(1)
    air, report = Air(), Report()
    server = FirmwareServer(Chip("firmware", air, FIRMWARE_ADDRESS, random_source), report)
    await server.start("tcp-server:127.0.0.1:0")
    phone = Phone(air, KINDS[kind], [], 1.0, random_source, report)
    script = phone.navigation = Script(value)
    if mtu is not None:
        phone.device.gatt_server.max_mtu = mtu
    await phone.start()
    try:
        yield HostilePhone(script, server.port, phone)
    finally:
        server.close()
        await phone.stop()

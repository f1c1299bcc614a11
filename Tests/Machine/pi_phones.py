"""The phones that a Pi meets, each with the Pi's chip beside it."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from bonding import LONG, riders_phone
from broadcom import DriverCommands
from hostile_phone import FIRMWARE_ADDRESS, HostilePhone
from lenker_bench.phone.kinds import KINDS
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.rides import read_ride
from lenker_bench.programs.events import EventLog
from lenker_bench.sensors.sensor import sensors_of
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.h4 import FirmwareServer

DEVICE_NAME = 3
"""Its handle in Lenker's own attributes."""

NO_WAITING = 1e6  # times as fast as the ride was


@contextlib.asynccontextmanager
async def rider() -> AsyncIterator[tuple[HostilePhone, DriverCommands]]:
    """A phone with an instruction, which wants a number to be compared, and the Pi's chip."""
    async with riders_phone() as phone:
        yield phone, DriverCommands(phone.server.chip)


class Rider:
    """A phone that rides, and the chip of the one who follows it.

        async with Rider(ride) as phone, running_pi(card, folder, radio=phone.port) as pi:
            await phone.lead(pi.log)

    Without a `speed` each instruction waits until the one before is on the panel. `sensors` are beside it, as
    `--sensor` of the bench has them.
    """

    def __init__(self, ride: Path, speed: float | None = None, sensors: Iterable[str] = ()) -> None:
        air = Air()
        chip = Chip("firmware", air, FIRMWARE_ADDRESS, random.Random(1))
        DriverCommands(chip)
        self._server = FirmwareServer(chip, self._report)
        self._steps = read_ride(ride)
        self._waits = speed is None
        self._said: asyncio.Queue[dict] = asyncio.Queue()
        self._phone = Phone(air, KINDS["ios"], self._steps, speed or NO_WAITING, random.Random(1), self._report)
        self._sensors = sensors_of(air, list(sensors), self._steps, 1, self._report)

    @property
    def port(self) -> int:
        return self._server.port

    async def __aenter__(self) -> "Rider":
        await self._server.start("tcp-server:127.0.0.1:0")
        await self._phone.start()
        for sensor in self._sensors:
            await sensor.start()
        self._riding = asyncio.create_task(self._phone.ride())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._riding.cancel()
        self._server.close()
        for found in (self._phone, *self._sensors):
            await found.stop()

    def _report(self, event: str, **fields: object) -> None:
        if event == "instruction" and self._waits:
            self._phone.navigation.pause()
            self._said.put_nowait({name: fields[name] for name in ("direction", "distance", "street")})

    async def lead(self, log: EventLog) -> None:
        """Rides to the end, as fast as Lenker draws."""
        before: dict = {}
        for _ in self._steps:
            said = await self._said.get()
            if said != before:
                await log.wait_for("instruction", LONG, **said)
                # Lenker answers when it has drawn what it heard before.
                (connection,) = self._phone.device.connections.values()
                await connection.gatt_client.read_value(DEVICE_NAME)
            before = said
            self._phone.navigation.resume()

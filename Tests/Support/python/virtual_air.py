"""A phone and a central on one air, without a process or a socket between them, so that their time can be virtual."""

import asyncio
import contextlib
import json
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from bumble.device import Device, DeviceConfiguration
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from central import Central
from hostile_phone import FIRMWARE_ADDRESS
from lenker_bench.phone.kinds import KINDS
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.rides import Step
from lenker_bench.programs.events import EventLog
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip

RIDE = [
    Step(0, 2, 0, "Lennéstraße"),
    Step(1000, 5, 110, "Voßstraße"),
    Step(2000, 5, 100, "Voßstraße"),
    Step(3000, 3, 0, ""),
]


def timed_log() -> tuple[EventLog, Callable[..., None]]:
    """A log, and what puts events into it with the time of the loop."""
    log, loop = EventLog(), asyncio.get_running_loop()
    return log, lambda event, **fields: log.feed(
        json.dumps({"t": loop.time(), "event": event, **fields}).encode() + b"\n"
    )


@dataclass
class Scene:
    phone: Phone
    log: EventLog
    central: Central


@contextlib.asynccontextmanager
async def on_the_air(
    kind: str,
    steps: list[Step] = RIDE,
    speed: float = 1.0,
    rides: int = 1,
    pause: float = 0.0,
    air: Air | None = None,
    **options: object,
) -> AsyncIterator[Scene]:
    """A phone that advertises, and rides when it is heard; a central that is up. The air is the instant one.

    The options are what else a phone is made of.
    """
    air, (log, report) = air or Air(), timed_log()
    phone = Phone(air, KINDS[kind], steps, speed, random.Random(1), report, **options)
    chip = Chip("firmware", air, FIRMWARE_ADDRESS, random.Random(2))
    device = Device(config=DeviceConfiguration(name="Handlebar"), host=Host(chip, AsyncPipeSink(chip)))
    await phone.start()
    await device.power_on()
    riding = asyncio.create_task(phone.ride(rides, pause))
    try:
        yield Scene(phone, log, Central(device))
    finally:
        riding.cancel()
        await phone.stop()

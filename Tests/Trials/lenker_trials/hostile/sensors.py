"""What a device with the address of a kept strap does, and what the program must do then."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

from lenker_bench.programs.rider import Rider, RiderError
from lenker_bench.sensors.road import EvenRoad
from lenker_bench.sensors.sensor import SECURE, Sensor, SensorChoice

from . import NotHeld
from .case import Cases
from .scene import WRITTEN, Scene

TRIES = 15.0  # seconds in which the kept key is tried three times

CASES = Cases()


@contextlib.asynccontextmanager
async def _strap(scene: Scene, seed: float) -> AsyncIterator[Sensor]:
    """A strap that asks for security; those of one seed have one address, and each has keys of its own."""
    choice, source = SensorChoice("heart", habit=SECURE), random.Random(seed)
    strap = Sensor(scene.air, choice, EvenRoad(6.0), source, lambda event, **fields: None)
    await strap.start()
    try:
        yield strap
    finally:
        with contextlib.suppress(asyncio.CancelledError):
            await strap.stop()


def _beats(scene: Scene) -> int:
    """How many heart rates were told."""
    return sum("heart" in event for event in scene.log.named("measure"))


@CASES.add(
    "strap-that-denies-its-key",
    131,
    "a device with the address of a kept strap denies the key, and asks for another one",
    "none of its values is told and nothing is written; the strap is heard again by its own key",
)
async def denied(scene: Scene) -> str:
    seed = scene.random.random()
    async with _strap(scene, seed) as strap:
        try:
            await Rider(scene.log, scene.press).add(lambda offered: True)
        except RiderError as error:
            raise NotHeld(str(error)) from None
        await asyncio.sleep(WRITTEN)
        strap.vanish()
        await scene.told("sensor", state="disconnected")
        stored, measured = scene.store(), _beats(scene)
        async with _strap(scene, seed):
            await scene.told("sensor", state="refused")
            await asyncio.sleep(TRIES)
        if _beats(scene) > measured or scene.store() != stored:
            raise NotHeld("a value of another device was told, or something written")
        await strap.come_back()
        await scene.until(lambda: _beats(scene) > measured, "a value of the strap")
        await asyncio.sleep(WRITTEN)
        if scene.store() != stored:
            raise NotHeld("the strap has another key")
    await scene.fresh()
    return "it was not heard and changed nothing; the strap was, by its own key"

"""A phone that rides and sensors beside it, in this process, and a firmware whose rider presses the buttons."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from lenker_bench.phone.kinds import IOS
from lenker_bench.programs.events import Follower
from lenker_bench.programs.rider import Rider
from lenker_bench.sensors.sensor import Sensor
from lenker_trials.sessions.bench import Bench, quiet_loop

SEED = 1
NOTICE = 3.2  # seconds, and a little more, for which the panel says what is kept


class SensorBench:
    """While it runs, the phone rides all the time; `judge` says whether it did."""

    def __init__(self, *sensors: str) -> None:
        self.bench = Bench(IOS, SEED, sensors=sensors)
        self.folder = Path()

    @contextlib.asynccontextmanager
    async def running(self, command: Sequence[str], folder: Path, *keys: str) -> AsyncIterator[None]:
        self.folder = folder
        keys = ("pairing=preferred", f"store={folder / 'bond'}", *keys)
        with quiet_loop():
            async with self.bench.running(command, folder, keys=keys):
                self.firmware = self.bench.firmware
                self.events = Follower(self.firmware.log)
                self.rider = Rider(self.firmware.log, self.firmware.press)
                await self.next("pairing", state="ask")
                self.firmware.press("a")
                await self.next("instruction")
                yield
                await self.judge()
                await self.firmware.stop()

    async def next(self, name: str, **fields: object) -> dict:
        return await self.events.next(lambda event: event["event"] == name and fields.items() <= event.items())

    async def sensor(self, sensor: Sensor, state: str) -> dict:
        return await self.next("sensor", address=sensor.address.to_string(False), state=state)

    async def shown_after(self, gestures: str) -> bytes:
        """The glass after these presses."""
        self.firmware.press(gestures)
        for _ in gestures:
            await self.next("button")
        return await self.shown()

    async def shown(self) -> bytes:
        """The next picture."""
        await self.next("frame")
        return (self.folder / "latest.pbm").read_bytes()

    async def judge(self) -> None:
        """The phone's ride was never broken off, what it tells now is heard, and nothing failed."""
        now = asyncio.get_running_loop().time()
        await self.events.next(lambda event: event["event"] == "instruction" and self.told_at(event) > now)
        log = self.firmware.log
        assert self.firmware.status is None and self.bench.errors == [] and log.malformed == []
        assert [event for event in log.named("link") if event["state"] == "disconnected"] == []
        times = [self.told_at(event) for event in log.named("instruction")]
        assert times == sorted(set(times)), "each once, and in their order"

    def told_at(self, event: dict) -> float:
        told = self.bench.navigation.told_at(event)
        assert told is not None, f"nobody has told {event}"
        return told

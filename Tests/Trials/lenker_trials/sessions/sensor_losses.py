"""Sensors that are lost again and again beside a phone's ride, which must not feel it."""

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from lenker_bench.phone.kinds import KINDS
from lenker_bench.programs.events import Follower
from lenker_bench.programs.rider import Rider, RiderError
from lenker_bench.wire.true_air import AIRS

from ..wire.faults import RandomPlan
from .losses import GIVEN_UP, LONGEST_AWAY, LONGEST_RIDE, SENSORS, Conditions, Outcome, divided, memory_of
from .scenarios import Bench

LOOK, STALL = 0.05, 0.25  # seconds between two looks at the clock, and how late one may be


@dataclass
class SensorLosses(Outcome):
    """What was seen: seconds from a sensor's return to its values, and between two instructions of the ride."""

    regained: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    kinds: Counter = field(default_factory=Counter)

    def add(self, other: "SensorLosses") -> None:
        super().add(other)
        self.regained += other.regained
        self.gaps += other.gaps
        self.kinds += other.kinds


class SensorLoser:
    """A firmware that rides with `SENSORS`, of which now this and now that one is lost."""

    def __init__(self, kind: str, seed: object, conditions: Conditions) -> None:
        self._random = random.Random(str(seed))
        self._conditions = conditions
        unharmed = RandomPlan(seed, {})
        self._bench = Bench(KINDS[kind], seed, unharmed, sensors=list(SENSORS.values()), air=AIRS[conditions.air](seed))
        self._instructions: list[float] = []
        self._bench.on_instruction = lambda told: self._instructions.append(self._clock())
        self._stood_still = 0.0
        self.losses = SensorLosses()

    async def run(self, command: Sequence[str], count: int, warm_up: int) -> SensorLosses:
        """Loses a sensor, until one was regained `count` times after a warm-up."""
        with tempfile.TemporaryDirectory(prefix="lenker-") as folder:
            async with self._bench.running(command, Path(folder)):
                watching = asyncio.create_task(self._watch_the_bench())
                firmware = self._bench.firmware
                try:
                    await firmware.log.wait_for("instruction", timeout=GIVEN_UP)
                    await Rider(firmware.log, firmware.press).add_each(set(SENSORS))
                    for number in range(warm_up + count):
                        if number == warm_up:
                            self.losses = SensorLosses(memory_before=memory_of(firmware.process.pid))
                            self._instructions.clear()
                        await self._lose_one()
                    self.losses.memory_after = memory_of(firmware.process.pid)
                except (RiderError, TimeoutError) as error:
                    self.losses.stuck.append(f"{error}, status {firmware.status}")
                finally:
                    watching.cancel()
        self.losses.gaps = [after - before for before, after in pairwise(self._instructions)]
        self.losses.errors = Counter(self._bench.errors)
        return self.losses

    def _clock(self) -> float:
        """Without the time in which a busy machine gave this process nothing to do: nobody told anything then."""
        return asyncio.get_running_loop().time() - self._stood_still

    async def _watch_the_bench(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LOOK
            await asyncio.sleep(LOOK)
            if (late := loop.time() - due) > STALL:
                self._stood_still += late

    async def _lose_one(self) -> None:
        sensor = self._random.choice(self._bench.sensors)
        address = sensor.address.to_string(False)
        await asyncio.sleep(self._random.uniform(0, LONGEST_RIDE))
        events = Follower(self._bench.firmware.log)

        async def told(state: str) -> None:
            wanted = {"event": "sensor", "address": address, "state": state}
            await events.next(lambda event: wanted.items() <= event.items(), GIVEN_UP)

        sensor.vanish()
        await told("disconnected")
        await asyncio.sleep(self._conditions.away + self._random.uniform(0, LONGEST_AWAY))
        returned = asyncio.get_running_loop().time()
        await sensor.come_back()
        await told("ready")
        self.losses.regained.append(asyncio.get_running_loop().time() - returned)
        self.losses.kinds[sensor.choice.kind] += 1


async def lose_sensors(
    kind: str,
    command: Sequence[str],
    count: int,
    seed: int,
    jobs: int,
    warm_up: int,
    conditions: Conditions,
) -> SensorLosses:
    """Loses sensors `count` times, divided among `jobs` firmwares, each with a radio and a phone of its own."""

    async def run(number: int, part: int) -> SensorLosses:
        return await SensorLoser(kind, f"{seed} {kind} {number}", conditions).run(command, part, warm_up)

    return await divided(run, count, jobs, SensorLosses())

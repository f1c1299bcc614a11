"""A remembered phone that is lost in mid-ride again and again, and how soon it is back, on the true air."""

import asyncio
import functools
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lenker_bench.phone.kinds import KINDS
from lenker_bench.phone.pairing import COMPARE, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.programs import rider
from lenker_bench.wire.true_air import AIRS, TRUE

from .bench import Bench, memory_of, quiet_loop

LONGEST_AWAY = 0.5  # seconds
MID_RIDE, LONGEST_RIDE = 0.5, 0.8  # seconds on the panel before the next loss
COMPARING = 1.5  # seconds that the rider takes to compare the digits
GIVEN_UP = 90.0  # seconds; far more than any recovery may take
SILENT = 3600.0  # seconds; what the phone tells, it tells at its return
WARM_UP = 20  # recoveries before those that count

SENSORS = {"heart": "heart", "speed": "speed:value=24", "radar": "radar"}
"""Those that a rider has, by kind: each tells something once a second, or more often."""


@dataclass(frozen=True)
class Conditions:
    """Which phone; how many seconds it is away, and up to half a second more; and whether `SENSORS` stay linked."""

    kind: str
    away: float = 0.0
    has_sensors: bool = False


@dataclass
class Losses:
    """Seconds from the phone's first advertisement until the firmware connects, the link is ready, and it shows.

    `grown` is by how many KB the memory of the firmware grew that grew most.
    """

    found: list[float] = field(default_factory=list)
    ready: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    errors: Counter = field(default_factory=Counter)
    grown: int = 0

    def add(self, other: "Losses") -> None:
        self.found += other.found
        self.ready += other.ready
        self.shown += other.shown
        self.stuck += other.stuck
        self.errors += other.errors
        self.grown = max(self.grown, other.grown)


class Loser:
    """A firmware whose phone is lost again and again."""

    def __init__(self, conditions: Conditions, seed: object) -> None:
        self._conditions = conditions
        self._random = random.Random(str(seed))
        air = AIRS[TRUE](seed)
        air.on_advertising = self._hear
        make = functools.partial(Phone, pairing=PairingHabits(COMPARE))
        sensors = list(SENSORS.values()) if conditions.has_sensors else []
        self._bench = bench = Bench(KINDS[conditions.kind], seed, sensors, air, make)
        bench.tick = SILENT
        bench.on_event = self._on_event
        self._returned = 0.0
        self._fresh = False
        self._times: dict[str, float] = {}
        """When the phone was heard, found, ready and shown after its return."""
        self._shown = asyncio.Event()
        self.losses = Losses()

    async def run(self, command: Sequence[str], count: int, warm_up: int = WARM_UP) -> Losses:
        """Loses the phone until it was found again so often, after a warm-up."""
        with tempfile.TemporaryDirectory(prefix="lenker-") as folder:
            async with self._bench.running(command, Path(folder), keys=[f"store={folder}/bond"]):
                process = self._bench.firmware.process.pid
                try:
                    await self._meet()
                    for _ in range(warm_up):
                        await self._lose()
                    self.losses, before = Losses(), memory_of(process)
                    for _ in range(count):
                        await self._lose()
                    self.losses.grown = memory_of(process) - before
                except (rider.RiderError, TimeoutError) as error:
                    self.losses.stuck.append(str(error))
        self.losses.errors = Counter(self._bench.errors)
        return self.losses

    async def _meet(self) -> None:
        """The rider compares the digits, and adds each sensor."""
        firmware = self._bench.firmware
        await firmware.log.wait_for("pairing", GIVEN_UP, state="confirm")
        await asyncio.sleep(COMPARING)
        firmware.press("a")
        await firmware.log.wait_for("bond", GIVEN_UP, state="saved")
        if self._conditions.has_sensors:
            await rider.Rider(firmware.log, firmware.press).add_each(set(SENSORS))
            firmware.press("a")

    async def _lose(self) -> None:
        await asyncio.sleep(self._random.uniform(MID_RIDE, LONGEST_RIDE))
        self._bench.phone.vanish()
        await asyncio.sleep(self._conditions.away + self._random.uniform(0, LONGEST_AWAY))
        self._returned = asyncio.get_running_loop().time()
        self._fresh = False
        self._times.clear()
        self._shown.clear()
        self._bench.navigation.tell()
        self._bench.phone.come_back()
        await self._bench.until(self._shown, GIVEN_UP)
        heard = self._times["heard"]
        for name in ("found", "ready", "shown"):
            getattr(self.losses, name).append(self._times[name] - heard)

    def _note(self, name: str) -> None:
        self._times.setdefault(name, asyncio.get_running_loop().time())

    def _hear(self, sender: object) -> None:
        if sender is self._bench.phone.chip:
            self._note("heard")

    def _on_event(self, event: dict) -> None:
        match event["event"], event.get("state"):
            # A connection to a phone that went may still be pending when it comes back.
            case "link", "connecting" | "connected":
                self._note("found")
            case "link", "ready":
                self._note("ready")
            case "instruction", _:
                told = self._bench.navigation.told_at(event)
                self._fresh = told is not None and told >= self._returned
            case "frame", _ if self._fresh:
                self._note("shown")
                self._shown.set()


async def lose(
    conditions: Conditions, command: Sequence[str], count: int, seed: object, jobs: int, warm_up: int = WARM_UP
) -> Losses:
    """Loses phones so often, divided among this many firmwares, each with a radio and a phone of its own."""
    parts = [count // jobs + (number < count % jobs) for number in range(jobs)]
    losers = [Loser(conditions, f"{seed} {conditions.kind} {number}") for number in range(jobs)]
    total = Losses()
    with quiet_loop():
        runs = (loser.run(command, part, warm_up) for loser, part in zip(losers, parts, strict=True) if part)
        for found in await asyncio.gather(*runs):
            total.add(found)
    return total

"""A phone that is lost again and again at random moments, and how soon it is found again."""

import asyncio
import contextlib
import random
import re
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from lenker_bench.phone.kinds import KINDS
from lenker_bench.phone.pairing import COMPARE, NONE, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.programs import rider
from lenker_bench.programs.processes import FirmwareProcess, telling_firmware
from lenker_bench.sensors.sensor import sensors_of
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.h4 import FirmwareServer
from lenker_bench.wire.true_air import AIRS, INSTANT

from .scenarios import FIRMWARE_ADDRESS
from .telling import Telling

LONGEST_AWAY = 0.5  # seconds
LONGEST_RIDE = 0.3
MID_RIDE = 0.5  # seconds on the panel before a remembered phone is lost, at least
COMPARING = 1.5  # seconds that the rider takes to compare the digits
CUT_SHORT = 0.5  # how often the next loss does not wait for the ride
GIVEN_UP = 90.0  # seconds; far more than any recovery may take
WARM_UP = 20  # recoveries before memory is measured first

SENSORS = {"heart": "heart", "speed": "speed:value=24", "radar": "radar"}
"""Those that a rider has, by kind: each tells something once a second, or more often."""

# Where in the cycle the phone is lost again: after which event, and within how many seconds.
MOMENTS = {
    "searching": (None, 0.25),
    "connecting": ("connecting", 0.05),
    "discovering": ("connected", 0.01),
    "reading": ("ready", 0.004),
}


@dataclass(frozen=True)
class Conditions:
    """What is between firmware and phone, and what the firmware knows of it.

    A phone that `is_remembered` was paired with before, and is lost in mid-ride only. It is `away` for so many
    seconds, and up to half a second more; its advertising interval is in milliseconds. The rider has `SENSORS`, if
    any, which stay linked while the phone is lost.
    """

    air: str = INSTANT
    advertising_interval: float | None = None
    is_remembered: bool = False
    away: float = 0.0
    has_sensors: bool = False


class Ear:
    """Notes when a controller is first heard after `listen`."""

    def __init__(self, air: Air) -> None:
        self.first: float | None = None
        self._advertiser: object = None
        self._heard = asyncio.Event()
        air.on_advertising = self._note

    def listen(self, advertiser: Chip) -> None:
        self.first = None
        self._advertiser = advertiser
        self._heard.clear()

    async def heard(self) -> float:
        await self._heard.wait()
        return self.first

    def _note(self, sender: object) -> None:
        if sender is self._advertiser and self.first is None:
            self.first = asyncio.get_running_loop().time()
            self._heard.set()


@dataclass
class Outcome:
    """How firmwares came through: which were stuck, their errors, and KB of memory of the one that grew most."""

    stuck: list[str] = field(default_factory=list)
    errors: Counter = field(default_factory=Counter)
    memory_before: int = 0
    memory_after: int = 0

    def add(self, other: "Outcome") -> None:
        self.stuck += other.stuck
        self.errors += other.errors
        if other.memory_after - other.memory_before >= self.memory_after - self.memory_before:
            self.memory_before, self.memory_after = other.memory_before, other.memory_after


@dataclass
class Losses(Outcome):
    """What was seen: seconds from the phone's first advertisement, and where it was lost.

    `found` is when the firmware began to connect, `ready` the link, `shown` the panel; `first` is the panel when the
    firmware did not know the phone yet.
    """

    first: list[float] = field(default_factory=list)
    found: list[float] = field(default_factory=list)
    ready: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    moments: Counter = field(default_factory=Counter)
    slow_moments: Counter = field(default_factory=Counter)
    cut_short: int = 0

    def add(self, other: "Losses") -> None:
        super().add(other)
        self.first += other.first
        self.found += other.found
        self.ready += other.ready
        self.shown += other.shown
        self.moments += other.moments
        self.slow_moments += other.slow_moments
        self.cut_short += other.cut_short


def _say_nothing(event: str, **fields: object) -> None:
    pass


def memory_of(process: int) -> int:
    """Resident memory in KB that belongs to no file, read while nothing is under way.

    Pages of the program itself come and go with what is run, and with what else the machine needs.
    """
    return int(re.search(r"^RssAnon:\s+(\d+)", Path(f"/proc/{process}/status").read_text(), re.M)[1])


class Rider:
    """A firmware whose phone is lost again and again."""

    def __init__(self, kind: str, seed: object, conditions: Conditions) -> None:
        self._random = random.Random(str(seed))
        self._conditions = conditions
        air = AIRS[conditions.air](seed)
        self._ear = Ear(air)
        self._server = FirmwareServer(Chip("firmware", air, FIRMWARE_ADDRESS, self._random), _say_nothing)
        self._phone = Phone(
            air,
            KINDS[kind],
            [],
            1.0,
            self._random,
            _say_nothing,
            PairingHabits(COMPARE if conditions.is_remembered else NONE),
            advertising_interval=conditions.advertising_interval,
        )
        self._navigation = self._phone.navigation = Telling(KINDS[kind], self._random)
        texts = list(SENSORS.values()) if conditions.has_sensors else []
        self._sensors = sensors_of(air, texts, [], seed, _say_nothing)
        self._firmware: FirmwareProcess | None = None
        self._link = "none"
        self._linked: dict[str, asyncio.Event] = {}
        self._fresh = False
        self._returned = 0.0
        self._searches = asyncio.Event()
        self._bonded = asyncio.Event()
        self._found_at: float | None = None
        self._ready_at: float | None = None
        self._shown_at: float | None = None
        self._shown = asyncio.Event()
        self.losses = Losses()

    async def run(self, command: Sequence[str], count: int, warm_up: int) -> Losses:
        """Loses the phone until it was found again `count` times, after a warm-up."""
        with tempfile.TemporaryDirectory(prefix="lenker-") as folder:
            await self._server.start("tcp-server:127.0.0.1:0")
            keys = [f"store={folder}/bond"] if self._conditions.is_remembered else ["pairing=off"]
            try:
                # It comes when it is searched for.
                self._phone.vanish()
                await self._phone.start()
                for sensor in self._sensors:
                    await sensor.start()
                async with telling_firmware(
                    command, self._server.port, Path(folder), self._on_event, keys
                ) as self._firmware:
                    await self._lose(count, warm_up)
            finally:
                self._server.close()
                for found in (self._phone, *self._sensors):
                    with contextlib.suppress(asyncio.CancelledError):
                        await found.stop()
        return self.losses

    # What the firmware says

    def _on_event(self, event: dict) -> None:
        now = asyncio.get_running_loop().time()
        match event["event"]:
            case "link":
                self._link = event["state"]
                # A connection to a phone that went may still be pending when it comes back.
                if event["state"] in ("connecting", "connected") and self._found_at is None:
                    self._found_at = now
                if event["state"] == "ready" and self._ready_at is None:
                    self._ready_at = now
                if event["state"] in self._linked:
                    self._linked[event["state"]].set()
            case "instruction":
                told = self._navigation.told_at(event)
                self._fresh = told is not None and told >= self._returned
            case "frame" if self._fresh and self._shown_at is None:
                self._shown_at = now
                self._shown.set()
            case "scan":
                self._searches.set()
            case "pairing" if event["state"] == "confirm":
                asyncio.get_running_loop().call_later(COMPARING, self._firmware.press, "a")
            case "bond" if event["state"] == "saved":
                self._bonded.set()
            case "error":
                self.losses.errors[f"{event['source']}: {event['message']}"] += 1

    # The cycle

    async def _lose(self, count: int, warm_up: int) -> None:
        first = await self._meet()
        if first is None:
            return
        is_remembered = self._conditions.is_remembered
        for number in range(warm_up + count):
            if number == warm_up:
                self.losses = Losses(first=[first], memory_before=memory_of(self._firmware.process.pid))
            await asyncio.sleep(MID_RIDE * is_remembered + self._random.uniform(0, LONGEST_RIDE))
            moment = await self._go_and_come_back("riding")
            while not is_remembered and self._may_be_lost_again and self._random.random() < CUT_SHORT:
                moment = await self._cut_short(moment)
            if not await self._wait_for_ride():
                self.losses.stuck.append(f"lost while {moment}: link {self._link}, status {self._firmware.status}")
                return
            first_heard = self._ear.first
            self.losses.found.append(self._found_at - first_heard)
            self.losses.ready.append(self._ready_at - first_heard)
            self.losses.shown.append(self._shown_at - first_heard)
            if self.losses.shown[-1] > 1:
                self.losses.slow_moments[moment] += 1
        self.losses.memory_after = memory_of(self._firmware.process.pid)

    async def _meet(self) -> float | None:
        """The first ride with a phone that is not known yet, and the pairing; how soon it was shown, if it was."""
        await self._first_of(self._searches)
        self._come_back()
        if not await self._wait_for_ride():
            self.losses.stuck.append(f"the first ride was never shown: link {self._link}")
            return None
        if self._conditions.is_remembered:
            await self._first_of(self._bonded)
            if not self._bonded.is_set():
                self.losses.stuck.append("the phone was not paired")
                return None
        seconds = self._shown_at - self._ear.first
        return seconds if await self._add_sensors() else None

    async def _add_sensors(self) -> bool:
        """The rider adds each, and turns the pages to the turn again; whether that was possible."""
        if not self._sensors:
            return True
        try:
            await rider.Rider(self._firmware.log, self._firmware.press).add_each(set(SENSORS))
        except rider.RiderError as error:
            self.losses.stuck.append(f"{error}")
            return False
        self._firmware.press("a")
        return True

    @property
    def _may_be_lost_again(self) -> bool:
        return not self._shown.is_set() and self._firmware.status is None

    async def _go_and_come_back(self, moment: str) -> str:
        self.losses.moments[moment] += 1
        self._phone.vanish()
        await asyncio.sleep(self._conditions.away + self._random.uniform(0, LONGEST_AWAY))
        self._come_back()
        return moment

    def _come_back(self) -> None:
        """Brings the phone back, with something new to tell."""
        self._returned = asyncio.get_running_loop().time()
        self._fresh = False
        self._found_at = self._ready_at = self._shown_at = None
        self._shown.clear()
        self._ear.listen(self._phone.chip)
        self._navigation.tell()
        self._phone.come_back()

    async def _cut_short(self, before: str) -> str:
        """Loses the phone at some moment of its return; `before` if the ride was there first."""
        name = self._random.choice(list(MOMENTS))
        event, within = MOMENTS[name]
        seconds = self._random.uniform(0, within)
        if event is None:
            await self._ear.heard()
        else:
            reached = self._linked[event] = asyncio.Event()
            await self._first_of(reached, self._shown)
            self._linked.clear()
        await asyncio.sleep(seconds)
        if self._shown.is_set() or self._firmware.status is not None:
            return before
        self.losses.cut_short += 1
        return await self._go_and_come_back(name)

    async def _first_of(self, *events: asyncio.Event) -> None:
        """Waits for one of them, for the end of the firmware, or for `GIVEN_UP`."""
        ends = [asyncio.create_task(event.wait()) for event in events]
        ends.append(asyncio.create_task(self._firmware.process.wait()))
        await asyncio.wait(ends, timeout=GIVEN_UP, return_when=asyncio.FIRST_COMPLETED)
        for task in ends:
            task.cancel()

    async def _wait_for_ride(self) -> bool:
        await self._first_of(self._shown)
        # A link that is ready is told before what is read by it.
        return self._shown_at is not None and self._ready_at is not None


Found = TypeVar("Found", bound=Outcome)


async def divided(run: Callable[[int, int], Awaitable[Found]], count: int, jobs: int, total: Found) -> Found:
    """Adds up what `run` finds with each firmware, by its number and how many recoveries it is to see."""
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    parts = [count // jobs + (number < count % jobs) for number in range(jobs)]
    for found in await asyncio.gather(*(run(number, part) for number, part in enumerate(parts) if part)):
        total.add(found)
    return total


async def lose(
    kind: str,
    command: Sequence[str],
    count: int,
    seed: int,
    jobs: int,
    warm_up: int = WARM_UP,
    conditions: Conditions = Conditions(),
) -> Losses:
    """Loses phones `count` times, divided among `jobs` firmwares, each with a radio and a phone of its own."""

    async def run(number: int, part: int) -> Losses:
        return await Rider(kind, f"{seed} {kind} {number}", conditions).run(command, part, warm_up)

    return await divided(run, count, jobs, Losses())

"""What an iPhone's clock, music and notifications cost: figures of Sources/figures.md, for `benchmark.py`.

A turn that is due comes while the phone notifies of something else twenty times a second, and the next turn while
these may show is far: so each due one takes the panel from a notification. The delay begins when the app tells the
turn and ends with the `frame` event of the picture that shows it; on the true air the same ride without the
notifications is measured at the same time.
"""

import asyncio
import contextlib
import functools
import random
import statistics
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from lenker_bench.phone.clock import DEFAULT, NONE, Clock, ClockChoice
from lenker_bench.phone.kinds import IOS
from lenker_bench.phone.music import NONE as NO_MUSIC
from lenker_bench.phone.music import PLAYING, Music
from lenker_bench.phone.notifications import Habits, Notifications
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.rides import Step
from lenker_bench.wire.true_air import AIRS, INSTANT, TRUE
from lenker_trials.sessions.bench import Bench, quiet_loop
from lenker_trials.sessions.telling import NAME, STRAIGHT_ON, Telling
from process_figures import wakeups_of

SEED = 1
TURNS = {INSTANT: 120, TRUE: 60}
# Seconds between two instructions: no multiples of the flood's, so that they meet at all moments.
TICK = {INSTANT: 0.23, TRUE: 0.43}
FLOOD_EVERY = 0.05
SETTLE = 12.0  # seconds until the links are relaxed, and what was there before is old news
NEW_BOND = 35  # seconds: on the first link of a new phone there is a second subscription after 30 s
MINUTE = 60.0
SILENT = 3600.0  # seconds between two instructions of a phone that has nothing new to tell
LEFT, DUE, FAR = 5, 20, 400  # komoot's number, and metres
KEYS = ("notifications=all", "music=on", "extra=clock")

Row = tuple[str, str, str]


class Approaching(Telling):
    """Tells a turn that is far and one that is due, by turns; `due` is when each of the latter was told."""

    def __init__(self) -> None:
        super().__init__(IOS, random.Random(SEED))
        self.due: set[float] = set()

    def step(self, number: int) -> Step:
        if number % 2:
            return Step(0, STRAIGHT_ON, FAR, f"{NAME}{number}")
        self.due.add(self._told[-1])
        return Step(0, LEFT, DUE, f"{NAME}{number}")


class Session:
    """One firmware and its paired iPhone, with all that it tells besides or with nothing of it."""

    def __init__(self, air: str, has_all: bool) -> None:
        self._keys = KEYS if has_all else ()
        self._notifications = Notifications(Habits(is_there=has_all))
        make = functools.partial(
            Phone,
            pairing=PairingHabits(JUST_WORKS),
            clock=Clock(ClockChoice.parsed(DEFAULT if has_all else NONE)),
            music=Music(PLAYING if has_all else NO_MUSIC),
            notifications=self._notifications,
        )
        self._bench = Bench(IOS, SEED, air=AIRS[air](SEED), make=make)
        self._bench.navigation = self._bench.phone.navigation = Approaching()
        self._bench.tick = TICK[air]
        self._turns = TURNS[air]
        self.event_time = 0.0
        """Milliseconds from one connection event to the next, once there are delays."""

    async def delays(self, command: Sequence[str], folder: Path, is_flooded: bool) -> list[float]:
        """Milliseconds from a turn that is due to its picture."""
        found: asyncio.Queue[float] = asyncio.Queue()
        self._measure(found)
        async with self._paired(command, folder), asyncio.TaskGroup() as tasks:
            flooding = tasks.create_task(self._flood()) if is_flooded else None
            while not found.empty():
                found.get_nowait()
            delays = [await found.get() for _ in range(self._turns)]
            (link,) = self._bench.phone.device.connections.values()
            self.event_time = link.parameters.connection_interval
            if flooding is not None:
                flooding.cancel()
        return delays

    async def idle_minute(self, command: Sequence[str], folder: Path) -> tuple[int, int]:
        """Wake-ups, and packets and pictures, while the phone has nothing new."""
        happened: list[object] = []
        async with self._paired(command, folder):
            self._bench.tick = SILENT
            await asyncio.sleep(NEW_BOND)
            process = self._bench.firmware.process.pid
            self._bench.on_packet = lambda direction, packet: happened.append(packet)
            self._bench.on_frame = happened.append
            before = wakeups_of(process)
            await asyncio.sleep(MINUTE)
            return wakeups_of(process) - before, len(happened)

    @contextlib.asynccontextmanager
    async def _paired(self, command: Sequence[str], folder: Path) -> AsyncIterator[None]:
        folder.mkdir(parents=True)
        keys = ("pairing=preferred", f"store={folder / 'bond'}", *self._keys)
        async with self._bench.running(command, folder, keys=keys):
            firmware = self._bench.firmware
            await firmware.log.wait_for("pairing", state="ask")
            firmware.press("a")
            await firmware.log.wait_for("bond", state="saved")
            await asyncio.sleep(SETTLE)
            yield

    def _measure(self, found: asyncio.Queue[float]) -> None:
        loop = asyncio.get_running_loop()
        told: list[float] = []

        def on_instruction(time: float) -> None:
            told[:] = [time] if time in self._bench.navigation.due else []

        def on_frame(event: dict) -> None:
            if told:
                found.put_nowait((loop.time() - told.pop()) * 1000)

        self._bench.on_instruction, self._bench.on_frame = on_instruction, on_frame

    async def _flood(self) -> None:
        while True:
            self._notifications.add_invented()
            await asyncio.sleep(FLOOD_EVERY)


def late(delays: Sequence[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(delays, n=20)[-1]


async def turn_rows(command: Sequence[str], folder: Path) -> list[Row]:
    """A due turn during the flood, on both airs."""
    what = "a due turn on the panel while an iPhone notifies 20 times a second"
    instant = await Session(INSTANT, has_all=True).delays(command, folder / "instant", is_flooded=True)
    flooded, calm = Session(TRUE, has_all=True), Session(TRUE, has_all=True)
    beside, alone = await asyncio.gather(
        flooded.delays(command, folder / "flooded", is_flooded=True),
        calm.delays(command, folder / "calm", is_flooded=False),
    )
    later = [(of(beside) - of(alone)) / flooded.event_time for of in (statistics.median, late)]
    return [
        (f"{what}, median", f"{statistics.median(instant):.1f} ms", "< 10 ms"),
        # Without a limit: on a machine with other work it is that work's.
        ("… 95th percentile", f"{late(instant):.1f} ms", ""),
        (
            f"… on the true air, connection events of {flooded.event_time:g} ms later than without the notifications, "
            "median and 95th percentile",
            " and ".join(f"{events:.1f}" for events in later),
            "≤ 2",
        ),
    ]


async def idle_rows(command: Sequence[str], folder: Path) -> list[Row]:
    """Both at the same time; the minute that changes on the panel is a picture more."""
    some, none = await asyncio.gather(
        Session(INSTANT, has_all=True).idle_minute(command, folder / "some"),
        Session(INSTANT, has_all=False).idle_minute(command, folder / "none"),
    )
    what = "in a minute, paired and nothing new, without and with clock, music and notifications"
    return [
        (f"packets and pictures {what}", f"{none[1]} and {some[1]}", "5 more"),
        # Where the controller's answer is there before it is waited for, a wake-up is saved: up to a third of them.
        (f"wake-ups {what}", f"{none[0]} and {some[0]}", "30 more"),
    ]


async def notification_rows(command: Sequence[str], folder: Path) -> list[Row]:
    with quiet_loop():
        return [*await turn_rows(command, folder / "turns"), *await idle_rows(command, folder / "idle")]

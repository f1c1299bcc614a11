"""A firmware, the rider's phone, and whoever is near; what must never happen is watched all the time."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from bumble import hci

from lenker_bench.phone.kinds import ANDROID
from lenker_bench.phone.pairing import COMPARE, JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.programs.events import EventLog
from lenker_bench.programs.processes import FirmwareProcess, telling_firmware
from lenker_bench.view.pbm import Picture, read_picture
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.h4 import FirmwareServer
from lenker_bench.wire.true_air import AIRS, INSTANT

from ..sessions.bench import FIRMWARE_ADDRESS, RIDING_TICK
from ..sessions.telling import Telling, keep_telling
from . import NotHeld
from .attackers import attacker, is_in_store

NOTICE = 2.9  # seconds, and a little more, for which the panel says who is paired
PATIENCE = 30.0  # seconds for what takes one or two
QUIET = 3.0  # seconds in which nothing more may happen
WRITTEN = 12.0  # seconds until all is on the disk that a device has changed
PHONES_INTERVAL = 152.5  # milliseconds: what iPhones are told to use at the slowest when they want to be found
RECORDERS_INTERVAL = 20.0  # the shortest that the specification allows

ARROW_WIDTH, ARROW_TOP, ARROW_BOTTOM = 40, 1, 40  # pixels of a turn on 128 × 64, above a street of two lines
LARGEST_SHIFT = 2  # rows by which the picture is moved to spare the panel
# A stale turn has every other pixel of its arrow.
LEAST_LIT = 0.35

Region = frozenset[tuple[int, int]]


class Glass:
    """Knows a turn by its arrow, which must be the same during a ride; the first one is learnt."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._arrow: Region | None = None

    def learn(self) -> None:
        """A turn shows now."""
        self._arrow = self._arrow_of(self._read(), 1)

    def shows_turn(self) -> bool:
        """Whether there is the turn's arrow, be it new or stale, inverted, or moved to spare the panel."""
        picture = self._read()
        return any(self._is_arrow(self._arrow_of(picture, lit)) for lit in (1, 0))

    def _read(self) -> Picture:
        return read_picture(self._folder / "latest.pbm")

    def _arrow_of(self, picture: Picture, lit: int) -> Region:
        rows, columns = range(ARROW_TOP, ARROW_BOTTOM), range(ARROW_WIDTH)
        return frozenset((x, y) for y in rows for x in columns if picture.rows[y][x] == lit)

    def _is_arrow(self, found: Region) -> bool:
        if len(found) < len(self._arrow) * LEAST_LIT:
            return False
        shifts = range(-LARGEST_SHIFT, LARGEST_SHIFT + 1)
        return any(found <= {(x, y + shift) for x, y in self._arrow} for shift in shifts)


class WatchedChip(Chip):
    """Tells whom the host wants to connect to."""

    on_attempt: Callable[[hci.Address], None]

    def on_hci_le_create_connection_command(self, command: hci.HCI_LE_Create_Connection_Command) -> None:
        super().on_hci_le_create_connection_command(command)
        self.on_attempt(command.peer_address)


class Scene:
    """One firmware, the rider's phone, and attackers that come and go.

    While `is_guarded`, the rider has pressed no button and rides: nobody else may be asked about or shown, and each
    picture has to be a turn.
    """

    def __init__(self, seed: object, air: str = INSTANT) -> None:
        self.random = random.Random(str(seed))
        self.air = AIRS[air](seed)
        self.log = EventLog()
        self.chip = WatchedChip("firmware", self.air, FIRMWARE_ADDRESS, self.random, self._complain)
        self.chip.on_attempt = self._let_connect
        self.phone = Phone(
            self.air,
            ANDROID,
            [],
            1.0,
            self.random,
            self.report,
            PairingHabits(COMPARE),
            advertising_interval=PHONES_INTERVAL,
        )
        self.telling = self.phone.navigation = Telling(ANDROID, self.random)
        self.firmware: FirmwareProcess | None = None
        self.wrongs: list[str] = []
        self.is_guarded = False
        self._agrees = False
        self._server = FirmwareServer(self.chip, lambda event, **fields: None)
        self._others: list[Phone] = []
        self._glass: Glass | None = None
        self._folder = Path()
        self._newest = 0.0
        self._changed = asyncio.Event()

    # Running

    @contextlib.asynccontextmanager
    async def running(self, command: Sequence[str], folder: Path) -> AsyncIterator[None]:
        """The firmware runs and searches; the rider's phone is not near yet."""
        self._folder = folder
        self._glass = Glass(folder)
        await self._server.start("tcp-server:127.0.0.1:0")
        telling = asyncio.create_task(keep_telling(self.telling, lambda: RIDING_TICK))
        try:
            self.phone.vanish()
            await self.phone.start()
            keys = [f"store={folder}/bond", "pairing=preferred"]
            async with telling_firmware(command, self._server.port, folder, self._on_event, keys) as self.firmware:
                self.log = self.firmware.log
                yield
        finally:
            telling.cancel()
            self._server.close()
            for phone in [self.phone, *self._others]:
                with contextlib.suppress(asyncio.CancelledError):
                    await phone.stop()

    def judge(self) -> None:
        """Raises `NotHeld` if anything was wrong so far."""
        if self.firmware.status is not None:
            raise NotHeld(f"ended with status {self.firmware.status}")
        if self.log.malformed:
            raise NotHeld(f"said what is no event: {self.log.malformed[0][:60]!r}")
        if self.wrongs:
            raise NotHeld(self.wrongs[0])

    # What the firmware and the phones say

    def _on_event(self, event: dict) -> None:
        match event["event"]:
            case "instruction":
                told = self.telling.told_at(event)
                if told is not None:
                    self._newest = max(self._newest, told)
                else:
                    self.wrongs.append(f"showed “{event['street']}”")
            case "pairing" if self._agrees and event["state"] == "confirm":
                self.press("a")
            case "pairing" if self.is_guarded and event["state"] != "failed":
                self.wrongs.append(f"pairing without a press: {event['state']}")
            case "frame" if self.is_guarded:
                if not self._glass.shows_turn():
                    self.wrongs.append("something else than the turn was on the panel")
        self._changed.set()

    def _complain(self, message: str) -> None:
        self.wrongs.append(f"against the specification: {message}")

    def report(self, event: str, **fields: object) -> None:
        """Hears what a phone tells."""
        self._changed.set()

    def count(self, event: str, **fields: object) -> int:
        """How many such events the firmware has told."""
        return sum((fields | {"event": event}).items() <= found.items() for found in self.log.events)

    async def until(self, is_so: Callable[[], bool], what: str, within: float = PATIENCE) -> float:
        """The seconds until something is so. Raises `NotHeld` if it is not in time, or if something was wrong."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        try:
            async with asyncio.timeout(within):
                while not is_so():
                    self.judge()
                    self._changed.clear()
                    with contextlib.suppress(TimeoutError):
                        # The end of the firmware is no event.
                        await asyncio.wait_for(self._changed.wait(), 1)
        except TimeoutError:
            raise NotHeld(f"{what}: not within {within:g} s") from None
        self.judge()
        return loop.time() - start

    async def told(self, event: str, within: float = PATIENCE, **fields: object) -> float:
        """The seconds until there is such an event."""
        what = " ".join([event, *map(str, fields.values())])
        return await self.until(lambda: self.count(event, **fields) > 0, what, within)

    async def never(self, event: str, seconds: float, **fields: object) -> None:
        """Waits; raises `NotHeld` if there is another one of these events meanwhile."""
        count = self.count(event, **fields)
        await asyncio.sleep(seconds)
        if self.count(event, **fields) > count:
            raise NotHeld(" ".join(["though it must not:", event, *map(str, fields.values())]))
        self.judge()

    def store(self) -> bytes:
        return (self._folder / "bond").read_bytes()

    def press(self, gesture: str) -> None:
        """The rider presses a button: what follows is wished."""
        self.is_guarded = False
        self.firmware.press(gesture)

    # The rider's phone

    async def ride(self) -> None:
        """The rider pairs and rides; from then on the scene is guarded."""
        self._agrees = True
        self.phone.come_back()
        await self.told("bond", state="saved")
        self._agrees = False
        await self.fresh()
        await self.until(self._has_drawn_the_turn, "no picture of the turn")
        self._glass.learn()
        self.is_guarded = True

    def _has_drawn_the_turn(self) -> bool:
        """Whether there was a picture after the notice of who is paired."""
        saved = [event["t"] for event in self.log.events if event["event"] == "bond" and event["state"] == "saved"]
        return any(event["event"] == "frame" and event["t"] > saved[0] + NOTICE for event in self.log.events)

    async def fresh(self, within: float = PATIENCE) -> float:
        """The seconds until an instruction is shown that is told from now on."""
        start = asyncio.get_running_loop().time()
        self.telling.tell()
        return await self.until(lambda: self._newest >= start, "no instruction of the rider's phone", within)

    def recorded_address(self) -> hci.Address:
        """A private address that the rider's phone had at some time."""
        return self.phone.identity.private_address(self.random)

    # Attackers

    @contextlib.asynccontextmanager
    async def attacker(self, mode: str = JUST_WORKS, address: hci.Address | None = None) -> AsyncIterator[Phone]:
        """Somebody who is on the air meanwhile, nearer than the rider's phone."""
        other = attacker(self.air, self.random, self.report, PairingHabits(mode), RECORDERS_INTERVAL, address)
        self._others.append(other)
        await other.start()
        try:
            yield other
        finally:
            self._leave(other)

    def _leave(self, other: Phone) -> None:
        """Takes an attacker off the air."""
        other.vanish()
        if self.chip.pending_le_connection is not None:
            self._let_connect(self.chip.pending_le_connection.peer_address)
        if is_in_store(self._folder / "bond", other):
            self.wrongs.append("a stranger was remembered")

    def _let_connect(self, address: hci.Address) -> None:
        """An attacker that has just gone sends one more advertisement if it is connected to.

        Whoever goes between an advertisement and the link, friend or enemy, costs the attempt its 5 s.
        """
        owners = [phone for phone in (self.phone, *self._others) if phone.device.random_address == address]
        if any(phone.chip.le_legacy_advertiser.enabled for phone in owners):
            return
        for other in owners:
            if other is not self.phone:
                advertiser = other.chip.le_legacy_advertiser
                advertiser.enabled = True
                advertiser.send_advertising_data()
                # It is heard in the next turn of the loop.
                asyncio.get_running_loop().call_soon(advertiser.stop)

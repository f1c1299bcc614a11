"""The sessions of firmware, controller and phone that faults are put into: each has steps of its own."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bumble import hci

from lenker_bench.phone.kinds import KINDS, Kind
from lenker_bench.phone.music import PLAYING, Music
from lenker_bench.phone.notifications import Habits, Notifications
from lenker_bench.phone.pairing import COMPARE, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.programs.processes import FirmwareProcess, telling_firmware
from lenker_bench.programs.rider import Rider, RiderError
from lenker_bench.sensors.sensor import sensors_of
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.chip_kinds import BCM43430B0, Buffers
from lenker_bench.wire.h4 import FirmwareServer

from ..wire.faults import Plan
from ..wire.proxy import Proxy
from .telling import Telling, keep_telling

FIRMWARE_ADDRESS = "B8:27:EB:4C:45:4E"
SMALLEST_MTU = 23
CONNECT = 5.0  # seconds; then the firmware calls its attempt back
CREATE_CONNECTION = bytes.fromhex("010d20")
RIDING_TICK, IDLE_TICK = 0.4, 2.0  # seconds between instructions: while one is waited for, and else
NEWS_TICK = 1.0  # seconds between notifications, and between titles
PAIRED = 60.0  # seconds until firmware and phone know each other


DUAL_MODE = replace(
    BCM43430B0,
    name="dual-mode",
    commands=BCM43430B0.with_commands(hci.HCI_LE_SET_PHY_COMMAND),
    le_features=BCM43430B0.le_features | hci.LeFeatureMask.LE_2M_PHY,
    acl=Buffers(27, 8),
    le=Buffers(0, 0),
)
"""A later chip: LE in the buffers of BR/EDR, longer packets, the faster PHY."""


class DualModeChip(Chip):
    """One that says so."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments, kind=DUAL_MODE)


class Bench:
    """One firmware with its chip and phone, and a proxy between, all but the firmware in this process.

    `on_instruction` is called for each instruction shown, with the time when the phone told it. A phone that `tells`
    is known to the firmware, which hears its clock, music and notifications; `was_asked` about one of the latter.
    """

    def __init__(
        self,
        kind: Kind,
        seed: object,
        plan: Plan,
        chip: type[Chip] = Chip,
        mtu: int | None = None,
        sensors: Sequence[str] = (),
        air: Air | None = None,
        make: Callable[..., Phone] = Phone,
        tells: bool = False,
    ) -> None:
        source = random.Random(str(seed))
        report = self._on_report
        self.air = air or Air()
        self.chip = chip("firmware", self.air, FIRMWARE_ADDRESS, source)
        self.server = FirmwareServer(self.chip, report)
        self.tells = tells
        self.was_asked = asyncio.Event()
        news = {
            "pairing": PairingHabits(COMPARE),
            "music": Music(PLAYING),
            "notifications": Notifications(Habits(is_there=True)),
        }
        self.phone = make(self.air, kind, [], 1.0, source, report, **(news if tells else {}))
        self.navigation = self.phone.navigation = Telling(kind, source)
        if mtu is not None:
            self.phone.device.gatt_server.max_mtu = mtu
        self.sensors = sensors_of(self.air, sensors, [], seed, report)
        self.plan = plan
        self.proxy: Proxy | None = None
        self.seed = seed
        self.tick = RIDING_TICK
        self.firmware: FirmwareProcess | None = None
        self.errors: list[str] = []
        self.link = "none"
        self.on_instruction: Callable[[float], None] = lambda told: None
        self.on_frame: Callable[[dict], None] = lambda event: None
        self.on_figures: Callable[[dict], None] = lambda event: None
        self.lose_link = self.phone.drop
        self.on_packet: Callable[[str, bytes], None] = lambda direction, packet: None
        self.vanishes = False
        self.is_connecting = asyncio.Event()
        self.is_slow = asyncio.Event()

    def _on_report(self, event: str, **fields: object) -> None:
        if event == "notification" and "asked" in fields:
            self.was_asked.set()

    def _on_packet(self, direction: str, packet: bytes) -> None:
        if packet[:3] == CREATE_CONNECTION and not self.is_connecting.is_set():
            self.is_connecting.set()
            if self.vanishes:
                self.phone.vanish()
        self.on_packet(direction, packet)

    def _on_event(self, event: dict) -> None:
        match event["event"]:
            case "error":
                self.errors.append(f"{event['source']}: {event['message']}")
            case "scan" if event["mode"] == "slow":
                self.is_slow.set()
            case "link":
                self.link = event["state"]
            case "frame":
                self.on_frame(event)
            case "measure":
                self.on_figures(event)
            case "instruction":
                told = self.navigation.told_at(event)
                if told is not None:
                    self.on_instruction(told)

    @contextlib.asynccontextmanager
    async def running(
        self,
        command: Sequence[str],
        frames: Path,
        with_phone: bool = True,
        keys: Sequence[str] = ("pairing=off",),
    ) -> AsyncIterator[None]:
        await self.server.start("tcp-server:127.0.0.1:0")
        self.proxy = Proxy(
            ("127.0.0.1", self.server.port),
            self.plan,
            self._on_report,
            self.seed,
            lose_link=lambda: self.lose_link(),
            on_packet=self._on_packet,
        )
        await self.proxy.start()
        telling = asyncio.create_task(keep_telling(self.navigation, lambda: self.tick))
        try:
            if with_phone:
                await self.phone.start()
            if self.tells:
                keys = [f"store={frames / 'bond'}", "music=on", "notifications=all"]
                await self._pair(command, frames, keys)
            for sensor in self.sensors:
                await sensor.start()
            async with telling_firmware(command, self.proxy.port, frames, self._on_event, keys) as self.firmware:
                yield
        finally:
            telling.cancel()
            self.proxy.close()
            self.server.close()
            for found in (self.phone, *self.sensors):
                with contextlib.suppress(asyncio.CancelledError):
                    await found.stop()

    async def _pair(self, command: Sequence[str], folder: Path, keys: Sequence[str]) -> None:
        """Firmware and phone get to know each other, without a fault; if they do not, no step comes."""
        is_known = asyncio.Event()

        def hear(event: dict) -> None:
            match event["event"], event.get("state"):
                case "pairing", "confirm":
                    self.firmware.press("a")
                case "bond", "saved":
                    is_known.set()

        async with telling_firmware(command, self.server.port, folder, hear, keys) as self.firmware:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(is_known.wait(), PAIRED)
            await self.firmware.stop()

    async def keep_having_news(self) -> None:
        """What the phone tells beside the way changes again and again."""
        while True:
            self.phone.notifications.add_invented()
            self.phone.music.play_next()
            await asyncio.sleep(NEWS_TICK)


@dataclass(frozen=True)
class Scenario:
    """What kind of session, and which step is its last.

    `last` is a name and its number; the steps up to it are the scenario's. What else happens is said by the flags:
    the rider lets the phone go (`is_left`), the phone comes when the scan is slow (`is_late`), or it vanishes when
    it is connected to (`vanishes`). The phone asks for connection parameters `asks_after` seconds on the link, if
    given: else it would depend on the machine whether a session has that step. A `sensor` is added by the rider, then
    its link is lost. A phone that `tells` is paired, and has a clock, music and notifications.
    """

    name: str
    last: tuple[str, int]
    kind: str = "ios"
    mtu: int | None = None
    chip: type[Chip] = Chip
    is_left: bool = False
    is_late: bool = False
    vanishes: bool = False
    asks_after: float | None = None
    sensor: str = ""
    tells: bool = False

    def bench(self, seed: object, plan: Plan) -> Bench:
        kind = replace(KINDS[self.kind], parameters_after=self.asks_after)
        bench = Bench(kind, seed, plan, self.chip, self.mtu, [self.sensor] if self.sensor else [], tells=self.tells)
        bench.vanishes = self.vanishes
        return bench

    async def play(self, bench: Bench, shown: asyncio.Event) -> None:
        """What phone and rider do of their own accord. `shown` is set at the first instruction."""
        if self.vanishes:
            await bench.is_connecting.wait()
            await asyncio.sleep(CONNECT + 3)
            bench.phone.come_back()
        if self.is_late:
            await bench.is_slow.wait()
            await bench.phone.start()
        if self.is_left:
            await shown.wait()
            bench.firmware.press("B")
        if self.sensor:
            await shown.wait()
            await self._add_and_lose_sensor(bench)
        if self.tells:
            await bench.keep_having_news()

    async def _add_and_lose_sensor(self, bench: Bench) -> None:
        """The rider adds the sensor, however often that fails; then it is lost, and comes back."""
        (sensor,) = bench.sensors
        log = bench.firmware.log
        while not any(event.get("state") == "remembered" for event in log.named("sensor")):
            with contextlib.suppress(RiderError, TimeoutError):
                await Rider(log, bench.firmware.press).add(lambda offered: True)
        heard = asyncio.Event()
        sensor.on_value = lambda value: heard.set()
        await heard.wait()
        sensor.drop()


SCENARIOS = (
    Scenario("ios", ("read:answer", 4)),
    Scenario("android", ("notification", 4), kind="android"),
    Scenario("small", ("read-blob:answer", 2), kind="android", mtu=SMALLEST_MTU),
    Scenario("dual", ("notification", 4), kind="android", chip=DualModeChip),
    Scenario("unsubscribable", ("read:answer", 4), kind="android-2019"),
    Scenario("asked", ("signaling-0x13", 1), asks_after=0.5),
    Scenario("asked-below", ("le-connection-update-complete", 1), kind="android", asks_after=0.5),
    Scenario("relaxed", ("le-connection-update-complete", 1), kind="android"),
    Scenario("left", ("subscribe:answer", 2), is_left=True),
    Scenario("vanishing", ("subscribe:answer", 1), vanishes=True),
    Scenario("late", ("subscribe:answer", 1), is_late=True),
    Scenario("strap", ("sensor-notification", 4), sensor="heart"),
    Scenario("news", ("notification-calls", 4), tells=True),
)

REPEATED = {
    "notification": {3},
    "read": {3},
    "read:answer": {3},
    "completed": set(range(2, 13)),
    "subscribe-music": {2},
    "subscribe-music:answer": {2},
    "subscribe-calls": {2},
    "subscribe-calls:answer": {2},
    "notification-calls": {2},
    "sensor-le-connection-complete": {2},
    "sensor-subscribe": {2},
    "sensor-subscribe:answer": {2},
}
"""Packets that come again and again, and of which the first is not like the others: in steady riding, and where the
controller gives buffers back at each stage of the discovery."""

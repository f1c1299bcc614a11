"""A firmware with its controller and a phone, in one process but for the firmware."""

import asyncio
import contextlib
import random
import re
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from lenker_bench.phone.kinds import Kind
from lenker_bench.phone.phone import Phone
from lenker_bench.programs.processes import FirmwareProcess, telling_firmware
from lenker_bench.sensors.sensor import sensors_of
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.h4 import FirmwareServer

from .proxy import TO_FIRMWARE, Proxy
from .telling import Telling, keep_telling

FIRMWARE_ADDRESS = "B8:27:EB:4C:45:4E"
RIDING_TICK = 0.4  # seconds between instructions


class Bench:
    """One firmware with its chip, its phone and sensors, and a proxy between them.

    `on_instruction` is called for each instruction shown, with the time when the phone told it. `damage` says what
    becomes of a packet on its way to the firmware.
    """

    def __init__(
        self,
        kind: Kind,
        seed: object,
        sensors: Sequence[str] = (),
        air: Air | None = None,
        make: Callable[..., Phone] = Phone,
    ) -> None:
        source = random.Random(str(seed))
        self.air = air or Air()
        self.chip = Chip("firmware", self.air, FIRMWARE_ADDRESS, source)
        self._server = FirmwareServer(self.chip, self._on_report)
        self.phone = make(self.air, kind, [], 1.0, source, self._on_report)
        self.navigation = self.phone.navigation = Telling(kind, source)
        self.sensors = sensors_of(self.air, sensors, [], seed, self._on_report)
        self.proxy: Proxy | None = None
        self.tick = RIDING_TICK
        self.firmware: FirmwareProcess | None = None
        self.errors: list[str] = []
        self.link = "none"
        self.on_report: Callable[..., None] = lambda event, **fields: None
        self.on_event: Callable[[dict], None] = lambda event: None
        self.on_instruction: Callable[[float], None] = lambda told: None
        self.on_frame: Callable[[dict], None] = lambda event: None
        self.on_packet: Callable[[str, bytes], None] = lambda direction, packet: None
        self.damage: Callable[[bytes], bytes] = lambda packet: packet

    def _on_report(self, event: str, **fields: object) -> None:
        self.on_report(event, **fields)

    def _on_packet(self, direction: str, packet: bytes) -> bytes:
        self.on_packet(direction, packet)
        return self.damage(packet) if direction == TO_FIRMWARE else packet

    def _on_event(self, event: dict) -> None:
        match event["event"]:
            case "error":
                self.errors.append(f"{event['source']}: {event['message']}")
            case "link":
                self.link = event["state"]
            case "frame":
                self.on_frame(event)
            case "instruction":
                told = self.navigation.told_at(event)
                if told is not None:
                    self.on_instruction(told)
        self.on_event(event)

    @contextlib.asynccontextmanager
    async def running(
        self,
        command: Sequence[str],
        frames: Path,
        keys: Sequence[str] = ("pairing=off",),
    ) -> AsyncIterator[None]:
        await self._server.start("tcp-server:127.0.0.1:0")
        self.proxy = Proxy(("127.0.0.1", self._server.port), self._on_packet)
        await self.proxy.start()
        telling = asyncio.create_task(keep_telling(self.navigation, lambda: self.tick))
        try:
            await self.phone.start()
            for sensor in self.sensors:
                await sensor.start()
            async with telling_firmware(command, self.proxy.port, frames, self._on_event, keys) as self.firmware:
                yield
        finally:
            telling.cancel()
            self.proxy.close()
            self._server.close()
            for found in (self.phone, *self.sensors):
                with contextlib.suppress(asyncio.CancelledError):
                    await found.stop()

    async def until(self, event: asyncio.Event, seconds: float) -> None:
        """Raises `TimeoutError` if it is not set in time, or if the firmware has ended."""
        waiting = [asyncio.create_task(event.wait()), asyncio.create_task(self.firmware.process.wait())]
        try:
            await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
        if not event.is_set():
            raise TimeoutError(f"link {self.link}, status {self.firmware.status}")


def memory_of(process: int) -> int:
    """Resident memory in KB that belongs to no file, read while nothing is under way.

    Pages of the program itself come and go with what is run, and with what else the machine needs.
    """
    return int(re.search(r"^RssAnon:\s+(\d+)", Path(f"/proc/{process}/status").read_text(), re.M)[1])


@contextlib.contextmanager
def quiet_loop():
    """An event loop without Bumble's complaints about damaged packets."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: None)
    try:
        yield
    finally:
        loop.set_exception_handler(None)

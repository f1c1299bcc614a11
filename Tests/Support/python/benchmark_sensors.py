"""What three sensors cost beside a phone, on the true air: figures of Sources/figures.md, for `benchmark.py`.

The same session is measured without them and with them, both at the same time. The delay begins where the packet of
the phone's notification goes to the firmware, and ends with the `frame` event of the picture that shows it: an
iPhone's instruction has to be read in between, by requests that sensors' packets may hold up.
"""

import asyncio
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lenker_bench.phone.kinds import IOS
from lenker_bench.programs.rider import Rider
from lenker_bench.wire.true_air import AIRS, TRUE
from lenker_trials.sessions.bench import Bench, quiet_loop
from lenker_trials.sessions.proxy import TO_FIRMWARE
from process_figures import wakeups_of

SENSORS = ("heart", "speed:value=24", "power")  # each tells a value once a second
SEED = 1
INSTRUCTIONS = 300
SETTLE = 12.0  # seconds until the links are relaxed
IDLE_SECONDS = 30.0
SILENT = 3600.0  # seconds between two instructions of a phone that has nothing new to tell
NOTIFICATION = 0x1B
ATT = 0x0004


@dataclass
class Measured:
    """Seconds of delay, wake-ups a second while the phone is idle, and bytes a second of the page of the data."""

    delays: list[float] = field(default_factory=list)
    wakeups: float = 0.0
    traffic: float = 0.0


class Session:
    """One firmware, its phone and its sensors, if any."""

    def __init__(self, sensors: Sequence[str]) -> None:
        self._bench = Bench(IOS, SEED, sensors=sensors, air=AIRS[TRUE](SEED))
        self._bench.on_packet = self._on_packet
        self._bench.on_instruction = lambda told: setattr(self, "_is_shown_next", True)
        self._bench.on_frame = self._on_frame
        self._told: float | None = None
        self._is_shown_next = False
        self._bytes = 0
        self._is_enough = asyncio.Event()
        self.measured = Measured()

    async def run(self, command: Sequence[str], folder: Path) -> Measured:
        async with self._bench.running(command, folder, keys=("pairing=off", f"i2c-trace=file:{folder / 'i2c.trace'}")):
            firmware = self._bench.firmware
            await firmware.log.wait_for("instruction")
            if self._bench.sensors:
                await Rider(firmware.log, firmware.press).add_each(
                    {sensor.choice.kind for sensor in self._bench.sensors}
                )
                # The first press takes away that a sensor is kept.
                firmware.press("aa")
            await asyncio.sleep(SETTLE)
            self.measured.delays.clear()
            await self._is_enough.wait()

            self._bench.tick = SILENT
            self.measured.wakeups = await self._rate_of(lambda: wakeups_of(firmware.process.pid))
            if self._bench.sensors:
                firmware.press("aa")
                self.measured.traffic = await self._rate_of(lambda: self._bytes)
        return self.measured

    @staticmethod
    async def _rate_of(count: Callable[[], int]) -> float:
        before = count()
        await asyncio.sleep(IDLE_SECONDS)
        return (count() - before) / IDLE_SECONDS

    def _on_packet(self, direction: str, packet: bytes) -> None:
        if direction == TO_FIRMWARE and self._is_of_the_phone(packet) and packet[9] == NOTIFICATION:
            self._told = asyncio.get_running_loop().time()
            self._is_shown_next = False

    def _is_of_the_phone(self, packet: bytes) -> bool:
        """An attribute PDU on the first link, which is the phone's."""
        if packet[0] != 0x02 or len(packet) < 10:
            return False
        handle = int.from_bytes(packet[1:3], "little") & 0x0FFF
        phones = min((link.handle for link in self._bench.chip.le_connections.values()), default=None)
        return handle == phones and int.from_bytes(packet[7:9], "little") == ATT

    def _on_frame(self, event: dict) -> None:
        self._bytes += event["bytes"]
        if self._told is None or not self._is_shown_next:
            return
        self.measured.delays.append(asyncio.get_running_loop().time() - self._told)
        self._told = None
        if len(self.measured.delays) >= INSTRUCTIONS:
            self._is_enough.set()


async def sensor_rows(command: Sequence[str], folder: Path) -> list[tuple[str, str, str]]:
    with quiet_loop():
        folders = [folder / name for name in ("without", "with")]
        for each in folders:
            each.mkdir(parents=True)
        without, beside = await asyncio.gather(
            Session(()).run(command, folders[0]), Session(SENSORS).run(command, folders[1])
        )
    delay, longer = (statistics.median(found.delays) * 1000 for found in (without, beside))
    what = "from an iPhone's notification to the last I2C byte, true air"
    return [
        (f"{what}, no sensors", f"{delay:.1f} ms", ""),
        (f"{what}, three sensors that tell a value a second", f"{longer:.1f} ms", "5 ms more"),
        ("wake-ups a second with three sensors, the phone has nothing new", f"{beside.wakeups:.1f}", "≤ 6"),
        ("I2C bytes a second of the page of the data", f"{beside.traffic:.0f}", "< 150"),
    ]

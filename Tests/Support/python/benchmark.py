"""The figures of Sources/figures.md: `benchmark.py [--ride FILE]`, run by `Tests/benchmark`.

Latency is taken where the lines of the phone and of the bus trace arrive in this one process, so that both have the
same way: from the phone's new instruction to the last I2C message of the picture that shows it.
"""

import argparse
import asyncio
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

from benchmark_browser import browser_rows
from benchmark_notifications import notification_rows
from benchmark_scan import scan_rows
from benchmark_sensors import sensor_rows
from benchmark_visits import visit_rows
from lenker_bench.phone.rides import read_ride
from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import ROOT, running_firmware, running_phone
from process_figures import own_memory_of, resident_of, wakeups_of
from recording import RECORDED_RIDES, read_trace
from ssd1306 import GLASSES, Panel

REGULAR = ROOT / ".build/release/lenker"
BOARD = ROOT / ".build/pi-zero-w/lenker"
PROFILE = ROOT / ".build/release/RedrawProfile"
OWN_RIDE = ROOT / "Boards/bench/rides/lenker-tour.csv"
IDLE_SECONDS = 20.0
PAIRINGS = 5
# The first pictures are the start, the search, what was found, and the way to it.
PICTURES_BEFORE_THE_RIDE = 6

Row = tuple[str, str, str]


def size_rows() -> list[Row]:
    """File, tables and memory of the ARMv6 binary."""
    sections = subprocess.run(
        ["arm-linux-gnueabi-size", "-B", BOARD], capture_output=True, text=True, check=True
    ).stdout.splitlines()[1]
    _, data, bss = map(int, sections.split()[:3])
    tables = sum(
        len(re.sub(r"\\u\{[0-9a-f]+\}|\\.", "x", literal))
        for path in (ROOT / ".build/pi-zero-w/plugins").rglob("*.swift")
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', path.read_text())
    )
    file = BOARD.stat().st_size
    return [
        ("ARMv6 binary beside the font tables", f"{(file - tables) / 1000:.0f} KB", "< 1150 KB"),
        ("font and arrow tables", f"{tables / 1000:.0f} KB", ""),
        ("data + bss", f"{(data + bss) / 1024:.1f} KB", "< 48 KB"),
    ]


class Latency:
    """From an instruction of the phone to the end of the picture that shows it."""

    def __init__(self) -> None:
        self.milliseconds: list[float] = []
        self._told: float | None = None

    def on_phone_event(self, event: dict) -> None:
        if event["event"] == "instruction":
            self._told = asyncio.get_running_loop().time()

    def on_frame(self) -> None:
        """The firmware's `frame` event is written right after the last message."""
        if self._told is not None:
            self.milliseconds.append((asyncio.get_running_loop().time() - self._told) * 1000)
            self._told = None


async def ride_rows(ride: Path, folder: Path, speed: float) -> list[Row]:
    outputs = Outputs(folder)
    latency = Latency()
    frames: list[dict] = []

    def on_firmware_event(event: dict) -> None:
        if event["event"] == "frame":
            frames.append(event)
            latency.on_frame()

    phone_options = ("--ride", ride, "--speed", speed, "--seed", 1)
    async with running_phone(*phone_options, on_event=latency.on_phone_event) as phone:
        async with running_firmware(
            [str(REGULAR)],
            [f"{key}={value}" for key, value in outputs.keys(phone.port).items() if key != "buttons"],
            events=outputs.events,
            on_event=on_firmware_event,
        ) as firmware:
            await phone.log.wait_for("finished", timeout=None)
            memory = own_memory_of(firmware.process.pid)
            total = resident_of(firmware.process.pid)
            await firmware.stop()
    return [
        *traffic_rows(folder, frames, "ssd1306-128x64"),
        (
            "from the phone's instruction to the last I2C byte",
            f"{statistics.median(latency.milliseconds):.1f} ms",
            "< 5 ms",
        ),
        ("resident while riding, this machine's build", f"{total / 1024:.1f} MB", "< 10 MB"),
        ("of that the program's own pages", f"{memory / 1024:.2f} MB", ""),
    ]


def traffic_rows(folder: Path, frames: list[dict], panel: str, name: str = "", limit: str = "< 110") -> list[Row]:
    """Bytes on the wire for each picture of the ride, and how many bytes of the panel's RAM they changed."""
    messages = iter(read_trace(folder / "i2c.trace"))
    mirror = Panel(panel)
    changed = []
    for frame in frames:
        before = b"".join(mirror.ram)
        for _ in range(frame["messages"]):
            mirror.write(next(messages).data)
        changed.append(sum(a != b for a, b in zip(before, b"".join(mirror.ram), strict=True)))
    riding = slice(PICTURES_BEFORE_THE_RIDE, -1)
    sent = [frame["bytes"] for frame in frames[riding]]
    return [
        (f"I2C bytes for each changed picture, {name or panel}", f"{statistics.mean(sent):.1f}", limit),
        ("bytes of its RAM that change", f"{statistics.mean(changed[riding]):.1f}", ""),
    ]


async def other_panels_rows(ride: Path, folder: Path, speed: float) -> list[Row]:
    """The traffic of the same ride on the other panels."""
    rows = []
    others = [(name, 0) for name in GLASSES if name != "ssd1306-128x64"]
    for panel, rotation in [*others, ("ssd1306-128x64", 90)]:
        name = f"{panel} upright" if rotation else panel
        (folder / name).mkdir(parents=True)
        outputs = Outputs(folder / name)
        keys = {**outputs.keys(0), "panel": panel, "rotation": str(rotation)}
        async with running_phone("--ride", ride, "--speed", speed, "--seed", 1) as phone:
            keys["hci"] = f"tcp:127.0.0.1:{phone.port}"
            options = [f"{key}={value}" for key, value in keys.items() if key != "buttons"]
            async with running_firmware([str(REGULAR)], options, events=outputs.events) as firmware:
                await phone.log.wait_for("finished", timeout=None)
                await firmware.stop()
        # Upright, digits stand across all pages of the RAM; an SH1106 wants an address for each page, as does an
        # SH1107, whose digits lie in five.
        limits = {"sh1106-128x64": "< 120", "sh1107-128x128": "< 160"}
        limit = "< 150" if rotation else limits.get(panel, "< 110")
        rows += traffic_rows(outputs.folder, firmware.log.named("frame"), panel, name, limit)
    return rows


def instructions(stage: str) -> int:
    """Of one update, as the difference between 10 and 110, counted by Valgrind."""
    counts = []
    for updates in (10, 110):
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", PROFILE, str(updates), stage]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        counts.append(int(re.search(r"Collected : (\d+)", run.stderr)[1]))
    return (counts[1] - counts[0]) // 100


def instruction_rows() -> list[Row]:
    """Arrow, distance and street change at once, which is the most that a ride asks for."""
    arrow, drawn, whole, twice = (instructions(stage) for stage in ("arrow", "draw", "flush", "compare"))
    return [
        ("instructions for a changed navigation screen", f"{whole:,}", "< 75,000"),
        ("of them to draw the arrow", f"{arrow:,}", ""),
        ("to draw distance and street", f"{drawn - arrow:,}", ""),
        ("to compare and choose the areas", f"{twice - whole:,}", ""),
        ("to write the messages", f"{whole - drawn - (twice - whole):,}", ""),
    ]


async def idle_rows(folder: Path) -> list[Row]:
    """A connected phone that says the same again and again."""
    ride = folder / "idle.csv"
    ride.write_text("milliseconds,direction,distance,street\n0,1,500,Uferweg\n3600000,1,400,Uferweg\n", "utf-8")
    outputs = Outputs(folder)
    async with running_phone("--ride", ride, "--seed", 1) as phone:
        async with running_firmware(
            [str(REGULAR)],
            [f"{key}={value}" for key, value in outputs.keys(phone.port).items() if key != "buttons"],
            events=outputs.events,
        ) as firmware:
            await firmware.log.wait_for("instruction")
            await asyncio.sleep(2)  # the name and Service Changed are asked for once
            before = wakeups_of(firmware.process.pid)
            await asyncio.sleep(IDLE_SECONDS)
            rate = (wakeups_of(firmware.process.pid) - before) / IDLE_SECONDS
            await firmware.stop()
    return [("wake-ups a second, connected and nothing new", f"{rate:.1f}", "the phone's packets only")]


async def pairing_time(folder: Path) -> float:
    """Seconds from the Pairing Request, which follows `ready` at once, to the bond, by numeric comparison."""
    outputs = Outputs(folder)
    keys = [f"{name}={value}" for name, value in outputs.keys(0, pairs=True).items() if name not in ("hci", "buttons")]
    async with running_phone("--pairing", "compare", "--seed", 1) as phone:
        async with running_firmware(
            ["qemu-arm", "-cpu", "arm1176", str(BOARD)],
            [*keys, f"hci=tcp:127.0.0.1:{phone.port}", f"buttons=fifo:{outputs.buttons}"],
            events=outputs.events,
            buttons=outputs.buttons,
        ) as firmware:
            ready = await firmware.log.wait_for("link", state="ready")
            await firmware.log.wait_for("pairing", state="confirm")
            firmware.press("a")
            done = await firmware.log.wait_for("pairing", state="done")
            await firmware.stop()
    return done["t"] - ready["t"]


async def pairing_rows(folder: Path) -> list[Row]:
    """The whole pairing with the board's binary, its elliptic curve included."""
    times = []
    for number in range(PAIRINGS):
        (folder / str(number)).mkdir(parents=True)
        times.append(await pairing_time(folder / str(number)))
    median = f"{statistics.median(times) * 1000:.0f} ms"
    return [("pairing by numeric comparison, ARMv6 under qemu-arm", median, "< 1000 ms")]


async def main() -> None:
    parser = argparse.ArgumentParser(description="The figures of Sources/figures.md.")
    recorded = RECORDED_RIDES / "potsdam-long.csv"
    parser.add_argument("--ride", type=Path, default=recorded if recorded.exists() else OWN_RIDE)
    parser.add_argument("--speed", type=float, default=20)
    options = parser.parse_args()
    rows = size_rows()
    # In memory: the panel's pictures would have the firmware wait for a disk, and be counted as wake-ups.
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        (Path(folder) / "ride").mkdir()
        (Path(folder) / "idle").mkdir()
        rows += await ride_rows(options.ride, Path(folder) / "ride", options.speed)
        rows += await other_panels_rows(options.ride, Path(folder) / "panels", options.speed)
        rows += instruction_rows()
        rows += await idle_rows(Path(folder) / "idle")
        rows += await pairing_rows(Path(folder) / "pairings")
        rows += await sensor_rows([str(REGULAR)], Path(folder) / "sensors")
        rows += await notification_rows([str(REGULAR)], Path(folder) / "notifications")
        rows += await visit_rows([str(REGULAR)], Path(folder) / "visits")
        rows += await scan_rows(Path(folder) / "scan")
    rows += await browser_rows()
    print(f"{options.ride.name}, {len(read_ride(options.ride))} instructions, speed {options.speed:g}\n")
    print("| what | measured | limit |\n|---|---|---|")
    for row in rows:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    asyncio.run(main())

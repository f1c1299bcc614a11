"""The figures of the scan tool, and of the firmware in the same street."""

import asyncio
import json
import os
import statistics
import subprocess
from pathlib import Path

from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import ROOT, running_firmware, running_phone
from process_figures import wakeups_of
from streets import running_street

REGULAR = ROOT / ".build/release/lenker-scan"
BOARD = ROOT / ".build/pi-zero-w/lenker-scan"
RATE, DEVICES, SECONDS = 2_000, 2_000, 20.0
BUSY = 200
WARM_UP = 3.0  # seconds that a start may take

Row = tuple[str, str, str]


def size_rows() -> list[Row]:
    sections = subprocess.run(["arm-linux-gnueabi-size", "-B", BOARD], capture_output=True, text=True, check=True)
    _, data, bss = map(int, sections.stdout.splitlines()[1].split()[:3])
    return [
        ("lenker-scan for ARMv6", f"{BOARD.stat().st_size / 1000:.0f} KB", "< 700 KB"),
        ("its data + bss", f"{(data + bss) / 1024:.1f} KB", "< 64 KB"),
    ]


def processor_seconds_of(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def flood_rows() -> list[Row]:
    """Two thousand advertisements a second, listened to passively, as each scan response were one more."""
    async with running_street(f"--street={DEVICES}", f"--rate={RATE}") as street:
        process = await asyncio.create_subprocess_exec(
            str(REGULAR),
            "--passive",
            f"hci=tcp:127.0.0.1:{street.port}",
            f"--seconds={SECONDS + WARM_UP:.0f}",
            stdout=asyncio.subprocess.PIPE,
            limit=2**20,
        )
        reading = asyncio.create_task(process.stdout.read())
        await asyncio.sleep(WARM_UP)
        before = processor_seconds_of(process.pid)
        await asyncio.sleep(SECONDS - WARM_UP)
        used = (processor_seconds_of(process.pid) - before) / (SECONDS - WARM_UP)
        lines = (await reading).splitlines()
        await process.wait()
        counted = await street.stop()
    lost = json.loads(lines[-1])["lost"]
    return [
        (
            f"advertisements told in {SECONDS + WARM_UP:.0f} s, of those reported",
            f"{len(lines) - 1:,} of {counted['reports']:,}",
            "all",
        ),
        ("lines lost", f"{lost}", "0"),
        ("of one core", f"{used:.1%}", "< 15 %"),
    ]


async def street_ride_rows(folder: Path) -> list[Row]:
    """The firmware's ride, and its search, in a street of two hundred."""
    outputs = Outputs(folder)
    delays: list[float] = []
    told: list[float] = []

    def on_phone_event(event: dict) -> None:
        if event["event"] == "instruction":
            told.append(asyncio.get_running_loop().time())

    def on_firmware_event(event: dict) -> None:
        if event["event"] == "frame" and told:
            delays.append((asyncio.get_running_loop().time() - told[-1]) * 1000)
            told.clear()

    options = ("--ride", OWN_RIDE, "--speed=20", "--seed=1", f"--street={BUSY}")
    async with running_phone(*options, on_event=on_phone_event) as phone:
        keys = [f"{key}={value}" for key, value in outputs.keys(phone.port).items() if key != "buttons"]
        command = [str(REGULAR.with_name("lenker"))]
        async with running_firmware(command, keys, events=outputs.events, on_event=on_firmware_event) as firmware:
            await phone.log.wait_for("finished", timeout=None)
            await firmware.stop()
    return [
        (
            f"from the phone's instruction to the last I2C byte in a street of {BUSY}",
            f"{statistics.median(delays):.1f} ms",
            "< 5 ms",
        )
    ]


async def search_rows(folder: Path) -> list[Row]:
    """Wake-ups while nobody's phone is there, for each report of the controller."""
    outputs = Outputs(folder)
    async with running_street(f"--street={BUSY}") as street:
        keys = [f"{key}={value}" for key, value in outputs.keys(street.port).items() if key != "buttons"]
        command = [str(REGULAR.with_name("lenker"))]
        async with running_firmware(command, keys, events=outputs.events) as firmware:
            await firmware.log.wait_for("scan", mode="fast")
            await asyncio.sleep(10)
            wakeups = wakeups_of(firmware.process.pid)
            await firmware.stop()
        reports = (await street.stop())["reports"]
    return [(f"wake-ups for each report, searching in a street of {BUSY}", f"{wakeups / reports:.2f}", "≤ 1")]


async def scan_rows(folder: Path) -> list[Row]:
    for name in ("ride", "search"):
        (folder / name).mkdir(parents=True)
    return [
        *size_rows(),
        *await flood_rows(),
        *await street_ride_rows(folder / "ride"),
        *await search_rows(folder / "search"),
    ]

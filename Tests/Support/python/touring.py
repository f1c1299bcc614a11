"""Rides with the real program from the first instruction to the last, and what they leave behind."""

from collections.abc import Callable
from pathlib import Path

from builds import command_of
from lenker_bench.programs.events import EventLog
from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import running_firmware, running_phone
from recording import CAPTURE, Recording, recording, told_apart, wait_for_instructions

SPEED = 20
Tour = Callable[[str], Recording]


def settings(folder: Path) -> list[str]:
    keys = Outputs(folder).keys(0).items()
    return [f"{name}={value}" for name, value in keys if name not in ("hci", "buttons")]


async def ride(build: str, folder: Path, path: Path, *keys: str, speed: float = SPEED) -> None:
    """Rides to the last instruction, then ends the firmware."""
    outputs = Outputs(folder)
    capture = f"btsnoop=file:{folder / CAPTURE}"
    async with (
        running_phone("--ride", path, f"--speed={speed}", "--kind=ios") as phone,
        running_firmware(
            command_of(build),
            [f"hci=tcp:127.0.0.1:{phone.port}", capture, *settings(folder), *keys],
            events=outputs.events,
        ) as firmware,
    ):
        await wait_for_instructions(firmware.log, len(told_apart(path)))
        await firmware.stop()
    assert firmware.status == 0


def ridden(folder: Path) -> Recording:
    log = EventLog()
    log.feed(Outputs(folder).events.read_bytes())
    return recording(folder, log)

"""Building the firmware, and what plays to its device in virtual time, for this machine."""

import asyncio
import dataclasses
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ..phone.rides import Step
from .children import ROOT, StartError, die_with_parent

FIRMWARE = ["swift", "build", "-c", "release", "--product", "lenker"]
REPLAY = ["swift", "build", "--product", "Replay"]
RIDE = ["swift", "build", "--product", "Rides"]


async def build() -> list[str]:
    """Builds the firmware; the command that runs it. Raises `StartError` after printing what the compiler said."""
    await _run("the firmware", FIRMWARE)
    return [str(ROOT / ".build" / "release" / "lenker")]


async def build_replay() -> list[str]:
    """Builds what plays recordings; the command that runs it. Raises `StartError` likewise."""
    await _run("the replay", REPLAY)
    return [str(ROOT / ".build" / "debug" / "Replay")]


async def build_ride() -> list[str]:
    """Builds what rides in virtual time; the command that runs it. Raises `StartError` likewise."""
    await _run("the ride", RIDE)
    return [str(ROOT / ".build" / "debug" / "Rides"), "pictures"]


async def _run(what: str, command: list[str]) -> None:
    print(f"building {what}", file=sys.stderr, flush=True)
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=ROOT,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            preexec_fn=die_with_parent,
        )
    except OSError as error:
        raise StartError(f"cannot run swift: {error.strerror}; it takes a Swift 6.3 toolchain in PATH") from error
    output, _ = await process.communicate()
    if process.returncode != 0:
        sys.stderr.write(output.decode("utf-8", "replace"))
        raise StartError(f"`{' '.join(command)}` failed, see above")


class SettingError(Exception):
    """A board key that the firmware refuses."""


def ride_in_virtual_time(command: list[str], steps: Sequence[Step], settings: Sequence[str], folder: Path) -> None:
    """Leaves pictures and events in the folder, the same ones each time. Raises `SettingError`."""
    ride = json.dumps([dataclasses.asdict(step) for step in steps])
    result = subprocess.run([*command, folder, *settings], input=ride, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        complaint = result.stderr.strip()
        raise SettingError(re.sub(r"^argument:(\d+)", lambda place: settings[int(place[1]) - 1], complaint))

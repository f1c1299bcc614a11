"""Building the firmware, and what plays to its device in virtual time, for this machine."""

import asyncio
import sys

from .processes import ROOT, StartError, die_with_parent

FIRMWARE = ["swift", "build", "-c", "release", "--product", "lenker"]
REPLAY = ["swift", "build", "--product", "Replay"]
RIDE = ["swift", "build", "--product", "Ride"]


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
    return [str(ROOT / ".build" / "debug" / "Ride")]


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

"""Building the firmware for this machine."""

import asyncio
import sys

from .processes import ROOT, StartError, die_with_parent

COMMAND = ["swift", "build", "-c", "release", "--product", "lenker"]
PRODUCT = ROOT / ".build" / "release" / "lenker"


async def build() -> list[str]:
    """Builds the firmware; the command that runs it. Raises `StartError` after printing what the compiler said."""
    print("building the firmware", file=sys.stderr, flush=True)
    try:
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
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
        raise StartError(f"`{' '.join(COMMAND)}` failed, see above")
    return [str(PRODUCT)]

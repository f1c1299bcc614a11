"""RootCanal, a program of Android: where it is, and one that runs as long as the bench needs it."""

import asyncio
import contextlib
import importlib.util
import platform
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from ..wire.rootcanal import RootCanal
from .processes import StartError, kill, start

LISTENING = re.compile(rb"Listening on: (\d+)")
SERVERS = ("test", "link", "link_ble", "hci")
"""In the order in which it tells their ports."""


class MissingError(Exception):
    """RootCanal cannot run here; the message says what is missing and what to do."""


def program() -> Path:
    """RootCanal's program. Raises `MissingError`."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise MissingError(
            f"RootCanal is a program for Linux on x86-64, and this is {sys.platform} on {platform.machine()}: "
            "take --controller bumble"
        )
    package = importlib.util.find_spec("rootcanal")
    if package is None or package.origin is None:
        raise MissingError("the Python package rootcanal is missing: install it with Boards/install bench")
    return Path(package.origin).with_name("bin") / "linux-x86_64" / "rootcanal"


@contextlib.asynccontextmanager
async def running_rootcanal(advertising_interval: float | None = None) -> AsyncIterator[RootCanal]:
    """Runs RootCanal at free ports. Raises `MissingError` or `StartError`."""
    command = [program(), *(f"-{name}_port=0" for name in SERVERS)]
    process = await start(command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    try:
        ports = await _ports(process.stdout)
        emptying = asyncio.create_task(_empty(process.stdout))
        canal = RootCanal(ports["hci"], advertising_interval)
        try:
            yield canal
        finally:
            canal.close()
            emptying.cancel()
    finally:
        await kill(process)


async def _ports(output: asyncio.StreamReader) -> dict[str, int]:
    found: list[int] = []
    said = b""
    while len(found) < len(SERVERS):
        line = await output.readline()
        if not line:
            raise StartError(f"RootCanal ended at its start: {said.decode('utf-8', 'replace').strip()}")
        said = line
        found += [int(port) for port in LISTENING.findall(line)]
    return dict(zip(SERVERS, found, strict=True))


async def _empty(output: asyncio.StreamReader) -> None:
    """It says much; a full pipe would stop it."""
    while await output.read(1 << 16):
        pass

"""The bench's street, running, and programs that scan in it."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from event_socket import changes
from lenker_bench.programs.events import PATIENCE
from lenker_bench.programs.processes import PACKAGES

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGES)}
COMMAND = [sys.executable, "-m", "lenker_bench.commands.street"]


class Street:
    """A running street; `port` is where its radio is."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.port = 0
        self.events: list[dict] = []

    async def next(self, name: str) -> dict:
        async with asyncio.timeout(PATIENCE):
            while line := await self.process.stdout.readline():
                self.events.append(json.loads(line))
                if self.events[-1]["event"] == name:
                    return self.events[-1]
        raise AssertionError(f"it ended without {name}: {self.events}")

    async def stop(self) -> dict:
        """Ends it, and returns what it counted; its files are whole then."""
        self.process.terminate()
        counted = await self.next("street")
        await self.process.communicate()
        return counted


@contextlib.asynccontextmanager
async def running_street(*options: object) -> AsyncIterator[Street]:
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *map(str, options), stdout=asyncio.subprocess.PIPE, env=ENVIRONMENT
    )
    try:
        street = Street(process)
        street.port = (await street.next("ready"))["port"]
        yield street
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def bytes_in(file: Path, count: int) -> None:
    """Waits until a program has written this many bytes to its file."""
    async with changes(file.parent) as changed:
        while not file.exists() or file.stat().st_size < count:
            await changed()


@dataclass
class Scanned:
    """What a program that scans has printed, and how it ended."""

    status: int
    output: str
    complaint: str

    @property
    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.output.splitlines()]

    def named(self, event: str) -> list[dict]:
        return [line for line in self.lines if line["event"] == event]


async def scan_into_file(command: Sequence[str], output: Path, count: int, *arguments: object) -> Scanned:
    """Runs it until it has written this many bytes; nobody reads too slowly a file, so that nothing is lost."""
    with open(output, "wb") as file:
        process = await asyncio.create_subprocess_exec(
            *command, *map(str, arguments), stdout=file, stderr=asyncio.subprocess.PIPE
        )
    try:
        await bytes_in(output, count)
        process.send_signal(signal.SIGINT)
        _, complaint = await process.communicate()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    return Scanned(process.returncode, output.read_text(), complaint.decode())


async def scan(command: Sequence[str], *arguments: object, words: bytes = b"") -> Scanned:
    """Runs it to its end; `words` is what it reads from standard input."""
    process = await asyncio.create_subprocess_exec(
        *command,
        *map(str, arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        output, complaint = await process.communicate(words)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    return Scanned(process.returncode, output.decode(), complaint.decode())

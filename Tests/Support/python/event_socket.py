"""The socket at which events are read: whoever connects to it, as soon as it is there."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from lenker_bench.programs.events import FolderWatch

PATIENCE = 60.0  # seconds; measures nothing
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@contextlib.asynccontextmanager
async def changes(folder: Path) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """What waits until something in the folder has changed since it was last called."""
    watch = FolderWatch(folder)
    happened = asyncio.Event()
    asyncio.get_running_loop().add_reader(watch, lambda: (watch.clear(), happened.set()))

    async def changed() -> None:
        await happened.wait()
        happened.clear()

    try:
        yield changed
    finally:
        asyncio.get_running_loop().remove_reader(watch)
        watch.close()


@contextlib.asynccontextmanager
async def connected(path: Path) -> AsyncIterator[Streams]:
    """A connection to the socket, as soon as there is one; the folder it is in must be there."""
    async with changes(path.parent) as changed, asyncio.timeout(PATIENCE):
        while True:
            try:
                reader, writer = await asyncio.open_unix_connection(path)
                break
            except FileNotFoundError:
                await changed()
            except ConnectionRefusedError:
                await asyncio.sleep(0)  # its maker, who is about to listen, may do so
    try:
        yield reader, writer
    finally:
        writer.close()

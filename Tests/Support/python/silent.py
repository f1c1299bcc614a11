"""Controllers that no firmware deserves: one that says nothing, and a wire that mixes bytes into what another says."""

import asyncio
import contextlib
from collections.abc import AsyncIterator


class SilentServer:
    """Takes connections and answers nothing; `requests` has what was first said on each."""

    port = 0

    def __init__(self) -> None:
        self.requests: asyncio.Queue[bytes] = asyncio.Queue()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if said := await reader.read(1 << 16):
                self.requests.put_nowait(said)
            while await reader.read(1 << 16):
                pass
        except ConnectionError:
            pass
        finally:
            writer.close()


@contextlib.asynccontextmanager
async def serving() -> AsyncIterator[SilentServer]:
    silent = SilentServer()
    server = await asyncio.start_server(silent.serve, "127.0.0.1", 0)
    silent.port = server.sockets[0].getsockname()[1]
    try:
        yield silent
    finally:
        server.close()


class Wire:
    """Carries bytes between the firmware and a controller; `inject` mixes bytes into what the controller says."""

    port = 0

    def __init__(self, controller: int) -> None:
        self._controller = controller
        self._firmware: asyncio.StreamWriter | None = None

    def inject(self, data: bytes) -> None:
        self._firmware.write(data)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._firmware = writer
        answers, requests = await asyncio.open_connection("127.0.0.1", self._controller)
        await asyncio.gather(_copy(reader, requests), _copy(answers, writer))


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


@contextlib.asynccontextmanager
async def wire_to(controller: int) -> AsyncIterator[Wire]:
    """A wire to the controller at this port of this machine."""
    wire = Wire(controller)
    server = await asyncio.start_server(wire.carry, "127.0.0.1", 0)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        server.close()

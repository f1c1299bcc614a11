"""A controller that no firmware deserves: it says nothing."""

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

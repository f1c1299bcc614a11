"""A card whose current fails in the middle of a write.

async with FailingCard(image, random.Random(1)) as card:
    card.fail_at(3, TORN)
    async with running_pi(card, folder) as pi:
        await card.failed.wait()
        pi.cut_power()
"""

import asyncio
import contextlib
import os
import random
import socket
import struct
from pathlib import Path

from card import BLOCK, SECTOR, Card
from lenker_bench.programs.processes import die_with_parent
from machine import HERE

HEADER = struct.Struct(">QI")

TORN, LOST = "torn", "lost"
"""A sector that is being written gets a part of the new bytes and then any; or, on a cheap card, its block gets any."""


class FailingCard(Card):
    """A card for one start of a Pi. Its flash has what it was told to write, or what is left of that."""

    def __init__(self, image: Path, random_source: random.Random) -> None:
        super().__init__(image)
        self.failed = asyncio.Event()
        self.written: list[int] = []
        """Where on the card each whole write was."""
        self.lost: int | None = None
        """The number of the block that was lost."""
        self._random = random_source
        self._last: int | None = None
        self._damage = TORN

    def fail_at(self, number: int, damage: str) -> None:
        """Has the current fail in the write behind so many more."""
        self._last, self._damage = len(self.written) + number, damage

    async def __aenter__(self) -> "FailingCard":
        ours, theirs = socket.socketpair()
        server, client = socket.socketpair()
        self.drive = f"file.driver=nbd,file.server.type=fd,file.server.str={client.fileno()}"
        self.descriptors = [client.fileno()]
        self._client = client
        arguments = ["python", HERE / "failing_card.py", f"image={self.image}", f"writes={theirs.fileno()}"]
        self._server = await asyncio.create_subprocess_exec(
            "nbdkit", "--single", *arguments, stdin=server, stdout=server, pass_fds=[theirs.fileno()],
            preexec_fn=die_with_parent,
        )  # fmt: skip
        server.close()
        theirs.close()
        reader, self._writer = await asyncio.open_connection(sock=ours)
        self._writing = asyncio.create_task(self._write(reader))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._client.close()
        self._writing.cancel()
        self._writer.close()
        await self._server.wait()
        with contextlib.suppress(asyncio.CancelledError):
            await self._writing

    async def _write(self, reader: asyncio.StreamReader) -> None:
        while header := await reader.read(HEADER.size):
            header += await reader.readexactly(HEADER.size - len(header))
            offset, count = HEADER.unpack(header)
            content = await reader.readexactly(count)
            if len(self.written) == self._last:
                self._fail(content, offset)
                self.failed.set()
                return
            self._put(content, offset)
            self.written.append(offset)
            self._writer.write(b"\0")

    def _fail(self, content: bytes, offset: int) -> None:
        if self._damage == LOST:
            self._put(self._random.randbytes(BLOCK), offset - offset % BLOCK)
            self.lost = offset // BLOCK
        else:
            count = self._random.randrange(len(content))
            self._put(content[:count] + self._random.randbytes(-count % SECTOR), offset)

    def _put(self, content: bytes, offset: int) -> None:
        file = os.open(self.image, os.O_WRONLY)
        try:
            os.pwrite(file, content, offset)
        finally:
            os.close(file)

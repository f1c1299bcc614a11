"""A card whose current fails in the middle of a write.

    async with FailingCard(image, partitions(image)[1], random.Random(1)) as card:
        card.fail_at(3)
        async with running_pi(card, folder) as pi:
            await card.failed.wait()
            pi.cut_power()
"""

import asyncio
import os
import random
import socket
import struct
from pathlib import Path

from card import SECTOR, Card, Partition
from machine import HERE

from lenker_bench.processes import die_with_parent

BLOCK = 4 << 20  # bytes
LOST_BLOCKS = 0.25  # of the failures

HEADER = struct.Struct(">QI")


class FailingCard(Card):
    """A card for one start of a Pi. Its flash has what it was told to write, or what is left of that.

    A sector that was being written when the current failed has a part of the new bytes, and then any. Of a cheap card
    the whole block of flash may have any; `fragile` is the partition where that is tried.
    """

    def __init__(self, image: Path, fragile: Partition, random_source: random.Random) -> None:
        super().__init__(image)
        self.failed = asyncio.Event()
        self.written: list[int] = []
        """Where on the card, write by write."""
        self._fragile = fragile
        self._random = random_source
        self._last: int | None = None

    def fail_at(self, number: int) -> None:
        """Has the current fail in the write of this number, counted from 0."""
        self._last = number

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

    async def _write(self, reader: asyncio.StreamReader) -> None:
        while header := await reader.read(HEADER.size):
            header += await reader.readexactly(HEADER.size - len(header))
            offset, count = HEADER.unpack(header)
            content = await reader.readexactly(count)
            self.written.append(offset)
            if len(self.written) - 1 == self._last:
                self._fail(content, offset)
                self.failed.set()
                return
            self._put(content, offset)
            self._writer.write(b"\0")

    def _fail(self, content: bytes, offset: int) -> None:
        """Writes a part of it, to the end of a sector, or spoils the block that it is in."""
        is_fragile = self._fragile.start <= offset < self._fragile.start + self._fragile.size
        if is_fragile and self._random.random() < LOST_BLOCKS:
            self._put(self._random.randbytes(BLOCK), offset - offset % BLOCK)
        else:
            count = self._random.randrange(len(content))
            self._put(content[:count] + self._random.randbytes(-count % SECTOR), offset)

    def _put(self, content: bytes, offset: int) -> None:
        file = os.open(self.image, os.O_WRONLY)
        try:
            os.pwrite(file, content, offset)
        finally:
            os.close(file)

"""A host without a host, for the virtual chip: raw HCI packets out and in."""

import asyncio
import contextlib
import struct

from bumble.transport.common import PacketParser

from lenker_bench.programs.events import PATIENCE

RESET = bytes.fromhex("01030c00")
EVENT_MASK = bytes.fromhex("01010c08 ffffffffffffff3f")
LE_EVENT_MASK = bytes.fromhex("01012008 1f00000000000000")
ACTIVE_SCAN = bytes.fromhex("010b2007 01 1000 1000 00 00")
SCAN_ON, SCAN_OFF = bytes.fromhex("010c20020100"), bytes.fromhex("010c20020000")
CANCEL = bytes.fromhex("010e2000")
COMMAND_COMPLETE, COMMAND_STATUS, COMPLETED_PACKETS, LE_META = 0x0E, 0x0F, 0x13, 0x3E


class Wire:
    """One connection to a chip: packets out, packets in."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.packets: asyncio.Queue[bytes] = asyncio.Queue()
        self._parser = PacketParser(self)
        self._reading = asyncio.create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while data := await reader.read(4096):
            self._parser.feed_data(data)
        self.packets.put_nowait(b"")

    def on_packet(self, packet: bytes) -> None:
        self.packets.put_nowait(packet)

    def send(self, *packets: bytes) -> None:
        self.writer.write(b"".join(packets))

    async def next(self, code: int | None = None, subevent: int | None = None) -> bytes:
        """The next packet, or the next event of that code; without its type and header."""
        async with asyncio.timeout(PATIENCE):
            while True:
                packet = await self.packets.get()
                if code is None:
                    return packet
                if packet[:2] == bytes([4, code]) and (subevent is None or packet[3] == subevent):
                    return packet[3:]

    async def answer(self, command: bytes) -> bytes:
        """What comes back for a command: its status or return parameters, without the opcode."""
        self.send(command)
        async with asyncio.timeout(PATIENCE):
            while True:
                packet = await self.packets.get()
                if packet[1] == COMMAND_COMPLETE and packet[4:6] == command[1:3]:
                    return packet[6:]
                if packet[1] == COMMAND_STATUS and packet[5:7] == command[1:3]:
                    return packet[3:4]


@contextlib.asynccontextmanager
async def wire_to(port: int):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Wire(reader, writer)
    finally:
        writer.close()


def create_connection(address: bytes, interval: int = 0x10) -> bytes:
    """LE Create Connection: scan interval and window, the peer, 30 ms, no latency, 4 s."""
    fields = struct.pack("<HHBB6sBHHHHHH", interval, interval, 0, 1, address, 0, 24, 24, 0, 400, 0, 0)
    return b"\x01" + struct.pack("<HB", 0x200D, len(fields)) + fields


async def find(wire: Wire, le_event_mask: bytes = LE_EVENT_MASK) -> bytes:
    """The phone's address, in the order of the air."""
    for command in (RESET, EVENT_MASK, le_event_mask, ACTIVE_SCAN, SCAN_ON):
        assert (await wire.answer(command))[:1] == b"\x00"
    report = await wire.next(LE_META, 0x02)
    assert (await wire.answer(SCAN_OFF)) == b"\x00"
    return report[4:10]


async def connect(wire: Wire, le_event_mask: bytes = LE_EVENT_MASK) -> int:
    """The handle."""
    assert await wire.answer(create_connection(await find(wire, le_event_mask))) == b"\x00"
    complete = await wire.next(LE_META, 0x01)
    status, handle, role = struct.unpack_from("<BHB", complete, 1)
    assert (status, role) == (0, 0)
    assert struct.unpack_from("<HHH", complete, 12) == (24, 0, 400)
    return handle

"""The virtual chip behaves as a real one where a firmware could rely on it: raw HCI packets over the wire."""

import asyncio
import contextlib
import struct

import pytest
from bumble.transport.common import PacketParser

from lenker_bench.programs.events import PATIENCE
from lenker_bench.programs.processes import running_phone

RESET = bytes.fromhex("01030c00")
EVENT_MASK = bytes.fromhex("01010c08 ffffffffffffff3f")
LE_EVENT_MASK = bytes.fromhex("01012008 1f00000000000000")
ACTIVE_SCAN = bytes.fromhex("010b2007 01 1000 1000 00 00")
SCAN_ON, SCAN_OFF = bytes.fromhex("010c20020100"), bytes.fromhex("010c20020000")
CANCEL = bytes.fromhex("010e2000")
COMMAND_COMPLETE, COMMAND_STATUS, COMPLETED_PACKETS, LE_META = 0x0E, 0x0F, 0x13, 0x3E


class Wire:
    """A host without a host: packets out, packets in."""

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


@pytest.fixture
def radio(a_ride):
    @contextlib.asynccontextmanager
    async def start(*options: str):
        async with running_phone("--kind=android", "--ride", a_ride, *options) as phone, wire_to(phone.port) as wire:
            yield phone, wire

    return start


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


async def test_it_is_a_bluetooth_4_1_chip_with_a_public_address(radio):
    async with radio() as (_, wire):
        status, version, _, _, manufacturer, subversion = struct.unpack(
            "<BBHBHH", await wire.answer(bytes.fromhex("01011000"))
        )
        assert (status, version, manufacturer, subversion) == (0, 7, 15, 0x2209)
        assert (await wire.answer(bytes.fromhex("01091000")))[1:][::-1].hex(":").startswith("b8:27:eb")


async def test_its_buffers_are_small(radio):
    async with radio() as (_, wire):
        assert struct.unpack("<BHB", await wire.answer(bytes.fromhex("01022000"))) == (0, 27, 8)


async def test_a_command_that_it_does_not_know_is_answered(radio):
    async with radio() as (_, wire):
        for unknown in ("01252000", "01412000", "01ffff00", "0118fc00"):
            assert await wire.answer(bytes.fromhex(unknown)) == b"\x01"


async def test_a_command_that_is_too_short_is_refused(radio):
    async with radio() as (phone, wire):
        assert await wire.answer(bytes.fromhex("010b200101")) == b"\x12"
        await phone.log.wait_for("complaint")


async def test_le_encrypt_is_the_specifications_sample():
    """Core Specification, Vol 6, Part C, 1.2 takes these bytes most significant first; the command, least."""
    key = bytes.fromhex("4C68384139F574D836BCF34E9DFB01BF")[::-1]
    block = bytes.fromhex("0213243546576879acbdcedfe0f10213")[::-1]
    expected = bytes.fromhex("99ad1b5226a37e3e058e3b8e27c2c666")[::-1]
    async with running_phone() as phone, wire_to(phone.port) as wire:
        assert await wire.answer(bytes.fromhex("01172020") + key + block) == b"\x00" + expected


async def test_no_le_event_comes_before_the_event_mask_allows_it(radio):
    async with radio() as (_, wire):
        for command in (RESET, ACTIVE_SCAN, SCAN_ON):
            await wire.answer(command)
        await asyncio.sleep(0.3)
        assert wire.packets.empty()


async def test_nothing_is_reported_unless_scanning(radio):
    async with radio() as (_, wire):
        await find(wire)
        while not wire.packets.empty():
            wire.packets.get_nowait()
        await asyncio.sleep(0.3)
        assert wire.packets.empty()


async def test_connecting_can_be_cancelled_once(radio):
    async with radio() as (_, wire):
        await find(wire)
        assert await wire.answer(create_connection(b"\x01\x02\x03\x04\x05\x46")) == b"\x00"
        assert await wire.answer(create_connection(b"\x01\x02\x03\x04\x05\x46")) == b"\x0c"
        assert await wire.answer(CANCEL) == b"\x00"
        assert (await wire.next(LE_META, 0x01))[1] == 0x02
        assert await wire.answer(CANCEL) == b"\x0c"


async def test_packets_come_in_fragments_that_fit_the_chips_buffers(radio):
    async with radio() as (_, wire):
        handle = await connect(wire)
        # After the exchange, one answer holds the declarations of the four characteristics with 16-bit UUIDs.
        exchange = struct.pack("<HHBH", 3, 4, 0x02, 517)
        discover = struct.pack("<HHBHHH", 7, 4, 0x08, 1, 0xFFFF, 0x2803)
        for pdu in (exchange, discover):
            wire.send(struct.pack("<BHH", 2, handle, len(pdu)) + pdu)
        fragments = []
        while sum(len(fragment) - 5 for fragment in fragments) < 7 + 4 + 2 + 4 * 7:
            packet = await wire.next()
            # The phone asks something of its own: who we are.
            if packet[0] == 2 and packet[9] != 0x08:
                fragments.append(packet)
        assert [struct.unpack_from("<H", fragment, 1)[0] >> 12 & 3 for fragment in fragments] == [2, 2, 1]
        assert [len(fragment) - 5 for fragment in fragments] == [7, 27, 7]


async def test_every_packet_of_the_host_is_completed(radio):
    async with radio() as (phone, wire):
        handle = await connect(wire)
        pdu = struct.pack("<HHBH", 3, 4, 0x0A, 3)
        wire.send(*[struct.pack("<BHH", 2, handle, len(pdu)) + pdu] * 6)
        completed = 0
        while completed < 6:
            packet = await wire.next(COMPLETED_PACKETS)
            assert struct.unpack_from("<BH", packet) == (1, handle)
            completed += struct.unpack_from("<H", packet, 3)[0]
        assert phone.log.named("complaint") == []


async def test_a_host_that_sends_more_than_the_buffers_hold_is_reported(radio):
    async with radio() as (phone, wire):
        handle = await connect(wire)
        pdu = struct.pack("<HHBH", 3, 4, 0x0A, 3)
        wire.send(*[struct.pack("<BHH", 2, handle, len(pdu)) + pdu] * 9)
        await phone.log.wait_for("complaint")


async def test_disconnecting_an_unknown_handle_is_refused(radio):
    async with radio() as (_, wire):
        assert await wire.answer(bytes.fromhex("01060403 3700 13")) == b"\x02"


async def test_reset_forgets_links_and_masks(radio):
    async with radio() as (phone, wire):
        await connect(wire)
        assert await wire.answer(RESET) == b"\x00"
        await phone.log.wait_for("disconnected", reason=8)
        assert wire.packets.empty()
        await connect(wire)


async def test_bytes_that_are_not_h4_close_the_wire_and_the_next_one_works(radio):
    async with radio() as (phone, wire):
        wire.send(b"\x77\x00\x01\x02")
        assert await wire.next() == b""
        await phone.log.wait_for("complaint")
        async with wire_to(phone.port) as second:
            assert await second.answer(RESET) == b"\x00"


async def test_a_newcomer_takes_the_wire(radio):
    async with radio() as (phone, wire):
        await connect(wire)
        async with wire_to(phone.port) as second:
            await phone.log.wait_for("disconnected", reason=8)
            assert await second.answer(RESET) == b"\x00"

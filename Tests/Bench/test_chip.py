"""The virtual chip behaves as a real one where a firmware could rely on it: raw HCI packets over the wire."""

import asyncio
import contextlib
import struct

import pytest

from hci_wire import (
    ACTIVE_SCAN,
    CANCEL,
    COMPLETED_PACKETS,
    LE_META,
    RESET,
    SCAN_ON,
    connect,
    create_connection,
    find,
    wire_to,
)
from lenker_bench.programs.processes import running_phone


@pytest.fixture
def radio(a_ride):
    @contextlib.asynccontextmanager
    async def start(*options: str):
        async with running_phone("--kind=android", "--ride", a_ride, *options) as phone, wire_to(phone.port) as wire:
            yield phone, wire

    return start


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

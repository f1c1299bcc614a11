"""The virtual chip behaves as a real one where a firmware could rely on it: raw HCI packets over the wire."""

import asyncio
import contextlib
import struct

import pytest

from hci_wire import (
    ACTIVE_SCAN,
    COMPLETED_PACKETS,
    RESET,
    SCAN_ON,
    connect,
    wire_to,
)
from lenker_bench.programs.processes import running_phone
from lenker_bench.wire import encryption
from two_chips import (
    DISCONNECTED,
    ENCRYPTION_CHANGE,
    KEY,
    KEY_REFRESH,
    OTHER_KEY,
    connected,
)


@pytest.fixture
def radio(a_ride):
    @contextlib.asynccontextmanager
    async def start(*options: str):
        async with running_phone("--kind=android", "--ride", a_ride, *options) as phone, wire_to(phone.port) as wire:
            yield phone, wire

    return start


# What public logs of the real chips have, in their order of bytes.
VERSIONS = {
    # HCI 4.1 revision 0x1fc, LMP 4.1 subversion 0x2209, Broadcom.
    "bcm43430a1": "07 fc01 07 0f00 0922",
    # HCI 4.2 revision 0x5c, subversion 0x410c.
    "bcm43430b0": "08 5c00 08 0f00 0c41",
}
A1_COMMANDS = "ffffff03ccffefffffffec1ff20fe8fe3ff78fff1c00040061f7ffff7ff8ffffff3f0000000000000008"
LMP_FEATURES = "bffecffedbff7b87"
ACL_BUFFERS = {"bcm43430a1": (1021, 64, 8, 1), "bcm43430b0": (1021, 64, 7, 1)}
NAMES = {
    "bcm43430a1": b"BCM43438A1 37.4MHz Raspberry Pi 3-0043O",
    "bcm43430b0": b"BCM4343B0 37.4MHz wlbga_iLNA_iTR [Baseline: 0092]",
}
LE_FEATURES = {"bcm43430a1": "0f", "bcm43430b0": "2f"}
LE_BUFFERS = {"bcm43430a1": (27, 15), "bcm43430b0": (251, 15)}


@pytest.mark.parametrize("chip", VERSIONS)
async def test_it_says_what_the_real_chip_says(radio, chip):
    async with radio(f"--chip={chip}") as (_, wire):

        async def said(command: str) -> bytes:
            answer = await wire.answer(bytes.fromhex(command))
            assert answer[0] == 0
            return answer[1:]

        assert await said("01011000") == bytes.fromhex(VERSIONS[chip])
        assert await said("01031000") == bytes.fromhex(LMP_FEATURES)
        assert struct.unpack("<HBHH", await said("01051000")) == ACL_BUFFERS[chip]
        assert struct.unpack("<HB", await said("01022000")) == LE_BUFFERS[chip]
        assert await said("01032000") == bytes.fromhex(LE_FEATURES[chip]).ljust(8, b"\0")
        assert (await said("01140c00")).rstrip(b"\0") == NAMES[chip]
        assert (await said("01091000"))[::-1].hex(":").startswith("b8:27:eb")


async def test_the_mask_of_its_commands_is_that_of_the_log(radio):
    async with radio() as (_, wire):
        assert (await wire.answer(bytes.fromhex("01021000")))[1:] == bytes.fromhex(A1_COMMANDS).ljust(64, b"\0")


NOT_IN_THE_MASK = {
    "LE Set Data Length": "01222006 0100 fb00 4808",
    "LE Read Local P-256 Public Key": "01252000",
    "LE Clear Resolving List": "01292000",
    "LE Set PHY": "01322007 0100 00 02 02 0000",
    "LE Set Extended Scan Enable": "01422006 01 00 0000 0000",
    "nobody's": "01ffff00",
    "a maker's": "0118fc00",
}


@pytest.mark.parametrize("command", NOT_IN_THE_MASK)
async def test_a_command_that_it_does_not_know_is_answered(radio, command):
    async with radio() as (_, wire):
        assert await wire.answer(bytes.fromhex(NOT_IN_THE_MASK[command])) == b"\x01"


async def test_the_other_chip_takes_longer_packets(radio):
    async with radio("--chip=bcm43430b0") as (_, wire):
        mask = (await wire.answer(bytes.fromhex("01021000")))[1:]
        # Octet 33, bits 6 and 7, and octet 34, bit 0: Core Specification, Vol 4, Part E, 6.27.
        assert mask[33] >> 6 == 3 and mask[34] & 1
        handle = await connect(wire)
        assert (await wire.answer(bytes.fromhex("01222006") + struct.pack("<HHH", handle, 251, 2120)))[0] == 0
        # From 27 to 251 bytes.
        assert (await wire.answer(bytes.fromhex("01222006") + struct.pack("<HHH", handle, 252, 2120)))[0] == 0x12


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
        wire.send(*[struct.pack("<BHH", 2, handle, len(pdu)) + pdu] * 16)
        await phone.log.wait_for("complaint")


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


async def test_the_same_key_on_both_sides_encrypts_the_link():
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    await peripheral.answer_request(KEY)
    assert await central.changed() == await peripheral.changed() == (0, 1)


@pytest.mark.parametrize("other", [OTHER_KEY, bytes(16), bytes([1]) + KEY[1:]])
async def test_a_wrong_key_ends_the_link_with_a_failed_integrity_check(other):
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    await peripheral.answer_request(other)
    assert await central.end() == await peripheral.end() == 0x3D
    assert central.of(ENCRYPTION_CHANGE) == peripheral.of(ENCRYPTION_CHANGE) == []


async def test_a_peripheral_without_a_key_leaves_the_link_as_it_was():
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    await peripheral.answer_request(None)
    assert await central.changed() == (0x06, 0)
    assert peripheral.of(ENCRYPTION_CHANGE) == central.of(DISCONNECTED) == []
    # Neither side has given up: with a key it works.
    assert await central.encrypt() == 0
    await peripheral.answer_request(KEY)
    assert await central.changed() == (0, 1)


async def test_an_encrypted_link_gets_a_new_key():
    central, peripheral = await connected()
    for key, code in ((KEY, ENCRYPTION_CHANGE), (OTHER_KEY, KEY_REFRESH)):
        assert await central.encrypt(key) == 0
        await peripheral.answer_request(key)
        for host in (central, peripheral):
            assert (await host.next(code))[0] == 0
    assert await central.encrypt(KEY) == 0
    await peripheral.answer_request(None)
    # There is no way back to an open link.
    assert await central.end() == await peripheral.end() == 0x06


async def test_only_the_central_of_a_link_that_is_there_encrypts_it_and_once_at_a_time():
    central, peripheral = await connected()
    assert await peripheral.encrypt() == 0x0C
    assert await central.encrypt() == 0
    assert await central.encrypt() == 0x0C
    await peripheral.answer_request(KEY)
    assert await central.changed() == (0, 1)
    central.handle += 0x100
    assert await central.encrypt() == 0x02


async def test_a_key_that_nobody_asked_for_is_refused():
    _, peripheral = await connected()
    assert await peripheral.reply(KEY) == await peripheral.reply(None) == 0x0C
    peripheral.handle += 0x100
    assert await peripheral.reply(KEY) == 0x02


async def test_a_peripheral_that_never_answers_ends_the_link(monkeypatch):
    """After 40 s, were it not for the test."""
    assert encryption.RESPONSE_TIMEOUT == 40
    monkeypatch.setattr(encryption, "RESPONSE_TIMEOUT", 0.2)
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    assert await central.end() == await peripheral.end() == 0x22

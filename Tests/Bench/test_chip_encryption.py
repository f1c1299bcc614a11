"""The virtual chip encrypts a link as a real one does: two of them face to face, each with a host that says bytes."""

import asyncio
import random
import struct

import pytest
from bumble.transport.common import PacketParser

from lenker_bench.wire import encryption
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip

RESET = bytes.fromhex("01030c00")
EVENT_MASK = bytes.fromhex("01010c08 ffffffffffffff3f")
LE_EVENT_MASK = bytes.fromhex("01012008 1f00000000000000")
NO_LONG_TERM_KEY_REQUESTS = bytes.fromhex("01012008 0f00000000000000")
NO_ENCRYPTION_CHANGES = bytes.fromhex("01010c08 7fffffffffffff3f")
RANDOM_ADDRESS = bytes.fromhex("01052006 6655443322c1")
ADVERTISE = bytes.fromhex("0106200f a000a000 00 01 00 000000000000 07 00"), bytes.fromhex("010a2001 01")
# To that random address; scans all the time, 30 ms, no latency, 4 s.
CONNECT = bytes.fromhex("010d2019 6000 6000 00 01 6655443322c1 00 1800 1800 0000 9001 0000 0000")

DISCONNECTED, ENCRYPTION_CHANGE, COMPLETE, STATUS, KEY_REFRESH, LE_META = 0x05, 0x08, 0x0E, 0x0F, 0x30, 0x3E
CONNECTED, LONG_TERM_KEY_REQUEST = 0x01, 0x05
KEY, OTHER_KEY = bytes(range(16)), bytes(range(1, 17))
RANDOM_NUMBER, DIVERSIFIER = bytes.fromhex("0102030405060708"), 0x1234


class Host:
    """What one side sends to its chip and hears of it."""

    def __init__(self, air: Air, address: str) -> None:
        self.complaints: list[str] = []
        self.events: list[bytes] = []
        self._heard = asyncio.Event()
        self._seen = 0
        self.chip = Chip(address, air, address, random.Random(1), self.complaints.append)
        self.chip.set_packet_sink(self)
        self._parser = PacketParser(self.chip)
        self.handle = 0

    def on_packet(self, packet: bytes) -> None:
        self.events.append(packet[1:2] + packet[3:])
        self._heard.set()

    def send(self, *packets: bytes) -> None:
        self._parser.feed_data(b"".join(packets))

    async def next(self, code: int, subevent: int | None = None) -> bytes:
        """The parameters of the next such event."""
        async with asyncio.timeout(5):
            while True:
                while self._seen < len(self.events):
                    event = self.events[self._seen]
                    self._seen += 1
                    if event[0] == code and subevent in (None, event[1]):
                        return event[1:]
                self._heard.clear()
                await self._heard.wait()

    def of(self, code: int) -> list[bytes]:
        """All such events so far."""
        return [event[1:] for event in self.events if event[0] == code]

    def _command(self, opcode: int, rest: bytes = b"") -> bytes:
        fields = struct.pack("<H", self.handle) + rest
        return struct.pack("<BHB", 1, opcode, len(fields)) + fields

    async def encrypt(self, key: bytes = KEY) -> int:
        """The status of LE Enable Encryption."""
        self.send(self._command(0x2019, RANDOM_NUMBER + struct.pack("<H", DIVERSIFIER) + key))
        status, _, opcode = struct.unpack("<BBH", await self.next(STATUS))
        assert opcode == 0x2019
        return status

    async def reply(self, key: bytes | None) -> int:
        """Gives the key that was asked for, or says that there is none; the status of that."""
        self.send(self._command(0x201B) if key is None else self._command(0x201A, key))
        _, opcode, status, handle = struct.unpack("<BHBH", await self.next(COMPLETE))
        assert opcode in (0x201A, 0x201B) and handle == self.handle
        return status

    async def answer_request(self, key: bytes | None) -> None:
        """Waits to be asked for the key, and replies."""
        _, handle, number, diversifier = struct.unpack("<BH8sH", await self.next(LE_META, LONG_TERM_KEY_REQUEST))
        assert (handle, number, diversifier) == (self.handle, RANDOM_NUMBER, DIVERSIFIER)
        assert await self.reply(key) == 0

    async def changed(self) -> tuple[int, int]:
        """Status and state of the next Encryption Change."""
        status, handle, is_on = struct.unpack("<BHB", await self.next(ENCRYPTION_CHANGE))
        assert handle == self.handle
        return status, is_on

    async def end(self) -> int:
        """The reason why the link ended."""
        status, handle, reason = struct.unpack("<BHB", await self.next(DISCONNECTED))
        assert (status, handle) == (0, self.handle)
        return reason


async def connected() -> tuple[Host, Host]:
    """The central and the peripheral."""
    air = Air()
    central, peripheral = Host(air, "B8:27:EB:00:00:01"), Host(air, "F0:99:B6:00:00:02")
    for host in (central, peripheral):
        host.send(RESET, EVENT_MASK, LE_EVENT_MASK)
    await link(central, peripheral)
    return central, peripheral


async def link(central: Host, peripheral: Host) -> None:
    peripheral.send(RANDOM_ADDRESS, *ADVERTISE)
    central.send(CONNECT)
    for host in (central, peripheral):
        status, host.handle = struct.unpack_from("<BH", await host.next(LE_META, CONNECTED), 1)
        assert status == 0


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


async def test_a_peripheral_that_does_not_want_to_be_asked_has_no_key():
    central, peripheral = await connected()
    peripheral.send(NO_LONG_TERM_KEY_REQUESTS)
    assert await central.encrypt() == 0
    assert await central.changed() == (0x06, 0)


async def test_a_masked_encryption_change_is_not_told():
    central, peripheral = await connected()
    central.send(NO_ENCRYPTION_CHANGES)
    assert await central.encrypt() == 0
    await peripheral.answer_request(KEY)
    assert await peripheral.changed() == (0, 1)
    central.send(EVENT_MASK)
    # It was really encrypted: what follows is a refresh.
    assert await central.encrypt() == 0
    await peripheral.answer_request(KEY)
    await central.next(KEY_REFRESH)
    assert central.of(ENCRYPTION_CHANGE) == []


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


async def test_a_new_link_is_open_again():
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    await peripheral.answer_request(KEY)
    central.send(struct.pack("<BHBHB", 1, 0x0406, 3, central.handle, 0x13))
    assert await peripheral.end() == 0x13
    await link(central, peripheral)
    assert await central.encrypt() == 0
    await peripheral.answer_request(KEY)
    assert await central.changed() == (0, 1)


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


async def test_a_key_that_comes_after_the_link_was_lost_does_no_harm():
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    await peripheral.next(LE_META, LONG_TERM_KEY_REQUEST)
    peripheral.send(peripheral._command(0x201A, KEY))
    central.chip.lose_link(next(iter(central.chip.le_connections.values())))
    assert await central.end() == await peripheral.end() == 0x08
    await link(central, peripheral)
    assert central.of(ENCRYPTION_CHANGE) == peripheral.of(ENCRYPTION_CHANGE) == []


async def test_a_peripheral_that_never_answers_ends_the_link(monkeypatch):
    """After 40 s, were it not for the test."""
    assert encryption.RESPONSE_TIMEOUT == 40
    monkeypatch.setattr(encryption, "RESPONSE_TIMEOUT", 0.2)
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    assert await central.end() == await peripheral.end() == 0x22

"""Two virtual chips face to face, each with a host that says bytes."""

import asyncio
import random
import struct
from collections.abc import Callable

from bumble.transport.common import PacketParser

from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.chip_kinds import BCM43430A1, PHONE, ChipKind

RESET = bytes.fromhex("01030c00")
EVENT_MASK = bytes.fromhex("01010c08 ffffffffffffff3f")
LE_EVENT_MASK = bytes.fromhex("01012008 1f00000000000000")
RANDOM_ADDRESS = bytes.fromhex("01052006 6655443322c1")
ADVERTISE = bytes.fromhex("0106200f a000a000 00 01 00 000000000000 07 00"), bytes.fromhex("010a2001 01")
# To that random address; scans all the time, 30 ms, no latency, 4 s.
CONNECT = bytes.fromhex("010d2019 6000 6000 00 01 6655443322c1 00 1800 1800 0000 9001 0000 0000")

ACL, CHANNEL = 0x02, 0x0040
DISCONNECTED, ENCRYPTION_CHANGE, COMPLETE, STATUS, KEY_REFRESH, LE_META = 0x05, 0x08, 0x0E, 0x0F, 0x30, 0x3E
CONNECTED, LONG_TERM_KEY_REQUEST = 0x01, 0x05
KEY, OTHER_KEY = bytes(range(16)), bytes(range(1, 17))
RANDOM_NUMBER, DIVERSIFIER = bytes.fromhex("0102030405060708"), 0x1234


class Host:
    """What one side sends to its chip and hears of it, with the time when it heard it."""

    def __init__(self, air: Air, address: str, kind: ChipKind = BCM43430A1) -> None:
        self.complaints: list[str] = []
        self.events: list[bytes] = []
        self.times: list[float] = []
        self.data: list[tuple[float, bytes]] = []
        self.on_data: Callable[[bytes], None] = lambda data: None
        self._heard = asyncio.Event()
        self._seen = 0
        self.chip = Chip(address, air, address, random.Random(1), self.complaints.append, kind)
        self.chip.set_packet_sink(self)
        self._parser = PacketParser(self.chip)
        self.handle = 0

    def on_packet(self, packet: bytes) -> None:
        now = asyncio.get_running_loop().time()
        if packet[0] == ACL:
            self.data.append((now, packet[5:]))
            self.on_data(packet[5:])
            return
        self.events.append(packet[1:2] + packet[3:])
        self.times.append(now)
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

    def times_of(self, code: int) -> list[float]:
        return [time for time, event in zip(self.times, self.events, strict=True) if event[0] == code]

    def send_data(self, payload: bytes) -> None:
        """Sends one whole L2CAP frame on a channel of its own, in one packet."""
        frame = struct.pack("<HH", len(payload), CHANNEL) + payload
        self.send(struct.pack("<BHH", ACL, self.handle, len(frame)) + frame)

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


async def connected(air: Air | None = None, kind: ChipKind = BCM43430A1) -> tuple[Host, Host]:
    """The central, on a chip of this kind, and the peripheral; 30 ms, no latency, 4 s."""
    air = air or Air()
    central, peripheral = Host(air, "B8:27:EB:00:00:01", kind), Host(air, "F0:99:B6:00:00:02", PHONE)
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

"""A phone that shares no code with the bench: the kernel's own host and SMP on a controller of BlueZ.

`btvirt` has two controllers that hear each other: hci0 is the firmware's, and hci1 the kernel's own. The kernel pairs
and encrypts; the test speaks its management interface and has the attributes, both carried by `guest bridge`.
"""

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator

from lenker_bench.phone.komoot import CHARACTERISTIC, SERVICE
from machine import PATIENCE, Machine

# BlueZ, doc/mgmt-api.txt
SET_POWERED, SET_CONNECTABLE, SET_BONDABLE, SET_LE = 0x0005, 0x0007, 0x0009, 0x000D
SET_IO_CAPABILITY, PAIR_DEVICE, UNPAIR_DEVICE, CONFIRM = 0x0018, 0x0019, 0x001B, 0x001C
SET_CLASSIC, SET_SECURE_CONNECTIONS = 0x002A, 0x002D
COMMAND_COMPLETE, COMMAND_STATUS, INDEX_ADDED = 0x0001, 0x0002, 0x0004
CONFIRM_REQUEST = 0x000F
DISPLAY_YES_NO = 1
LE_PUBLIC = 1

# Core Specification, Vol 4, Part E, 7.8.5, 7.8.7, 7.8.9, 7.8.12
LE_SET_ADVERTISING_PARAMETERS, LE_SET_ADVERTISING_DATA, LE_SET_ADVERTISE_ENABLE = 0x2006, 0x2008, 0x200A
LE_CREATE_CONNECTION = 0x200D

# Core Specification, Vol 3, Part F, 3.4
ERROR, MTU, NOTIFICATION = 0x01, 0x02, 0x1B
CONFIRMATION_EXPECTED = 0x1D
FIND_INFORMATION, FIND_BY_TYPE_VALUE, READ_BY_TYPE, READ, READ_BLOB, WRITE = 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x12
NOT_SUPPORTED, NOT_FOUND = 0x06, 0x0A

SERVICE_HANDLE, CHARACTERISTIC_HANDLE, VALUE_HANDLE, CONFIGURATION_HANDLE = 0x10, 0x11, 0x12, 0x13
NAME_HANDLE = 0x03
READ_AND_NOTIFY = 0x12
LARGEST_MTU = 185


class Attributes:
    """One service with a value that can be read and notified, and a name."""

    def __init__(self, name: str, value: bytes, has_service: bool = True) -> None:
        self.value = value
        self.has_service = has_service
        self._name = name.encode()
        self.mtu = 23
        self.is_subscribed = False

    def answer(self, request: bytes) -> bytes | None:
        """The answer to a request; `None` to what needs none."""
        code = request[0]
        if code & 0x40 or code == 0x1E:
            return None
        handle = struct.unpack_from("<H", request, 1)[0] if len(request) >= 3 else 0
        found = self._found(code, handle, request)
        if found is None:
            known = code in (FIND_INFORMATION, FIND_BY_TYPE_VALUE, READ_BY_TYPE, READ, READ_BLOB, WRITE)
            return struct.pack("<BBHB", ERROR, code, handle, NOT_FOUND if known else NOT_SUPPORTED)
        return bytes([code + 1]) + found[: self.mtu - 1]

    def _found(self, code: int, handle: int, request: bytes) -> bytes | None:
        if code == MTU:
            self.mtu = min(handle, LARGEST_MTU)
            return struct.pack("<H", LARGEST_MTU)
        if not self.has_service and code not in (MTU, READ_BY_TYPE):
            return None
        if code == FIND_BY_TYPE_VALUE and request[7:] == SERVICE.to_bytes() and handle <= SERVICE_HANDLE:
            return struct.pack("<HH", SERVICE_HANDLE, CONFIGURATION_HANDLE)
        if code == READ_BY_TYPE and request[5:] == b"\x03\x28" and self.has_service and handle <= CHARACTERISTIC_HANDLE:
            head = struct.pack("<HBH", CHARACTERISTIC_HANDLE, READ_AND_NOTIFY, VALUE_HANDLE)
            return bytes([21]) + head + CHARACTERISTIC.to_bytes()
        if code == READ_BY_TYPE and request[5:] == b"\x00\x2a" and handle <= NAME_HANDLE:
            return bytes([2 + len(self._name), NAME_HANDLE, 0]) + self._name
        if code == FIND_INFORMATION and handle <= CONFIGURATION_HANDLE:
            return struct.pack("<BHH", 1, CONFIGURATION_HANDLE, 0x2902)
        if code == WRITE and handle == CONFIGURATION_HANDLE:
            self.is_subscribed = request[3:4] == b"\x01"
            return b""
        if code == READ and handle == VALUE_HANDLE:
            return self.value
        if code == READ_BLOB and handle == VALUE_HANDLE:
            return self.value[struct.unpack_from("<H", request, 3)[0] :]
        return None


class KernelPhone:
    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, value: bytes, has_service: bool
    ) -> None:
        self._reader, self._writer = reader, writer
        self._value = value
        self._has_service = has_service
        self._answers: asyncio.Queue[bytes] = asyncio.Queue()
        self._linked = asyncio.Event()
        self._advertising: asyncio.Task | None = None
        self.notified: asyncio.Queue[bytes] = asyncio.Queue()
        self._events: asyncio.Queue[tuple[int, int, bytes]] = asyncio.Queue()
        self._following = asyncio.create_task(self._follow())
        self.attributes = Attributes("Linux", value, has_service)

    def say(self, value: bytes) -> None:
        """Gives a new value, and notifies its first four bytes."""
        self._value = self.attributes.value = value
        if self.attributes.is_subscribed:
            self._send("a", struct.pack("<BH", NOTIFICATION, VALUE_HANDLE) + value[:4])

    async def asked_number(self) -> str:
        """Waits until the kernel asks its user to compare two numbers, and says yes; six digits."""
        event = await self._next(CONFIRM_REQUEST)
        await self._command(CONFIRM, event[:7])
        return f"{struct.unpack_from('<I', event, 8)[0]:06}"

    async def wait_for_controllers(self) -> None:
        """Both are there afterwards."""
        for _ in range(2):
            await self._next(INDEX_ADDED)

    async def set_up(self) -> None:
        """hci1 is a phone's afterwards."""
        for code, value in [
            (SET_POWERED, 0),
            (SET_LE, 1),
            (SET_CLASSIC, 0),
            (SET_SECURE_CONNECTIONS, 1),
            (SET_BONDABLE, 1),
            (SET_CONNECTABLE, 1),
            (SET_IO_CAPABILITY, DISPLAY_YES_NO),
            (SET_POWERED, 1),
        ]:
            await self._command(code, bytes([value]))

    def advertise(self) -> None:
        """Advertises the service until somebody connects.

        By commands of its own: the kernel would use extended advertising, which BlueZ's emulator shows without its data
        to who scans in the old way. The emulator shows an advertisement once for each time that it is switched on, so
        that is done each second.
        """
        data = bytes([17, 0x07]) + SERVICE.to_bytes()
        self._hci(LE_SET_ADVERTISING_PARAMETERS, struct.pack("<HHBBB6xBB", 0xA0, 0xA0, 0, 0, 0, 7, 0))
        self._hci(LE_SET_ADVERTISING_DATA, bytes([len(data)]) + data.ljust(31, b"\0"))
        self._advertising = asyncio.create_task(self._go_on_advertising())

    async def _go_on_advertising(self) -> None:
        while True:
            self._hci(LE_SET_ADVERTISE_ENABLE, b"\0")
            self._hci(LE_SET_ADVERTISE_ENABLE, b"\1")
            await asyncio.sleep(1)

    def pair_with(self, address: str) -> None:
        """Begins to pair with the device with this public address, to which there is a link."""
        parameters = bytes.fromhex(address.replace(":", ""))[::-1] + bytes([LE_PUBLIC, DISPLAY_YES_NO])
        self._send("m", struct.pack("<HHH", PAIR_DEVICE, 1, len(parameters)) + parameters)

    async def come_to(self, address: str) -> None:
        """Connects to that device as the central, once it advertises.

        By commands of its own, too: BlueZ's emulator tells the kernel's extended ones of no link. It takes an attempt
        at a device that does not advertise for one that failed, so another one follows.
        """
        self._linked.clear()
        peer = bytes.fromhex(address.replace(":", ""))[::-1]
        parameters = struct.pack("<HHBB6sBHHHHHH", 0x60, 0x60, 0, 0, peer, 0, 24, 40, 0, 500, 0, 0)
        async with asyncio.timeout(PATIENCE):
            while not self._linked.is_set():
                self._hci(LE_CREATE_CONNECTION, parameters)
                await asyncio.sleep(1)

    async def ask(self, request: bytes) -> bytes:
        """The answer to a request of ours."""
        self._send("a", request)
        async with asyncio.timeout(PATIENCE):
            return await self._answers.get()

    async def unpair(self, address: str) -> None:
        """Forgets the device with this public address, and ends the link with it."""
        await self._command(UNPAIR_DEVICE, bytes.fromhex(address.replace(":", ""))[::-1] + bytes([1, 1]))

    def _send(self, kind: str, packet: bytes) -> None:
        self._writer.write(kind.encode() + struct.pack("<H", len(packet)) + packet)

    def _hci(self, opcode: int, parameters: bytes) -> None:
        self._send("h", struct.pack("<BHB", 1, opcode, len(parameters)) + parameters)

    async def _command(self, code: int, parameters: bytes) -> None:
        self._send("m", struct.pack("<HHH", code, 1, len(parameters)) + parameters)
        while True:
            _event, _, answer = await self._any(COMMAND_COMPLETE, COMMAND_STATUS)
            answered, status = struct.unpack_from("<HB", answer)
            if answered == code:
                assert status == 0, f"management command {code:#06x} ended with status {status}"
                return

    async def _next(self, event: int) -> bytes:
        return (await self._any(event))[2]

    async def _any(self, *events: int) -> tuple[int, int, bytes]:
        """The next event of these; others before it are dropped."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found = await self._events.get()
                if found[0] in events:
                    return found

    async def _follow(self) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                kind, size = struct.unpack("<cH", await self._reader.readexactly(3))
                packet = await self._reader.readexactly(size)
                if kind == b"A":
                    if self._advertising is not None:
                        self._advertising.cancel()
                    self.attributes = Attributes("Linux", self._value, self._has_service)
                    self._linked.set()
                elif kind == b"m":
                    event, index, _ = struct.unpack_from("<HHH", packet)
                    self._events.put_nowait((event, index, packet[6:]))
                elif packet and packet[0] == NOTIFICATION:
                    self.notified.put_nowait(packet[3:])
                elif packet and packet[0] % 2 and packet[0] != CONFIRMATION_EXPECTED:
                    self._answers.put_nowait(packet)
                elif packet and (answer := self.attributes.answer(packet)) is not None:
                    self._send("a", answer)


async def start_kernel_phone(pc: Machine, value: bytes, *, comes: bool = False) -> KernelPhone:
    """A phone in the machine, with this value, whose controllers are there; one that `comes` has no service."""
    phone = KernelPhone(*pc.bridge, value, has_service=not comes)
    await pc.run("modprobe -a bluetooth hci_vhci algif_skcipher algif_hash ecb cmac sha512_generic drbg")
    await pc.run("guest bridge /dev/vport0p3 >/dev/console 2>&1 &")
    await pc.run("btvirt -l2 >/dev/console 2>&1 &")
    await phone.wait_for_controllers()
    return phone


@contextlib.asynccontextmanager
async def kernel_phone(pc: Machine, value: bytes, *, comes: bool = False) -> AsyncIterator[KernelPhone]:
    """A phone in the machine, with this value; one that `comes` has none, and makes its links itself."""
    phone = await start_kernel_phone(pc, value, comes=comes)
    await phone.set_up()
    if not comes:
        phone.advertise()
    yield phone

"""A wire with faults between firmware and controller: H4 over TCP on both sides."""

import asyncio
import random
import struct
from collections.abc import Callable

from lenker_bench.wire.framing import COMMAND, EVENT, Framer

from .faults import Plan, hexadecimal, opcode_of_answer

TO_CONTROLLER, TO_FIRMWARE = "to-controller", "to-firmware"

RESET, DISCONNECT = 0x0C03, 0x0406
CONNECTION_TIMEOUT, USER_ENDED = 0x08, 0x13
OVERTAKING_PATIENCE = 0.2  # seconds that a packet waits to be overtaken


class Lane:
    """One direction of one connection; what faults do to it is `faults.Lane`."""

    def __init__(self, wire: "Wire", direction: str, source: random.Random) -> None:
        self.direction = direction
        self.random = source
        self.writer: asyncio.StreamWriter | None = None
        self._wire = wire
        self._held: list[bytes] | None = None
        self._overtaken: bytes | None = None

    async def carry(self, reader: asyncio.StreamReader) -> None:
        """Carries packets until the stream ends."""
        framer = Framer()
        while data := await reader.read(1 << 16):
            for packet in framer.feed(data):
                self._wire.take(packet, self)

    def pass_on(self, packet: bytes) -> None:
        if self._held is not None:
            self._held.append(packet)
            return
        overtaken, self._overtaken = self._overtaken, None
        self._write(packet)
        if overtaken is not None:
            self._write(overtaken)

    def stall(self, seconds: float) -> None:
        if self._held is None:
            self._held = []
            asyncio.get_running_loop().call_later(seconds, self._go_on)

    def overtake(self, packet: bytes) -> None:
        if self._overtaken is not None:
            self.pass_on(packet)
            return
        self._overtaken = packet
        asyncio.get_running_loop().call_later(OVERTAKING_PATIENCE, self._give_up_waiting, packet)

    def withhold(self, seconds: float) -> None:
        self._wire.proxy.withheld_until = asyncio.get_running_loop().time() + seconds

    def reset_controller(self) -> None:
        self._wire.command(RESET, b"")

    def tell_firmware(self, packet: bytes) -> None:
        self._wire.to_firmware.pass_on(packet)

    def lose_link(self) -> None:
        self._wire.lose_link()

    def close(self) -> None:
        self._wire.close()

    def _go_on(self) -> None:
        held, self._held = self._held, None
        for packet in held or []:
            self.pass_on(packet)

    def _give_up_waiting(self, packet: bytes) -> None:
        if self._overtaken is packet:
            self._overtaken = None
            self._write(packet)

    def _write(self, packet: bytes) -> None:
        if self.writer is not None and not self.writer.is_closing():
            self._wire.proxy.on_packet(self.direction, packet)
            self.writer.write(packet)


class Wire:
    """One connection of a firmware, carried to the controller."""

    def __init__(self, proxy: "Proxy") -> None:
        self.proxy = proxy
        self.to_controller = Lane(self, TO_CONTROLLER, proxy.sources[TO_CONTROLLER])
        self.to_firmware = Lane(self, TO_FIRMWARE, proxy.sources[TO_FIRMWARE])
        self._swallowed: list[int] = []
        self._link: int | None = None
        self._losing: int | None = None

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.to_firmware.writer = writer
        try:
            answers, self.to_controller.writer = await asyncio.open_connection(*self.proxy.controller)
            lanes = [
                asyncio.create_task(self.to_controller.carry(reader)),
                asyncio.create_task(self.to_firmware.carry(answers)),
            ]
            _, others = await asyncio.wait(lanes, return_when=asyncio.FIRST_COMPLETED)
            for lane in others:
                lane.cancel()
            await asyncio.gather(*lanes, return_exceptions=True)
        except OSError as error:
            self.proxy.report("unreachable", error=error.strerror)
        finally:
            self.close()

    def take(self, packet: bytes, lane: Lane) -> None:
        """Lets the plan decide what happens to a packet."""
        if lane is self.to_firmware:
            opcode = opcode_of_answer(packet)
            if opcode in self._swallowed:
                self._swallowed.remove(opcode)
                return
            packet = self._watch_link(packet)
            if opcode is not None and asyncio.get_running_loop().time() < self.proxy.withheld_until:
                return
        chosen = self.proxy.plan.choose(lane.direction, packet)
        if chosen is None:
            lane.pass_on(packet)
            return
        name, fault = chosen
        self.proxy.report("fault", fault=name, direction=lane.direction, packet=hexadecimal(packet))
        fault.act(packet, lane)

    def command(self, opcode: int, parameters: bytes) -> None:
        """Sends the controller a command of our own; the firmware does not see the answer."""
        self._swallowed.append(opcode)
        self.to_controller.pass_on(struct.pack("<BHB", COMMAND, opcode, len(parameters)) + parameters)

    def lose_link(self) -> None:
        if self.proxy.lose_link is not None:
            self.proxy.lose_link()
        elif self._link is not None:
            self._losing = self._link
            self.command(DISCONNECT, struct.pack("<HB", self._link, USER_ENDED))

    def close(self) -> None:
        for lane in (self.to_controller, self.to_firmware):
            if lane.writer is not None:
                lane.writer.close()

    def _watch_link(self, packet: bytes) -> bytes:
        """Remembers the link; one that we ended ends for the firmware as if it were lost."""
        if packet[:2] == bytes([EVENT, 0x3E]) and len(packet) > 6 and packet[3] in (0x01, 0x0A) and packet[4] == 0:
            self._link = struct.unpack_from("<H", packet, 5)[0]
        elif packet[:2] == bytes([EVENT, 0x05]) and len(packet) == 7:
            handle = struct.unpack_from("<H", packet, 4)[0]
            if handle == self._losing:
                self._losing = None
                return packet[:6] + bytes([CONNECTION_TIMEOUT])
        return packet


class Proxy:
    """Listens for the firmware, and carries each connection to the controller at `controller` (host, port).

    `lose_link`, when given, loses the link at both of its ends; else the controller is told to end it. `on_packet`
    is called for each packet that is sent on, with its direction, as its receiver gets it.
    """

    def __init__(
        self,
        controller: tuple[str, int],
        plan: Plan,
        report: Callable[..., None],
        seed: object,
        lose_link: Callable[[], None] | None = None,
        on_packet: Callable[[str, bytes], None] | None = None,
    ) -> None:
        self.controller = controller
        self.plan = plan
        self.report = report
        self.lose_link = lose_link
        self.on_packet = on_packet or (lambda direction, packet: None)
        self.withheld_until = 0.0
        self.port = 0
        self.sources = {name: random.Random(f"{seed} bits {name}") for name in (TO_CONTROLLER, TO_FIRMWARE)}
        self._server: asyncio.Server | None = None
        self._wires: set[Wire] = set()

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Raises `OSError`."""
        self._server = await asyncio.start_server(self._serve, host, port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = Wire(self)
        self._wires.add(wire)
        self.report("firmware", state="attached")
        try:
            await wire.carry(reader, writer)
        except asyncio.CancelledError:
            pass  # the bench ends
        finally:
            self._wires.discard(wire)
            self.report("firmware", state="gone")

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for wire in list(self._wires):
            wire.close()

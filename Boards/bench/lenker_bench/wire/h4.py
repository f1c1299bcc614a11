"""The wire between the firmware and its controller: H4 packets over TCP, one firmware at a time."""

import asyncio
from collections.abc import Callable

from bumble import core
from bumble.transport.common import PacketParser

from .chip import Chip
from .rootcanal import Radio


class FirmwareWire(asyncio.Protocol):
    """One connection of a firmware to the chip.

    The chip is switched off and on when a firmware comes or goes, so that a phone sees a firmware that vanished as
    a supervision timeout. A new firmware replaces one that is still there.
    """

    def __init__(self, server: "FirmwareServer") -> None:
        self._server = server
        self._chip = server.chip
        self._parser = PacketParser(server.chip)
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        previous = self._chip.hci_sink
        if previous is not None:
            previous.close()
        self._chip.power_cycle()
        self._transport = transport
        self._chip.set_packet_sink(self)
        self._server.is_idle.clear()
        self._server.report("firmware", state="attached")

    def data_received(self, data: bytes) -> None:
        if self._chip.hci_sink is not self:
            return
        try:
            self._parser.feed_data(data)
        except core.InvalidPacketError:
            # A UART that has lost its place in the stream cannot find it again.
            self._chip.complain(f"bytes that are not H4: {data[:32].hex()}")
            self.close()

    def connection_lost(self, error: Exception | None) -> None:
        if self._chip.hci_sink is self:
            self._chip.set_packet_sink(None)
            self._chip.power_cycle()
            self._server.is_idle.set()
            self._server.report("firmware", state="gone")

    def on_packet(self, packet: bytes) -> None:
        """Carries a packet from the chip to the firmware."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(packet)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class AddressError(ValueError):
    """An `--hci` that cannot be served."""


class FirmwareServer:
    """Where the firmware finds its chip; `is_idle` while no firmware is there."""

    def __init__(self, chip: Chip | Radio, report: Callable[..., None]) -> None:
        self.chip = chip
        self.report = report
        self.port = 0
        self.is_idle = asyncio.Event()
        self.is_idle.set()
        self._server: asyncio.Server | None = None

    async def start(self, specification: str) -> None:
        """Listens at `tcp-server:HOST:PORT` (0: any free port). Raises `AddressError`."""
        kind, _, address = specification.partition(":")
        host, _, port = address.rpartition(":")
        if kind != "tcp-server" or not host or not port.isdecimal() or int(port) > 65535:
            raise AddressError(f"--hci '{specification}' is not tcp-server:HOST:PORT")
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(lambda: FirmwareWire(self), host.strip("[]"), int(port))
        except OSError as error:
            raise AddressError(f"cannot listen on {address}: {error.strerror}") from error
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

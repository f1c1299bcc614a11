"""RootCanal as the air: Android's virtual controller, of which each connection to its HCI port is one more."""

import asyncio
import contextlib
import random
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bumble import hci
from bumble.transport.common import TransportSink

from . import chip_kinds
from .air import Air
from .chip import Chip
from .framing import COMMAND, EVENT, Framer

HOST = "127.0.0.1"
Error = hci.HCI_ErrorCode

OWN_ADDRESS_TYPES = {
    hci.HCI_LE_CREATE_CONNECTION_COMMAND: (hci.Role.CENTRAL, 16),
    hci.HCI_LE_SET_ADVERTISING_PARAMETERS_COMMAND: (hci.Role.PERIPHERAL, 9),
    hci.HCI_LE_SET_EXTENDED_ADVERTISING_PARAMETERS_COMMAND: (hci.Role.PERIPHERAL, 14),
}
"""For which role, and where, these commands have the type of the own address."""
RANDOM_ADDRESSES = {
    hci.HCI_LE_SET_RANDOM_ADDRESS_COMMAND: 4,
    hci.HCI_LE_SET_ADVERTISING_SET_RANDOM_ADDRESS_COMMAND: 5,
}
"""Where these have a random address."""
ADVERTISES_NO_LONGER = {
    hci.HCI_LE_SET_ADVERTISING_ENABLE_COMMAND: bytes(1),
    hci.HCI_LE_SET_EXTENDED_ADVERTISING_ENABLE_COMMAND: bytes(2),
}
"""The parameters with which these end all advertising."""
CONNECTION_COMPLETE = {hci.HCI_LE_CONNECTION_COMPLETE_EVENT, hci.HCI_LE_ENHANCED_CONNECTION_COMPLETE_EVENT}
ANY = None
NO_FAULT = {
    (Error.UNKNOWN_HCI_COMMAND_ERROR, ANY),  # a host may ask for what only some controllers have
    (Error.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, ANY),  # the link may be lost while the host speaks
    (Error.COMMAND_DISALLOWED_ERROR, hci.HCI_LE_CREATE_CONNECTION_CANCEL_COMMAND),  # the link may just be there
}


@dataclass
class Link:
    """One end of a link; if `reason` is set, the host hears this one when the link ends."""

    handle: int
    own: bytes
    peer: bytes
    reason: int | None = None
    key: bytes | None = None
    """With which the central wants to encrypt."""


class Radio(asyncio.Protocol):
    """One of RootCanal's controllers, with what `Chip` can do for its host and for the bench.

    What RootCanal 1.10 leaves out is done here, where all hosts' packets pass: a link can be lost, and keys are
    compared. It is in RootCanal once its host says something.

    `complain` is told of each command that RootCanal refuses.
    """

    signal_strength = 0
    """RootCanal takes no notice of it."""

    def __init__(self, radios: Sequence["Radio"], port: int, complain: Callable[[str], None]) -> None:
        self.complain = complain
        self.hci_sink: TransportSink | None = None
        self.le_connections: dict[int, Link] = {}
        self._radios = radios
        self._port = port
        self._framer = Framer()
        self._transport: asyncio.Transport | None = None
        self._opening: asyncio.Task | None = None
        self._unsent: list[bytes] = []
        self._unanswered: list[tuple[int, bool]] = []
        self._resets = 0
        self._has_left = False
        self._addresses = {hci.OwnAddressType.PUBLIC: bytes(6), hci.OwnAddressType.RANDOM: bytes(6)}
        self._own_address_types: dict[int, int] = {}
        self._advertising_command: int | None = None

    @property
    def public_address(self) -> str:
        """What RootCanal has given it, once its host has asked."""
        return self._addresses[hci.OwnAddressType.PUBLIC][::-1].hex(":").upper()

    # From the host

    def set_packet_sink(self, sink: TransportSink | None) -> None:
        self.hci_sink = sink

    def on_packet(self, packet: bytes) -> None:
        """Carries a packet of the host to RootCanal."""
        if packet[0] != COMMAND:
            self._send(packet)
            return
        opcode = int.from_bytes(packet[1:3], "little")
        self._note(opcode, packet)
        if opcode == hci.HCI_LE_LONG_TERM_KEY_REQUEST_REPLY_COMMAND and self._is_wrong_key(packet):
            self._end_for_wrong_key(packet)
        else:
            self._unanswered.append((opcode, True))
            self._send(packet)

    def _note(self, opcode: int, packet: bytes) -> None:
        if opcode in RANDOM_ADDRESSES:
            begin = RANDOM_ADDRESSES[opcode]
            self._addresses[hci.OwnAddressType.RANDOM] = packet[begin : begin + 6]
        elif opcode in OWN_ADDRESS_TYPES:
            role, place = OWN_ADDRESS_TYPES[opcode]
            self._own_address_types[role] = packet[place]
        elif opcode in ADVERTISES_NO_LONGER:
            self._advertising_command = opcode
        elif opcode == hci.HCI_LE_ENABLE_ENCRYPTION_COMMAND and (link := self._link(packet[4:6])):
            link.key = packet[16:32]

    def _is_wrong_key(self, packet: bytes) -> bool:
        link = self._link(packet[4:6])
        other = self._other_end(link) if link else None
        return other is not None and other[1].key != packet[6:22]

    def _end_for_wrong_key(self, packet: bytes) -> None:
        """RootCanal would take any key; a wrong one ends a link (Core Specification, Vol 6, Part B, 2.4)."""
        answer = bytes([1]) + packet[1:3] + bytes([Error.SUCCESS]) + packet[4:6]
        self.hci_sink.on_packet(bytes([EVENT, hci.HCI_COMMAND_COMPLETE_EVENT, len(answer)]) + answer)
        self._end(self._link(packet[4:6]), Error.CONNECTION_TERMINATED_DUE_TO_MIC_FAILURE_ERROR)

    def _send(self, packet: bytes) -> None:
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
        if self._transport is None:
            self._unsent.append(packet)
        else:
            self._transport.write(packet)

    async def _open(self) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self, HOST, self._port)

    def _command(self, opcode: int, parameters: bytes = b"") -> None:
        """A command of the bench's own, of which the host hears nothing."""
        self._unanswered.append((opcode, False))
        self._send(bytes([COMMAND]) + opcode.to_bytes(2, "little") + bytes([len(parameters)]) + parameters)

    # From RootCanal

    def connection_made(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._acknowledge()
        transport.write(b"".join(self._unsent))
        self._unsent.clear()

    def connection_lost(self, error: Exception | None) -> None:
        if not self._has_left:
            self.complain("RootCanal has ended")

    def _acknowledge(self) -> None:
        # RootCanal writes a packet in pieces, and TCP lets each wait for the acknowledgement of the last, 40 ms.
        self._transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    def data_received(self, data: bytes) -> None:
        self._acknowledge()
        for packet in self._framer.feed(data):
            heard = self._heard(packet)
            if heard and self.hci_sink is not None:
                # What ends in mid-command, as a link may, has Bumble give up its command; the answer confuses it then.
                with contextlib.suppress(asyncio.InvalidStateError):
                    self.hci_sink.on_packet(heard)

    def _heard(self, packet: bytes) -> bytes:
        """The packet as the host hears it; empty if it does not."""
        code = packet[1] if packet[0] == EVENT else None
        if code == hci.HCI_COMMAND_COMPLETE_EVENT:
            return packet if self._take_answer(int.from_bytes(packet[4:6], "little"), packet[6], packet) else b""
        if code == hci.HCI_COMMAND_STATUS_EVENT:
            return packet if self._take_answer(int.from_bytes(packet[5:7], "little"), packet[3], packet) else b""
        if self._resets:
            return b""  # what was on its way to a host that has gone must not reach the next one
        if code == hci.HCI_LE_META_EVENT and packet[3] in CONNECTION_COMPLETE and packet[4] == Error.SUCCESS:
            own = self._addresses[self._own_address_types.get(packet[7], hci.OwnAddressType.PUBLIC)]
            link = Link(int.from_bytes(packet[5:7], "little"), own, packet[9:15])
            self.le_connections[link.handle] = link
        elif code == hci.HCI_DISCONNECTION_COMPLETE_EVENT:
            return self._remove_link(packet)
        return packet

    def _remove_link(self, packet: bytes) -> bytes:
        link = self.le_connections.pop(int.from_bytes(packet[4:6], "little"), None)
        if link is None:
            return b""  # it was that of a host that has gone
        return packet if link.reason is None else packet[:6] + bytes([link.reason])

    def _take_answer(self, opcode: int, status: int, packet: bytes) -> bool:
        """Whether the host gave this command, and is still there."""
        is_hosts = True
        for command in self._unanswered:
            if command[0] == opcode:
                self._unanswered.remove(command)
                is_hosts = command[1]
                break
        if opcode == hci.HCI_RESET_COMMAND and not is_hosts:
            self._resets -= 1
        if opcode == hci.HCI_READ_BD_ADDR_COMMAND and status == Error.SUCCESS:
            self._addresses[hci.OwnAddressType.PUBLIC] = packet[7:13]
        if is_hosts and status and not NO_FAULT & {(status, ANY), (status, opcode)}:
            name = hci.HCI_Command.command_name(opcode)
            self.complain(f"{name} was answered with {hci.HCI_Constant.error_name(status)}")
        return is_hosts and not self._resets

    # Links

    def _link(self, handle: bytes) -> Link | None:
        return self.le_connections.get(int.from_bytes(handle, "little"))

    def _other_end(self, link: Link) -> tuple["Radio", Link] | None:
        for radio in self._radios:
            for other in radio.le_connections.values():
                if (other.own, other.peer) == (link.peer, link.own):
                    return radio, other
        return None

    def lose_link(self, link: Link, reason: int = Error.CONNECTION_TIMEOUT_ERROR) -> None:
        """The link ends on both sides, without another reason as by supervision timeout."""
        self._end(link, reason)

    def _end(self, link: Link, reason: int) -> None:
        """RootCanal has no other end than that by a host, so that both hosts are told another reason."""
        self._mark(link, reason)
        handle = link.handle.to_bytes(2, "little")
        parting = bytes([Error.REMOTE_USER_TERMINATED_CONNECTION_ERROR])
        self._command(hci.HCI_DISCONNECT_COMMAND, handle + parting)

    def _mark(self, link: Link, reason: int) -> None:
        link.reason = reason
        if other := self._other_end(link):
            other[1].reason = reason

    # What the bench does with it

    def silence(self) -> None:
        """Advertises no longer, at once."""
        if self._advertising_command is not None:
            self._command(self._advertising_command, ADVERTISES_NO_LONGER[self._advertising_command])

    def power_cycle(self) -> None:
        """Resets everything as at power-on; a connected peer sees a supervision timeout."""
        if self._opening is None:
            return
        for link in self.le_connections.values():
            self.lose_link(link)
        self.le_connections.clear()
        self._resets += 1
        self._command(hci.HCI_RESET_COMMAND)

    def leave(self) -> None:
        """Is taken off the air for good; a connected peer sees a supervision timeout."""
        self._has_left = True
        for link in self.le_connections.values():
            self._mark(link, Error.CONNECTION_TIMEOUT_ERROR)
        self.le_connections.clear()
        if self._opening is not None:
            self._opening.cancel()
        if self._transport is not None:
            self._transport.close()


class RootCanal:
    """The air between the controllers of the RootCanal at this port.

    Without an `advertising_interval`, in milliseconds, each phone has its own.
    """

    def __init__(self, port: int, advertising_interval: float | None) -> None:
        self.advertising_interval = advertising_interval
        self._port = port
        self._radios: list[Radio] = []

    def radio(self, on_complaint: Callable[[str], None] | None = None) -> Radio:
        """One more controller."""
        radio = Radio(self._radios, self._port, on_complaint or (lambda message: None))
        self._radios.append(radio)
        return radio

    def close(self) -> None:
        """RootCanal is about to end."""
        for radio in self._radios:
            radio.leave()


def radio_on(air: Air | RootCanal, name: str, address: str, random_source: random.Random) -> Chip | Radio:
    """A controller on that air for a host of the bench. RootCanal's have the addresses that it gives them."""
    if isinstance(air, RootCanal):
        return air.radio()
    return Chip(name, air, address, random_source, kind=chip_kinds.PHONE)

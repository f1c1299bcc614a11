"""A controller that does what real ones do and no specification says, and whatever its air is made to lie about."""

import struct
from collections import Counter
from collections.abc import Callable, Iterable
from types import SimpleNamespace

from bumble import controller, hci
from bumble.transport.common import TransportSink

from lenker_bench.wire.advertising import ControllersAdvertisement
from lenker_bench.wire.framing import COMMAND, EVENT
from lenker_bench.wire.mute_peers import ChipWithMutePeers

Error = hci.HCI_ErrorCode

HARDWARE_ERROR = bytes([EVENT, 0x10, 1, 0x42])
NO_INDICATOR = 0xFF
VENDOR_EVENT = bytes([EVENT, 0xFF, 3, 0x1B, 0x03, 0x00])


class StrangeChip(ChipWithMutePeers):
    """Its fields say what it does otherwise from now on; without a change it is an ordinary one.

    `commands` counts what the host sent.
    """

    def __init__(self, *arguments: object, **options: object) -> None:
        self.commands: Counter[int] = Counter()
        self.withheld: set[int] = set()
        """Opcodes that it takes, and says nothing."""
        self.answers_twice = False
        self.holds_links = False
        """A link that the host ends lasts, as its other end does not acknowledge that."""
        self.hides_ends = False
        """It does not tell that a link has ended, and so gives its handle to the next one."""
        self.refused_attempts = 0
        """How many attempts to connect end in 0x3E at once."""
        self.false_peer: hci.Address | None = None
        """Whom it names instead of who was connected to."""
        self.on_attempt: Callable[[hci.Address], None] = lambda address: None
        """Is told whom the host wants to connect to."""
        super().__init__(*arguments, **options)

    # The host

    def on_packet(self, packet: bytes) -> None:
        if packet[0] == COMMAND and len(packet) >= 4:
            opcode = struct.unpack_from("<H", packet, 1)[0]
            self.commands[opcode] += 1
            if opcode in self.withheld:
                return
            if opcode == hci.HCI_DISCONNECT_COMMAND and self.holds_links:
                self.say([struct.pack("<BBBBBH", EVENT, 0x0F, 4, Error.SUCCESS, 1, opcode)])
                return
        super().on_packet(packet)

    def _hand_over(self, sink: TransportSink, packet: bytes) -> None:
        if self.hides_ends and packet[:2] == bytes([EVENT, hci.HCI_DISCONNECTION_COMPLETE_EVENT]):
            return
        super()._hand_over(sink, packet)
        if self.answers_twice and opcode_of_answer(packet) is not None:
            super()._hand_over(sink, packet)

    def say(self, packets: Iterable[bytes]) -> None:
        """Sends the host these bytes, whatever they are."""
        for packet in packets:
            if self.hci_sink is not None:
                self.hci_sink.on_packet(packet)

    # Attempts to connect

    def on_hci_le_create_connection_command(self, command: hci.HCI_LE_Create_Connection_Command) -> None:
        super().on_hci_le_create_connection_command(command)
        self.on_attempt(command.peer_address)

    def _connect(self, advertisement: ControllersAdvertisement) -> None:
        pending = self.pending_le_connection
        if self.refused_attempts > 0:
            self.refused_attempts -= 1
            self.pending_le_connection = None
            nobody = SimpleNamespace(handle=0, role=hci.Role.CENTRAL, peer_address=pending.peer_address)
            status = Error.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR
            super()._send_connection_complete(nobody, pending, status)
        else:
            super()._connect(advertisement)

    def _send_connection_complete(
        self, link: controller.Connection, command: hci.HCI_LE_Create_Connection_Command, status: int = Error.SUCCESS
    ) -> None:
        if self.false_peer is not None:
            link = SimpleNamespace(handle=link.handle, role=link.role, peer_address=self.false_peer)
        super()._send_connection_complete(link, command, status)


def opcode_of_answer(packet: bytes) -> int | None:
    """The opcode that a Command Complete or Command Status answers; none for any other packet."""
    if len(packet) >= 6 and packet[:2] == bytes([EVENT, 0x0E]):
        return struct.unpack_from("<H", packet, 4)[0]
    if len(packet) >= 7 and packet[:2] == bytes([EVENT, 0x0F]):
        return struct.unpack_from("<H", packet, 5)[0]
    return None

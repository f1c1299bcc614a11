"""A controller that does what real ones do and no specification says."""

import struct
from collections.abc import Callable

from bumble import hci
from bumble.transport.common import TransportSink

from lenker_bench.wire.framing import COMMAND, EVENT
from lenker_bench.wire.mute_peers import ChipWithMutePeers

Error = hci.HCI_ErrorCode

HARDWARE_ERROR = bytes([EVENT, 0x10, 1, 0x42])
NO_INDICATOR = 0xFF


class StrangeChip(ChipWithMutePeers):
    """Its fields say what it does otherwise from now on; without a change it is an ordinary one."""

    def __init__(self, *arguments: object, **options: object) -> None:
        self.holds_links = False
        """A link that the host ends lasts, as its other end does not acknowledge that."""
        self.hides_ends = False
        """It does not tell that a link has ended, and so gives its handle to the next one."""
        self.on_attempt: Callable[[hci.Address], None] = lambda address: None
        """Is told whom the host wants to connect to."""
        super().__init__(*arguments, **options)

    def on_packet(self, packet: bytes) -> None:
        if self.holds_links and packet[0] == COMMAND and len(packet) >= 4:
            opcode = struct.unpack_from("<H", packet, 1)[0]
            if opcode == hci.HCI_DISCONNECT_COMMAND:
                if self.hci_sink is not None:
                    self.hci_sink.on_packet(struct.pack("<BBBBBH", EVENT, 0x0F, 4, Error.SUCCESS, 1, opcode))
                return
        super().on_packet(packet)

    def _hand_over(self, sink: TransportSink, packet: bytes) -> None:
        if not self.hides_ends or packet[:2] != bytes([EVENT, hci.HCI_DISCONNECTION_COMPLETE_EVENT]):
            super()._hand_over(sink, packet)

    def on_hci_le_create_connection_command(self, command: hci.HCI_LE_Create_Connection_Command) -> None:
        super().on_hci_le_create_connection_command(command)
        self.on_attempt(command.peer_address)


def opcode_of_answer(packet: bytes) -> int | None:
    """The opcode that a Command Complete or Command Status answers; none for any other packet."""
    if len(packet) >= 6 and packet[:2] == bytes([EVENT, 0x0E]):
        return struct.unpack_from("<H", packet, 4)[0]
    if len(packet) >= 7 and packet[:2] == bytes([EVENT, 0x0F]):
        return struct.unpack_from("<H", packet, 5)[0]
    return None

"""One end of a link, as its controller keeps it."""

import asyncio
import struct

from bumble import controller, hci

from .chip_kinds import SHORTEST_PAYLOAD
from .exchanges import VersionInd
from .meeting import Meeting
from .parameters import Parameters


class Link(controller.Connection):
    """One end of a link; the host's buffers come back when the air has carried what was in them."""

    meeting: Meeting | None = None
    """Where the air lets it meet the other end, if it does so in connection events."""
    payload = SHORTEST_PAYLOAD
    """The most bytes in one packet on the air."""
    wanted_by_peer: Parameters | None = None
    is_encrypted = False
    holds_data = False
    """Whether its data wait for the end of an encryption that was begun."""
    encrypting: asyncio.TimerHandle | None = None
    told_version = False
    peer_version: VersionInd | None = None
    waits_for_version = False
    _taken = 0

    @property
    def is_there(self) -> bool:
        """Whether its controller still has it."""
        return self.controller.le_connections.get(self.peer_address) is self

    def hold_data(self) -> None:
        self.holds_data = True

    def release_data(self) -> None:
        self.holds_data = False
        if self.meeting is not None:
            self.meeting.release_data(self)

    def on_hci_acl_data_packet(self, packet: hci.HCI_AclDataPacket) -> None:
        chip = self.controller
        buffers = chip.kind.data_buffers
        if len(packet.data) > buffers.size:
            chip.complain(f"ACL packet of {len(packet.data)} bytes, the chip has room for {buffers.size}")
            return
        self._taken += 1
        # The buffers are the chip's: all links share them.
        if sum(link._taken for link in chip.le_connections.values()) > buffers.count:
            chip.complain(f"more than {buffers.count} ACL packets before the first was completed")
        chip.air.carry(self, packet)
        try:
            self.assembler.feed_packet(packet)
        except (struct.error, AssertionError):
            chip.complain(f"ACL packet that neither starts nor continues a PDU: {packet.data.hex()}")

    def return_buffers(self, count: int | None = None) -> None:
        """Gives the host that many of its buffers back, or all."""
        count = self._taken if count is None else count
        self._taken -= count
        if count > 0 and self.is_there:
            self.controller.send_hci_packet(
                hci.HCI_Number_Of_Completed_Packets_Event(
                    connection_handles=[self.handle], num_completed_packets=[count]
                )
            )

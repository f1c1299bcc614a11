"""The radio link between virtual controllers.

Bumble's `LocalLink` finds a peer by its controller's present random address, so data is lost for a central with a
public address and for a phone with a new one. Here a link is known by its two ends' addresses.
"""

import asyncio

from bumble import controller, hci, link, ll
from bumble.core import PhysicalTransport


class Air(link.LocalLink):
    """Carries LE packets between controllers; what is sent to nobody is lost."""

    def other_end(self, connection: controller.Connection) -> controller.Connection | None:
        """The same link as its other controller sees it, or none once that has left."""
        for other in self.controllers:
            found = other.le_connections.get(connection.self_address)
            if found is not None and found is not connection and found.self_address == connection.peer_address:
                return found
        return None

    def send_acl_data(
        self,
        sender_controller: controller.Controller,
        destination_address: hci.Address,
        transport: PhysicalTransport,
        data: bytes,
    ) -> None:
        connection = sender_controller.le_connections.get(destination_address)
        end = self.other_end(connection) if connection else None
        if end is not None:
            end.controller.on_link_acl_data(end.peer_address, transport, data)

    def send_ll_control_pdu(
        self, sender_address: hci.Address, receiver_address: hci.Address, packet: ll.ControlPdu
    ) -> None:
        for other in self.controllers:
            found = other.le_connections.get(sender_address)
            if found is not None and found.self_address == receiver_address:
                asyncio.get_running_loop().call_soon(_deliver, found, packet)
                return


def _deliver(connection: controller.Connection, packet: ll.ControlPdu) -> None:
    """Hands over a control PDU, unless the link went away meanwhile."""
    owner = connection.controller
    if owner.le_connections.get(connection.peer_address) is connection:
        owner.on_ll_control_pdu(connection.peer_address, packet)

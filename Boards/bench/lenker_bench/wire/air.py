"""The radio link between virtual controllers.

Bumble's `LocalLink` finds a peer by its controller's present random address, so data is lost for a central with a
public address and for a phone with a new one. Here a link is known by its two ends' addresses.
"""

import asyncio
from collections.abc import Callable

from bumble import controller, hci, link, ll
from bumble.core import PhysicalTransport

from .advertising import Advertisement
from .link import Link

INSTANT_ADVERTISING_INTERVAL = 100.0  # milliseconds


class Air(link.LocalLink):
    """Carries LE packets between controllers at once; what is sent to nobody is lost.

    `on_advertising` is called with the controller of each advertisement.
    """

    advertising_interval: float | None = INSTANT_ADVERTISING_INTERVAL
    """That of all phones, in milliseconds; none: each has its own."""

    def __init__(self) -> None:
        super().__init__()
        self.on_advertising: Callable[[controller.Controller], None] = lambda sender: None

    def other_end(self, connection: Link) -> Link | None:
        """The same link as its other controller sees it, or none once that has left."""
        for other in self.controllers:
            found = other.le_connections.get(connection.self_address)
            if found is not None and found is not connection and found.self_address == connection.peer_address:
                return found
        return None

    def send_advertising_pdu(self, sender_controller: controller.Controller, packet: ll.AdvertisingPdu) -> None:
        self.on_advertising(sender_controller)
        super().send_advertising_pdu(sender_controller, packet)

    def broadcast(self, advertisement: Advertisement) -> None:
        """Sends an advertisement of somebody who has no controller."""
        for receiver in tuple(self.controllers):
            receiver.on_ll_advertising_pdu(advertisement)

    # What controllers send on a link

    def join(self, central: Link, peripheral: Link, interval: int, latency: int) -> None:
        """A link begins; the interval is in units of 1.25 ms."""

    def carry(self, end: Link, packet: hci.HCI_AclDataPacket) -> None:
        """Takes a packet of this end's host; its buffer is given back when it was sent."""
        # Several in one go come back in one event.
        asyncio.get_running_loop().call_soon(end.return_buffers)

    def send_acl_data(
        self,
        sender_controller: controller.Controller,
        destination_address: hci.Address,
        transport: PhysicalTransport,
        data: bytes,
    ) -> None:
        """Carries a PDU that is whole."""
        connection = sender_controller.le_connections.get(destination_address)
        end = self.other_end(connection) if connection else None
        if end is not None:
            end.controller.hand_up(end, data, is_first=True)

    def send_ll_control_pdu(
        self, sender_address: hci.Address, receiver_address: hci.Address, packet: ll.ControlPdu
    ) -> None:
        for other in self.controllers:
            found = other.le_connections.get(sender_address)
            if found is not None and found.self_address == receiver_address:
                self.send_control(found, packet)
                return

    def send_control(self, receiver: Link, packet: ll.ControlPdu) -> None:
        """Sends a control PDU to this end of a link."""
        asyncio.get_running_loop().call_soon(deliver, receiver, packet)

    def terminate(self, end: Link, reason: int, own_reason: int) -> None:
        """Ends a link from this end: the other one hears `reason`, the own host `own_reason`."""
        end.send_ll_control_pdu(ll.TerminateInd(reason))
        end.controller.on_le_disconnected(end, own_reason)

    def update(self, central: Link, interval: int, latency: int, timeout: int) -> None:
        """The central changes the parameters of a link; both hosts hear of it when they hold."""
        central.controller.send_update_complete(central, interval, latency, timeout)
        central.send_ll_control_pdu(ll.ConnectionUpdateInd(interval, latency, timeout))


def deliver(receiver: Link, packet: ll.ControlPdu) -> None:
    """Hands over a control PDU, unless the link went away meanwhile."""
    if receiver.is_there:
        receiver.controller.on_ll_control_pdu(receiver.peer_address, packet)

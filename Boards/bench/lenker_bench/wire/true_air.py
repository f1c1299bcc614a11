"""An air where the two ends of a link meet in connection events only, and each phone advertises as it does.

What is modelled and what is not stands in Boards/bench/model.md.
"""

import asyncio
import random
from collections.abc import Callable

from bumble import controller, hci, ll
from bumble.core import PhysicalTransport

from .air import Air, deliver
from .link import Link
from .meeting import ConnectionEvents, Meeting, Packet


class TrueAir(Air):
    """Carries what is sent on a link in its connection events; the random numbers say where in time these are."""

    advertising_interval = None

    def __init__(self, random_source: random.Random) -> None:
        super().__init__()
        self._random = random_source

    def join(self, central: Link, peripheral: Link, interval: int, latency: int) -> None:
        now = asyncio.get_running_loop().time()
        events = ConnectionEvents.connected(now, interval, latency, self._random)
        central.meeting = peripheral.meeting = Meeting(central, peripheral, events, self._random)

    def carry(self, end: Link, packet: hci.HCI_AclDataPacket) -> None:
        receiver = end.meeting.other(end)
        starts = packet.pb_flag != hci.HCI_ACL_PB_CONTINUATION
        offsets = range(0, max(len(packet.data), 1), end.payload)
        for offset in offsets:
            part = packet.data[offset : offset + end.payload]
            is_first = starts and offset == 0
            end.meeting.put_data(end, Packet(_hearing(receiver, part, is_first), frees=int(offset == offsets[-1])))

    def send_acl_data(
        self,
        sender_controller: controller.Controller,
        destination_address: hci.Address,
        transport: PhysicalTransport,
        data: bytes,
    ) -> None:
        """The parts of the PDU wait already."""

    def send_control(self, receiver: Link, packet: ll.ControlPdu) -> None:
        sender = receiver.meeting.other(receiver)
        receiver.meeting.put(sender, Packet(lambda: deliver(receiver, packet)))

    def terminate(self, end: Link, reason: int, own_reason: int) -> None:
        def part() -> None:
            for one, why in ((end.meeting.other(end), reason), (end, own_reason)):
                if one.is_there:
                    one.controller.on_le_disconnected(one, why)

        end.meeting.put(end, Packet(part))

    def update(self, central: Link, interval: int, latency: int, timeout: int) -> None:
        central.meeting.put(central, Packet(lambda: central.meeting.update(interval, latency, timeout)))


def _hearing(receiver: Link, part: bytes, is_first: bool) -> Callable[[], None]:
    def hear() -> None:
        if receiver.is_there:
            receiver.controller.hand_up(receiver, part, is_first)

    return hear


TRUE, INSTANT = "true", "instant"
AIRS: dict[str, Callable[[object], Air]] = {
    TRUE: lambda seed: TrueAir(random.Random(f"{seed} air")),
    INSTANT: lambda seed: Air(),
}
"""Makes the air of that name, for a seed."""

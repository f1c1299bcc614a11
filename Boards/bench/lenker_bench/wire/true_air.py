"""An air where the two ends of a link meet in connection events only, and each phone advertises as it does.

What is modelled and what is not stands in Boards/bench/README.md.
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from bumble import controller, hci, ll
from bumble.core import PhysicalTransport

from .air import Air, deliver
from .connection_events import ConnectionEvents
from .link import Link

PACKETS_IN_AN_EVENT = 4  # of each end: what an iPhone allows


@dataclass
class Packet:
    """One packet on the air; `act` is what happens when it is heard. The last of a host's packet frees its buffer."""

    act: Callable[[], None]
    frees: int = 0


class Meeting:
    """The two ends of a link, what each has for the other, and when they meet."""

    def __init__(self, central: Link, peripheral: Link, events: ConnectionEvents, source: random.Random) -> None:
        self._ends = (central, peripheral)
        self._waiting: tuple[deque[Packet], deque[Packet]] = (deque(), deque())
        self._held: tuple[deque[Packet], deque[Packet]] = (deque(), deque())
        self._events = events
        self._following: ConnectionEvents | None = None
        self._source = source
        self._timer: asyncio.TimerHandle | None = None

    def other(self, end: Link) -> Link:
        central, peripheral = self._ends
        return peripheral if end is central else central

    def put(self, sender: Link, packet: Packet) -> None:
        """Lets a packet wait for an event."""
        self._waiting[self._side(sender)].append(packet)
        self._arrange()

    def put_data(self, sender: Link, packet: Packet) -> None:
        """The same of a host's data: while the link is being encrypted they wait for the end of that, too."""
        if sender.holds_data:
            self._held[self._side(sender)].append(packet)
        else:
            self.put(sender, packet)

    def release_data(self, sender: Link) -> None:
        held = self._held[self._side(sender)]
        self._waiting[self._side(sender)].extend(held)
        held.clear()
        self._arrange()

    def _side(self, end: Link) -> int:
        return 0 if end is self._ends[0] else 1

    def update(self, interval: int, latency: int, timeout: int) -> None:
        """The peripheral has heard of an update: from its instant on there are other events.

        One that comes before that waits for it.
        """
        loop = asyncio.get_running_loop()
        if self._following is not None:
            loop.call_at(self._following.anchor, self.update, interval, latency, timeout)
            return
        self._following = self._events.updated(interval, latency, self._source)
        loop.call_at(self._following.anchor, self._take_effect, interval, latency, timeout)
        self._arrange()

    def _take_effect(self, *values: int) -> None:
        self._events, self._following = self._following, None
        for end in self._ends:
            if end.is_there:
                end.controller.send_update_complete(end, *values)
        self._arrange()

    def _arrange(self) -> None:
        """Sets the timer to the next event in which there is something to say."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not any(self._waiting):
            return
        loop = asyncio.get_running_loop()
        events, following = self._events, self._following
        speaks = bool(self._waiting[1])
        number = events.next(loop.time(), speaks)
        if following is not None and number >= following.first:
            events, number = following, following.next(loop.time(), speaks)
        self._timer = loop.call_at(events.time_of(number), self._hold, events, number)

    def _hold(self, events: ConnectionEvents, number: int) -> None:
        self._timer = None
        events.hold(number)
        # All is taken before anything is heard: an answer to it is for the next event.
        said = [[each.popleft() for _ in range(min(PACKETS_IN_AN_EVENT, len(each)))] for each in self._waiting]
        for end, packets in zip(self._ends, said, strict=True):
            end.return_buffers(sum(packet.frees for packet in packets))
            for packet in packets:
                packet.act()
        self._arrange()


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

"""Where the two ends of a link meet: in connection events, each of which carries what waits for it."""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bumble import controller

from .connection_events import ConnectionEvents

PACKETS_IN_AN_EVENT = 4  # of each end: what an iPhone allows


class End(Protocol):
    """One end of a link, as its meeting sees it."""

    controller: controller.Controller
    holds_data: bool

    @property
    def is_there(self) -> bool: ...

    def return_buffers(self, count: int) -> None: ...


@dataclass
class Packet:
    """One packet on the air; `act` is what happens when it is heard. The last of a host's packet frees its buffer."""

    act: Callable[[], None]
    frees: int = 0


class Meeting:
    """The two ends of a link, what each has for the other, and when they meet."""

    def __init__(self, central: End, peripheral: End, events: ConnectionEvents, source: random.Random) -> None:
        self._ends = (central, peripheral)
        self._waiting: tuple[deque[Packet], deque[Packet]] = (deque(), deque())
        self._held: tuple[deque[Packet], deque[Packet]] = (deque(), deque())
        self._events = events
        self._following: ConnectionEvents | None = None
        self._source = source
        self._timer: asyncio.TimerHandle | None = None

    def other(self, end: End) -> End:
        central, peripheral = self._ends
        return peripheral if end is central else central

    def put(self, sender: End, packet: Packet) -> None:
        """Lets a packet wait for an event."""
        self._waiting[self._side(sender)].append(packet)
        self._arrange()

    def put_data(self, sender: End, packet: Packet) -> None:
        """The same of a host's data: while the link is being encrypted they wait for the end of that, too."""
        if sender.holds_data:
            self._held[self._side(sender)].append(packet)
        else:
            self.put(sender, packet)

    def release_data(self, sender: End) -> None:
        held = self._held[self._side(sender)]
        self._waiting[self._side(sender)].extend(held)
        held.clear()
        self._arrange()

    def _side(self, end: End) -> int:
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

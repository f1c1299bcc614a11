"""Where the two ends of a link meet: in connection events, each of which carries what waits for it."""

import asyncio
import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bumble import controller

INTERVAL_UNIT = 0.00125  # seconds
TRANSMIT_WINDOW_DELAY = 0.00125  # seconds from a connection to the earliest first event
EVENTS_BEFORE_INSTANT = 6  # that the peripheral hears before an update takes effect


def window_offset(interval: int, random_source: random.Random) -> float:
    """Where in an interval a central puts its first event, in seconds; the interval is in units of 1.25 ms."""
    return random_source.randrange(interval + 1) * INTERVAL_UNIT


@dataclass
class ConnectionEvents:
    """When the two ends of a link hear each other: the events from number `first` on, which is at `anchor`; in seconds.

    Core Specification, Vol 6, Part B, 4.5.1 (events, interval, latency), 4.5.3 (the first one), 5.1.1 (an update).

    A peripheral that has nothing to say may miss `latency` events in a row.
    """

    anchor: float
    interval: float
    latency: int = 0
    first: int = 0

    def __post_init__(self) -> None:
        self._held = self.first - 1
        self._heard = self.first

    @classmethod
    def connected(cls, now: float, interval: int, latency: int, random_source: random.Random) -> "ConnectionEvents":
        """Those of a link that begins now; the interval is in units of 1.25 ms."""
        anchor = now + TRANSMIT_WINDOW_DELAY + window_offset(interval, random_source)
        return cls(anchor, interval * INTERVAL_UNIT, latency)

    def updated(self, interval: int, latency: int, random_source: random.Random) -> "ConnectionEvents":
        """Those after an update that was sent in the last event held; the interval is in units of 1.25 ms."""
        instant = self._held + EVENTS_BEFORE_INSTANT * (self.latency + 1)
        anchor = self.time_of(instant) + window_offset(interval, random_source)
        return ConnectionEvents(anchor, interval * INTERVAL_UNIT, latency, instant)

    def time_of(self, number: int) -> float:
        return self.anchor + (number - self.first) * self.interval

    def next(self, now: float, peripheral_speaks: bool) -> int:
        """The number of the next event in which something can be sent that is there now."""
        passed = math.floor((now - self.anchor) / self.interval) + self.first
        number = max(passed, self._held, self.first - 1) + 1
        if peripheral_speaks:
            return number
        # It hears the last one that it heard, and from there every (latency + 1)th.
        return number + (self._heard - number) % (self.latency + 1)

    def hold(self, number: int) -> None:
        """Event `number` takes place, and the peripheral hears it."""
        self._held = self._heard = number


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

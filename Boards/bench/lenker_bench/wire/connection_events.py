"""Connection events: when the two ends of a link hear each other. A value without a clock.

Core Specification, Vol 6, Part B, 4.5.1 (events, interval, latency), 4.5.3 (the first one), 5.1.1 (an update).
"""

import math
import random
from dataclasses import dataclass

INTERVAL_UNIT = 0.00125  # seconds
TRANSMIT_WINDOW_DELAY = 0.00125  # seconds from a connection to the earliest first event
EVENTS_BEFORE_INSTANT = 6  # that the peripheral hears before an update takes effect


def window_offset(interval: int, random_source: random.Random) -> float:
    """Where in an interval a central puts its first event, in seconds; the interval is in units of 1.25 ms."""
    return random_source.randrange(interval + 1) * INTERVAL_UNIT


@dataclass
class ConnectionEvents:
    """The events of a link from number `first` on, which is at `anchor`; times in seconds.

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

"""Connection parameters, which say how often there are connection events, and how a peripheral asks for others.

Core Specification, Vol 6, Part B, 5.1.7; Vol 4, Part E, 7.8.18.
"""

from dataclasses import dataclass

from bumble import ll


@dataclass(frozen=True)
class Parameters:
    """In the units of the specification: 1.25 ms for intervals, 10 ms for the supervision timeout."""

    interval_min: int
    interval_max: int
    latency: int
    timeout: int

    @property
    def are_valid(self) -> bool:
        """Whether the specification allows this combination (Vol 4, Part E, 7.8.18)."""
        is_in_range = 6 <= self.interval_min <= self.interval_max <= 3200 and 10 <= self.timeout <= 3200
        # The timeout must be longer than two of the longest gaps between connection events.
        return is_in_range and self.latency <= 499 and self.timeout * 8 > (1 + self.latency) * self.interval_max * 2

    def are_met_by(self, interval: int, latency: int, timeout: int) -> bool:
        """Whether a link with these values has what was asked for; same units."""
        is_interval_met = self.interval_min <= interval <= self.interval_max
        return is_interval_met and (latency, timeout) == (self.latency, self.timeout)

    def __str__(self) -> str:
        shortest, longest = self.interval_min * 1.25, self.interval_max * 1.25
        return f"interval {shortest:g} to {longest:g} ms, latency {self.latency}, timeout {self.timeout * 10} ms"


@dataclass
class ConnectionParamReq(ll.ControlPdu):
    """LL_CONNECTION_PARAM_REQ, which Bumble does not have."""

    opcode = ll.ControlPdu.Opcode.LL_CONNECTION_PARAM_REQ

    parameters: Parameters

"""The street: everybody who only advertises, each at its interval."""

import asyncio
import heapq
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from bumble import hci

from ..wire.advertising import MAXIMUM_ADVERTISING_DELAY, UNKNOWN_STRENGTH, Advertisement, ReportType
from ..wire.air import Air
from ..wire.chip import Chip
from .beacons import Beacon, BeaconChoice
from .payloads import Passer, Sender, payloads

AT_A_TIME = 200  # advertisements, before others have their turn
LATEST = 0.1  # seconds that are made up for, if the bench was too slow
SHORTEST_INTERVAL = 0.020  # seconds; Core Specification, Vol 4, Part E, 7.8.5
MOST = 2000


class StreetError(Exception):
    """A street that there cannot be; the message says why."""


class Street:
    """Lets its senders advertise; `sent` counts their advertisements, `late` is the worst delay in seconds."""

    def __init__(self, air: Air, senders: Sequence[Sender], random_source: random.Random) -> None:
        self.senders = senders
        self.sent = 0
        self.late = 0.0
        self._air = air
        self._random = random_source
        self._queue: list[tuple[float, int]] = []
        self._timer: asyncio.TimerHandle | None = None

    @property
    def wanted(self) -> set[str]:
        """The addresses of its devices that somebody wanted to connect to."""
        return set().union(*(sender.wanted for sender in self.senders))

    def start(self) -> None:
        if not self.senders:
            return
        now = asyncio.get_running_loop().time()
        # They did not all begin at this moment.
        self._queue = [
            (now + self._random.uniform(0, sender.interval), number) for number, sender in enumerate(self.senders)
        ]
        heapq.heapify(self._queue)
        self._arrange()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def figures(self, chip: Chip) -> dict[str, object]:
        """What was sent, and how many reports this chip gave its host, of everybody on the air."""
        return {
            "devices": len(self.senders),
            "sent": self.sent,
            "reports": chip.scanner.reports,
            "wanted": sorted(self.wanted),
            "late": round(self.late * 1000),
        }

    def _arrange(self) -> None:
        self._timer = asyncio.get_running_loop().call_at(self._queue[0][0], self._send_due)

    def _send_due(self) -> None:
        now = asyncio.get_running_loop().time()
        for _ in range(AT_A_TIME):
            due, number = self._queue[0]
            if due > now:
                break
            sender = self.senders[number]
            self.late = max(self.late, now - due)
            delay = sender.interval + self._random.uniform(0, MAXIMUM_ADVERTISING_DELAY)
            heapq.heapreplace(self._queue, (max(due, now - LATEST) + delay, number))
            if sender.prepare(now):
                self.sent += 1
                self._air.broadcast(sender)
        self._arrange()


def street_of(
    air: Air,
    devices: int,
    beacons: Sequence[BeaconChoice],
    seed: object,
    end: float,
    rate: float | None = None,
) -> Street:
    """So many devices and these beacons, whose last change ends at `end`; all from the seed.

    With a `rate` the devices advertise so many times a second together. Raises `StreetError`.
    """
    # Random numbers of its own: the phone does the same with a street as without.
    source = random.Random(f"{seed} street")
    passers = _passers(devices, source)
    if rate is not None:
        _set_rate(passers, rate)
    lights = [Beacon(choice, end, random.Random(f"{seed} beacon {n}")) for n, choice in enumerate(beacons)]
    return Street(air, [*passers, *lights], source)


def _passers(count: int, source: random.Random) -> list[Passer]:
    """One of each kind, if there are enough, and the others by the shares of their kinds."""
    kinds = payloads()
    each = source.sample(kinds, len(kinds)) if count >= len(kinds) else []
    others = source.choices(kinds, [kind.share for kind in kinds], k=count - len(each))
    return [Passer(kind, random.Random(source.random())) for kind in (*each, *others)]


def _set_rate(passers: list[Passer], rate: float) -> None:
    """Makes all intervals longer or shorter by one factor."""
    intervals = [passer.interval for passer in passers]

    def rate_at(factor: float) -> float:
        # The random delay is half its maximum in the mean.
        return sum(1 / (max(factor * each, SHORTEST_INTERVAL) + MAXIMUM_ADVERTISING_DELAY / 2) for each in intervals)

    highest = rate_at(0.0)
    if not 0 < rate <= highest:
        raise StreetError(f"{len(passers)} devices advertise at most {highest:.0f} times a second")
    low, high = 0.0, 1.0
    while rate_at(high) > rate:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rate_at(middle) > rate else (low, middle)
    for passer, each in zip(passers, intervals, strict=True):
        passer.interval = max(high * each, SHORTEST_INTERVAL)


NAMES = {
    ReportType.ADV_IND: "connectable",
    ReportType.ADV_DIRECT_IND: "directed",
    ReportType.ADV_SCAN_IND: "scannable",
    ReportType.ADV_NONCONN_IND: "nonconnectable",
    ReportType.SCAN_RSP: "scan-response",
}


def type_of(address: hci.Address) -> str:
    """`public`, `resolvable`, or `random` for any other random one."""
    if address.is_public:
        return "public"
    return "resolvable" if address.is_resolvable else "random"


class SentFile:
    """A JSON object for each PDU, as a scanner's `on_pdu` is told of it; `reported` says whether the host was, too."""

    def __init__(self, path: Path, seconds: Callable[[], float]) -> None:
        """`seconds` is the clock of the lines. Raises `OSError`."""
        self._file = path.open("w", encoding="ascii")
        self._seconds = seconds

    def write(
        self, advertisement: Advertisement, kind: ReportType, data: bytes, strength: int, is_reported: bool
    ) -> None:
        address = advertisement.advertiser_address
        line = {
            "t": round(self._seconds(), 3),
            "address": address.to_string(False),
            "type": type_of(address),
            "kind": NAMES[kind],
            "rssi": None if strength == UNKNOWN_STRENGTH else strength,
            "data": data.hex(),
            "reported": is_reported,
        }
        self._file.write(json.dumps(line) + "\n")

    def close(self) -> None:
        self._file.close()

"""A host that scans, and reads what its chip reports by hand: Core Specification, Vol 4, Part E, 7.7.65.2."""

import asyncio
import struct
from dataclasses import dataclass

from lenker_bench.wire.air import Air
from two_chips import EVENT_MASK, LE_EVENT_MASK, LE_META, RESET, Host

PASSIVE, ACTIVE = 0, 1
EVERYBODY, ACCEPTED = 0, 1
ALL_THE_TIME = 0x10, 0x10  # interval and window, in units of 0.625 ms
ADVERTISING_REPORT = 0x02
CONNECTABLE, DIRECTED, SCANNABLE, NONCONNECTABLE, SCAN_RESPONSE = range(5)


@dataclass(frozen=True)
class Report:
    """One LE Advertising Report; the address is in the order of its text."""

    time: float
    kind: int
    is_random: bool
    address: str
    data: bytes
    rssi: int

    @property
    def top_bits(self) -> int:
        """Those that say of which kind a random address is."""
        return int(self.address[:2], 16) >> 6


def report(parameters: bytes, time: float) -> Report:
    subevent, count, kind, address_type, address, length = struct.unpack_from("<BBBB6sB", parameters)
    assert (subevent, count, len(parameters)) == (ADVERTISING_REPORT, 1, 12 + length)
    assert address_type in (0, 1)
    rssi = struct.unpack_from("<b", parameters, 11 + length)[0]
    return Report(time, kind, bool(address_type), address[::-1].hex(":").upper(), parameters[11 : 11 + length], rssi)


class Listener(Host):
    def __init__(self, air: Air) -> None:
        super().__init__(air, "B8:27:EB:00:00:01")
        self.send(RESET, EVENT_MASK, LE_EVENT_MASK)

    def begin(
        self,
        kind: int = PASSIVE,
        interval: tuple[int, int] = ALL_THE_TIME,
        policy: int = EVERYBODY,
        filters_duplicates: bool = False,
    ) -> None:
        self.send(bytes.fromhex("010b2007") + struct.pack("<BHHBB", kind, *interval, 0, policy))
        self.send(bytes.fromhex("010c200201") + bytes([filters_duplicates]))

    def end(self) -> None:
        self.send(bytes.fromhex("010c20020000"))

    async def scan(self, seconds: float, *arguments: object, **options: object) -> list[Report]:
        """What was reported in that time."""
        before = len(self.reports())
        self.begin(*arguments, **options)
        await asyncio.sleep(seconds)
        self.end()
        # What was on its way at that moment.
        await asyncio.sleep(0)
        return self.reports()[before:]

    def reports(self) -> list[Report]:
        times = self.times_of(LE_META)
        found = zip(self.of(LE_META), times, strict=True)
        return [report(event, time) for event, time in found if event[0] == ADVERTISING_REPORT]


def structures(data: bytes) -> list[tuple[int, bytes]] | None:
    """Type and value of each AD structure, up to an early end; none if one is longer than what is left of the data."""
    found = []
    while data and data[0]:
        length = data[0]
        if length >= len(data):
            return None
        found.append((data[1], data[2 : 1 + length]))
        data = data[1 + length :]
    return found

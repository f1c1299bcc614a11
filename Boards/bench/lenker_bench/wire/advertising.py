"""Advertising and scanning as a real controller does them, in place of Bumble's."""

import asyncio
import random
import struct
from collections.abc import Callable
from dataclasses import dataclass

from bumble import controller, hci, ll

AdvertisingType = hci.HCI_LE_Set_Advertising_Parameters_Command.AdvertisingType
ReportType = hci.HCI_LE_Advertising_Report_Event.EventType

TIME_SLOT = 0.000625  # seconds; the unit of advertising and scan intervals
MAXIMUM_ADVERTISING_DELAY = 0.010  # seconds; Core Specification, Vol 6, Part B, 4.4.2.2.1
ACTIVE_SCANNING = 1
ACCEPT_LIST = 1  # as filter policy of a scanner or an initiator
WEAKEST, STRONGEST, UNKNOWN_STRENGTH = -127, 20, 127  # dBm in a report; Vol 4, Part E, 7.7.65.2
FADING = 2.0  # dB; the standard deviation of a controller's signal from one advertisement to the next

CONNECTABLE = {ReportType.ADV_IND, ReportType.ADV_DIRECT_IND}
SCANNABLE = {ReportType.ADV_IND, ReportType.ADV_SCAN_IND}
KINDS = {
    AdvertisingType.ADV_IND: ReportType.ADV_IND,
    AdvertisingType.ADV_DIRECT_IND: ReportType.ADV_DIRECT_IND,
    AdvertisingType.ADV_DIRECT_IND_LOW_DUTY: ReportType.ADV_DIRECT_IND,
    AdvertisingType.ADV_SCAN_IND: ReportType.ADV_SCAN_IND,
    AdvertisingType.ADV_NONCONN_IND: ReportType.ADV_NONCONN_IND,
}


class Advertisement(ll.AdvertisingPdu):
    """What a sender has on the air, with the scan response that it would give."""

    advertiser_address: hci.Address
    kind: ReportType
    data: bytes
    scan_response: bytes
    target: hci.Address | None = None
    """Whom a directed one is for."""

    def strength(self, random_source: random.Random) -> float:
        """How strong a receiver with these random numbers hears it, in dBm."""
        raise NotImplementedError

    def accepts_link(self) -> bool:
        """Whether its sender takes the link that a central asks for."""
        raise NotImplementedError


@dataclass
class ControllersAdvertisement(Advertisement):
    """That of a controller, which its host made advertise."""

    advertiser_address: hci.Address
    kind: ReportType
    data: bytes
    scan_response: bytes
    advertiser: "Advertiser"
    target: hci.Address | None = None

    def strength(self, random_source: random.Random) -> float:
        return random_source.gauss(self.advertiser.controller.signal_strength, FADING)

    def accepts_link(self) -> bool:
        return self.advertiser.enabled and self.advertiser.hears_centrals


class Advertiser(controller.LegacyAdvertiser):
    """Sends at the interval that the host asked for, with the random delay of the specification."""

    hears_centrals = True
    """Else nobody can connect to it."""

    def __init__(self, owner: controller.Controller, random_source: random.Random) -> None:
        super().__init__(owner)
        self._random = random_source

    def _on_timer_fired(self) -> None:
        self.send_advertising_data()
        delay = self.advertising_interval_min * TIME_SLOT + self._random.uniform(0, MAXIMUM_ADVERTISING_DELAY)
        self.timer_handle = asyncio.get_running_loop().call_later(delay, self._on_timer_fired)

    def send_advertising_data(self) -> None:
        if not self.enabled:
            return
        kind = KINDS[self.advertising_type]
        is_directed = kind == ReportType.ADV_DIRECT_IND
        self.controller.send_advertising_pdu(
            ControllersAdvertisement(
                self.address,
                kind,
                b"" if is_directed else self.advertising_data,
                self.scan_response_data,
                self,
                self.peer_address if is_directed else None,
            )
        )


def is_window_open(elapsed: float, interval: int, window: int) -> bool:
    """Whether a receiver is on that began so many seconds ago; interval and window in units of 0.625 ms."""
    return elapsed % (max(interval, 1) * TIME_SLOT) < window * TIME_SLOT


OnPDU = Callable[[Advertisement, ReportType, bytes, int, bool], None]


class Scanner:
    """What one controller hears, and which of it is reported to its host.

    `reports` counts the reports. `on_pdu`, where it is set, is told of everything that is on the air: from whom, its
    kind, data and strength in dBm, and whether it was reported; a scan response is on the air if it was asked for.
    """

    def __init__(self, owner: controller.Controller, random_source: random.Random) -> None:
        self._owner = owner
        self._random = random_source
        self._begun = 0.0
        self._reported: set[tuple[hci.Address, int]] = set()
        self.reports = 0
        self.on_pdu: OnPDU | None = None

    def restart(self) -> None:
        """Begins with a window; restarts the duplicate filter."""
        self._begun = asyncio.get_running_loop().time()
        self._reported.clear()

    def receive(self, advertisement: Advertisement) -> None:
        is_heard = self._owner.le_scan_enable and self._hears(advertisement)
        if not is_heard and self.on_pdu is None:
            return
        # One radio event gives both reports nearly the same signal strength.
        strength = round(advertisement.strength(self._random))
        rssi = strength if strength == UNKNOWN_STRENGTH else max(WEAKEST, min(STRONGEST, strength))
        self._take(advertisement, advertisement.kind, advertisement.data, rssi, is_heard)
        if is_heard and advertisement.kind in SCANNABLE and self._owner.le_scan_type == ACTIVE_SCANNING:
            self._take(advertisement, ReportType.SCAN_RSP, advertisement.scan_response, rssi, is_heard)

    def _hears(self, advertisement: Advertisement) -> bool:
        owner, address = self._owner, advertisement.advertiser_address
        elapsed = asyncio.get_running_loop().time() - self._begun
        if not is_window_open(elapsed, owner.le_scan_interval, owner.le_scan_window):
            return False
        if owner.le_scanning_filter_policy == ACCEPT_LIST and not owner.is_accepted(address):
            return False
        return advertisement.target in (None, owner.public_address, owner.random_address)

    def _take(self, advertisement: Advertisement, kind: ReportType, data: bytes, rssi: int, is_heard: bool) -> None:
        is_reported = is_heard and not self._is_duplicate(advertisement.advertiser_address, kind)
        if is_reported:
            self._report(advertisement.advertiser_address, kind, data, rssi)
        if self.on_pdu is not None:
            self.on_pdu(advertisement, kind, data, rssi, is_reported)

    def _is_duplicate(self, address: hci.Address, kind: ReportType) -> bool:
        if not self._owner.filter_duplicates:
            return False
        if (address, kind) in self._reported:
            return True
        self._reported.add((address, kind))
        return False

    def _report(self, address: hci.Address, kind: ReportType, data: bytes, rssi: int) -> None:
        """LE Advertising Report (Vol 4, Part E, 7.7.65.2), made without Bumble's fields: a street has thousands."""
        self.reports += 1
        subevent = hci.HCI_LE_ADVERTISING_REPORT_EVENT
        head = struct.pack("<BBBB6sB", subevent, 1, kind, address.address_type, bytes(address), len(data))
        parameters = head + data + struct.pack("<b", rssi)
        self._owner.send_hci_packet(hci.HCI_Event(parameters, event_code=hci.HCI_LE_META_EVENT))

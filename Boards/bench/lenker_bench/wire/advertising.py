"""Advertising and scanning as a real controller does them, in place of Bumble's."""

import asyncio
import random
from dataclasses import dataclass

from bumble import controller, hci, ll

ReportType = hci.HCI_LE_Advertising_Report_Event.EventType

TIME_SLOT = 0.000625  # seconds; the unit of advertising and scan intervals
MAXIMUM_ADVERTISING_DELAY = 0.010  # seconds; Core Specification, Vol 6, Part B, 4.4.2.2.1
ACTIVE_SCANNING = 1


@dataclass
class Advertisement(ll.AdvInd):
    """An advertisement with the scan response that its sender would give."""

    scan_response: bytes
    advertiser: "Advertiser"


class Advertiser(controller.LegacyAdvertiser):
    """Sends at the interval that the host asked for, with the random delay of the specification."""

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
        self.controller.send_advertising_pdu(
            Advertisement(self.address, self.advertising_data, self.scan_response_data, self)
        )


def is_window_open(elapsed: float, interval: int, window: int) -> bool:
    """Whether a receiver is on that began so many seconds ago; interval and window in units of 0.625 ms."""
    return elapsed % (max(interval, 1) * TIME_SLOT) < window * TIME_SLOT


class Scanner:
    """What one controller hears, and which of it is reported to its host."""

    def __init__(self, owner: controller.Controller, random_source: random.Random) -> None:
        self._owner = owner
        self._random = random_source
        self._begun = 0.0
        self._reported: set[tuple[hci.Address, int]] = set()

    def restart(self) -> None:
        """Begins with a window; starts the duplicate filter anew."""
        self._begun = asyncio.get_running_loop().time()
        self._reported.clear()

    def receive(self, advertisement: Advertisement) -> None:
        owner = self._owner
        elapsed = asyncio.get_running_loop().time() - self._begun
        if not owner.le_scan_enable or not is_window_open(elapsed, owner.le_scan_interval, owner.le_scan_window):
            return
        # One radio event gives both reports nearly the same signal strength.
        strength = round(self._random.gauss(advertisement.advertiser.controller.signal_strength, 2))
        rssi = max(-127, min(20, strength))
        self._report(advertisement, ReportType.ADV_IND, advertisement.data, rssi)
        if owner.le_scan_type == ACTIVE_SCANNING:
            self._report(advertisement, ReportType.SCAN_RSP, advertisement.scan_response, rssi)

    def _report(self, advertisement: Advertisement, kind: ReportType, data: bytes, rssi: int) -> None:
        address = advertisement.advertiser_address
        if self._owner.filter_duplicates:
            if (address, kind) in self._reported:
                return
            self._reported.add((address, kind))
        report = hci.HCI_LE_Advertising_Report_Event.Report(
            event_type=kind, address_type=address.address_type, address=address, data=data, rssi=rssi
        )
        self._owner.send_hci_packet(hci.HCI_LE_Advertising_Report_Event([report]))

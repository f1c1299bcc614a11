"""The bench's rider, who adds sensors by gestures: with a stand-in for the firmware that knows the pages."""

import json

import pytest

from lenker_bench.programs.events import EventLog
from lenker_bench.programs.rider import Rider, RiderError

pytestmark = pytest.mark.virtual_time

SENSORS = {"C0:01": "heart", "C0:02": "heart", "C0:03": "radar"}
TURN, TRIP, DATA, PAGE = range(4)


class Firmware:
    """Four pages, and on the last one a search that offers the sensors in turn.

    A press takes away what is told of a press before.
    """

    def __init__(self, sensors: dict[str, str], taken_pages: int = 0) -> None:
        self.log = EventLog()
        self.page = TURN
        self._has_notice = False
        self._sensors = sensors
        self._offered: list[str] = []
        self._kept: set[str] = set()
        self._taken_pages = taken_pages

    def press(self, gestures: str) -> None:
        for gesture in gestures:
            if self._has_notice:
                self._has_notice = False
            elif self.page == PAGE and gesture == "b":
                self._offer()
            elif self.page == PAGE and self._offered:
                self._keep()
            elif gesture == "a":
                self.page = {TRIP: DATA if self._kept else PAGE}.get(self.page, (self.page + 1) % 4)
            else:
                self._has_notice = True

    def _offer(self) -> None:
        left = [address for address in self._sensors if address not in {*self._offered, *self._kept}]
        for address in left:
            self._say("sensor", address, "found")
        if left:
            self._offered.append(left[0])
            self._say("sensor", left[0], "ready")
            self._say("measure", left[0], "")
            if self._taken_pages > 0:
                self._taken_pages -= 1
                self.page = TURN

    def _keep(self) -> None:
        self._kept.add(self._offered[-1])
        self._say("sensor", self._offered[-1], "remembered")
        self._offered.clear()
        self._has_notice = True

    def _say(self, event: str, address: str, state: str) -> None:
        told = {"event": event, "kind": self._sensors[address], "address": address, "state": state}
        self.log.feed(json.dumps(told).encode() + b"\n")


async def test_it_passes_over_whom_it_does_not_want():
    firmware = Firmware(SENSORS)
    kept = await Rider(firmware.log, firmware.press).add(lambda offered: offered["address"] == "C0:02")
    assert (kept["address"], kept["state"]) == ("C0:02", "remembered")


async def test_it_keeps_one_of_each_kind():
    firmware = Firmware(SENSORS)
    rider = Rider(firmware.log, firmware.press)
    await rider.add_each({"heart", "radar"})
    assert rider.kept == {"heart": "C0:01", "radar": "C0:03"}


async def test_a_turn_that_takes_the_page_does_not_keep_it_from_that():
    firmware = Firmware(SENSORS, taken_pages=2)
    rider = Rider(firmware.log, firmware.press)
    await rider.add_each({"heart", "radar"})
    assert set(rider.kept) == {"heart", "radar"}


@pytest.mark.parametrize(("sensors", "says"), [({}, "no sensor was found"), (SENSORS, "no sensor was offered")])
async def test_it_gives_up(sensors, says):
    firmware = Firmware(sensors)
    with pytest.raises(RiderError, match=says):
        await Rider(firmware.log, firmware.press).add(lambda offered: False)

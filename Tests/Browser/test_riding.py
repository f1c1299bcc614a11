"""The page rides as the bench does, and its phone is lost, silent, forgotten and paired again."""

from pathlib import Path

import pytest

from lenker_bench.phone.rides import OWN_RIDE, read_ride
from lenker_bench.programs.building import ride_in_virtual_time
from lenker_bench.programs.processes import ROOT
from lenker_bench.view.pbm import Picture, read_picture

RIDE = [str(ROOT / ".build" / "debug" / "Rides"), "pictures"]  # made with the units
SHORT_RIDE = OWN_RIDE.with_name("lenker-short.csv")


def turned_back(picture: Picture) -> Picture:
    """A picture as it is seen on a glass that stands with its right edge up."""
    rows = tuple(zip(*[reversed(row) for row in picture.rows], strict=True))
    rows = tuple(tuple(row) for row in rows)
    return Picture(len(rows[0]), len(rows), rows)


def last_picture_of_the_bench(folder: Path, *settings: str) -> Picture:
    ride_in_virtual_time(RIDE, read_ride(SHORT_RIDE), settings, folder)
    return read_picture(sorted(folder.glob("frame-*.pbm"))[-1])


class TestRiding:
    def test_it_rides_as_soon_as_it_is_open(self, shown):
        shown.ride(4_000)
        assert shown.words == "right: Große Präsidentenstraße 100 m"
        assert shown.phone == "connected, encrypted"

    @pytest.mark.parametrize("panel", ["ssd1306-72x40", "sh1106-128x64"])
    def test_the_last_picture_of_a_ride_is_that_of_the_bench(self, shown, tmp_path, panel):
        shown.open(f"ride=short&speed=1&panel={panel}")
        shown.run(52_000)
        assert shown.picture == last_picture_of_the_bench(tmp_path, f"panel={panel}")
        assert shown.progress == 1000

    def test_one_that_stands_upright_shows_what_the_bench_has_on_its_glass(self, shown, tmp_path):
        shown.open("ride=short&speed=1&rotation=90")
        shown.run(52_000)
        assert shown.picture == turned_back(last_picture_of_the_bench(tmp_path, "rotation=90"))

    def test_it_rides_faster(self, shown):
        shown.open("ride=short&speed=1")
        shown.page.get_by_label("Speed", exact=True).fill("40")
        shown.run(2_000)
        assert shown.progress == 1000

    def test_it_pauses_and_goes_on(self, shown):
        shown.ride(4_000)
        shown.press("Pause")
        shown.run(20_000)
        assert shown.words.endswith("100 m")
        shown.press("Pause")
        shown.run(2_000)
        assert shown.words.endswith("90 m")

    def test_it_arrives_and_rides_again(self, shown):
        shown.ride(4_000)
        shown.press("Arrive")
        shown.run(5_000)
        assert any("direction 3" in event for event in shown.events)
        shown.press("Ride again")
        shown.run(3_000)
        assert shown.words.startswith("right: Große")


class TestThePhone:
    def test_it_is_lost_and_found_again(self, shown):
        shown.ride(5_000)
        shown.press("Lose the phone")
        shown.run(9_000)
        assert shown.phone == "out of reach"
        assert "No link" in shown.words
        shown.press("Bring it back")
        shown.run(1_000)
        assert shown.phone == "connected, encrypted"
        assert shown.words == "right: Große Präsidentenstraße 40 m"

    def test_in_a_tunnel_it_rides_on_and_has_nothing_new_to_say(self, shown):
        shown.ride(8_000)
        shown.press("Tunnel")
        shown.run(3_000)
        assert "distance 63" in shown.events[-1] and "source speed" in shown.events[-1]
        shown.run(4_000)
        assert shown.phone == "connected, encrypted"
        shown.press("Tunnel")
        shown.run(1_000)
        assert shown.words == "right: Große Präsidentenstraße 40 m"

    def test_it_is_forgotten_and_paired_again_with_the_same_digits(self, shown):
        shown.open()
        shown.run(1_000)
        shown.hold("b", 3_200)
        shown.run(500)
        assert shown.phone == "near by, not connected"
        digits = shown.pair_again().replace(" ", "")
        assert shown.phone == "connected"
        assert len(digits) == 6 and digits in shown.words.replace(" ", "")
        shown.press("A")
        shown.run(5_000)
        assert shown.phone == "connected, encrypted"
        assert not shown.page.locator("#pairing").is_visible()


class TestOsmAndByGadgetbridge:
    def test_it_is_chosen_lost_and_found_again(self, shown):
        shown.ride(2_000)
        shown.choose("App", "gadgetbridge")
        assert shown.page.url.endswith("phone=gadgetbridge&ride=short&speed=1")
        shown.run(5_000)
        shown.press("Pause")
        shown.press("Lose the phone")
        shown.run(35_000)
        assert shown.phone == "out of reach"
        assert "No link" in shown.words
        shown.press("Bring it back")
        shown.run(2_000)
        assert shown.phone == "connected, encrypted"
        assert shown.words.startswith("right: Große")
        shown.choose("App", "komoot")
        shown.run(4_000)
        assert shown.words.startswith("right: Große")

    def test_b_says_that_the_digits_are_not_the_same_and_it_stays_away_for_a_while(self, shown):
        shown.open("phone=gadgetbridge")
        shown.run(1_000)
        shown.pair_again()
        shown.press("B")
        shown.run(4_000)
        assert shown.phone == "near by, not connected"
        assert not shown.page.locator("#pairing").is_visible()
        shown.run(40_000)
        assert shown.phone == "near by, not connected"
        # Another press, and it is paired after all.
        shown.hold("a", 100)
        shown.run(8_000)
        assert shown.page.locator("#pairing").is_visible()
        shown.press("A")
        shown.run(5_000)
        assert shown.phone == "connected, encrypted"

    def test_without_pairing_it_does_not_come(self, shown):
        shown.open("phone=gadgetbridge&pairing=off")
        shown.run(20_000)
        shown.press("A")
        shown.run(20_000)
        assert shown.phone == "near by, not connected"
        assert not shown.page.locator("#pairing").is_visible()
        assert shown.trouble == ""

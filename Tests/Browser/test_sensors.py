"""The sensors of the page: switched on there, added by the device's buttons, and seen on its panel."""

import pytest

BOXES = {
    "heart": "Heart rate strap",
    "speed": "Sensor at the wheel",
    "cadence": "Sensor at the crank",
    "radar": "Rear radar",
}


def state(shown, name: str) -> str:
    """What the card says of a sensor."""
    return shown.page.locator(".sensor", has_text=name).locator(".state").inner_text()


def press(shown, button: str) -> None:
    shown.hold(button, 100)
    shown.run(300)


def add(shown, name: str, pages: int) -> None:
    """Switches it on, goes on to the page of the sensors, searches, and keeps what is offered."""
    shown.page.get_by_label(name).check()
    for _ in range(pages):
        press(shown, "a")
    press(shown, "b")
    shown.run(4_000)
    press(shown, "a")
    shown.run(3_000)


class TestTheSensors:
    @pytest.mark.parametrize(
        ("kind", "value"),
        [("speed", "speed 555"), ("radar", "")],
    )
    def test_each_is_added_by_the_buttons_and_measures(self, shown, kind, value):
        shown.open("speed=1&music=off")
        shown.ride_far()
        assert state(shown, BOXES[kind]) == "off"
        add(shown, BOXES[kind], pages=2)
        assert any(f"kind {kind}" in event and "remembered" in event for event in shown.events)
        assert any(value in event for event in shown.events)
        assert shown.words.split()[0].lower() == kind
        assert state(shown, BOXES[kind]) == "connected"
        shown.page.get_by_label(BOXES[kind]).uncheck()
        shown.run(1_000)
        assert state(shown, BOXES[kind]) == "off"

    def test_several_are_listed_with_what_each_measures(self, shown):
        shown.open("speed=1&music=off")
        shown.ride_far()
        for name in (BOXES["heart"], BOXES["radar"]):
            shown.page.get_by_label(name).check()
        for button in "aab":
            press(shown, button)
        shown.run(4_000)
        press(shown, "b")
        shown.run(4_000)
        assert "128" in shown.words and "0 cars" in shown.words
        press(shown, "a")
        shown.run(1_000)
        assert sum("remembered" in event for event in shown.events) == 1

    def test_its_figure_is_shown_as_it_is_chosen(self, shown):
        shown.open("speed=1&music=off&extra=heart")
        shown.ride_far()
        add(shown, BOXES["heart"], pages=2)
        pulse = shown.page.get_by_role("slider", name="Pulse")
        pulse.fill("163")
        assert pulse.get_attribute("aria-valuetext") == "163 bpm"
        press(shown, "a")
        shown.run(2_000)
        assert "163" in shown.words

    def test_a_slider_of_one_that_is_off_cannot_be_moved(self, shown):
        shown.open()
        assert shown.page.get_by_role("slider", name="Cadence").is_disabled()
        assert shown.page.get_by_role("button", name="A vehicle comes").is_disabled()
        shown.page.get_by_label(BOXES["cadence"]).check()
        shown.run(100)
        assert shown.page.get_by_role("slider", name="Cadence").is_enabled()

    def test_a_vehicle_comes_nearer_on_the_panel(self, shown):
        shown.open("speed=1&music=off")
        shown.ride_far()
        add(shown, BOXES["radar"], pages=2)
        press(shown, "a")
        shown.run(3_000)
        before = shown.picture
        shown.press("A vehicle comes")
        shown.run(5_000)
        edge = [row[-8:] for row in shown.picture.rows]
        assert edge != [row[-8:] for row in before.rows]
        assert any('vehicles [{"track":1,"distance":' in event for event in shown.events)
        shown.run(5_000)
        assert [row[-8:] for row in shown.picture.rows] != edge

    def test_wheel_and_crank_stand_in_a_pause_until_they_are_spun(self, shown):
        shown.open()
        wheel, crank = (shown.page.locator(f"#{name}-figure") for name in ("wheel", "crank"))
        shown.page.get_by_label(BOXES["speed"]).check()
        shown.press("Pause")
        assert (wheel.input_value(), crank.input_value()) == ("0", "0")
        wheel.fill("12")
        shown.press("Pause")
        assert (wheel.input_value(), crank.input_value()) == ("12", "80")

    def test_they_stay_with_another_panel_and_another_phone(self, shown):
        shown.open("speed=1&music=off")
        shown.ride_far()
        add(shown, BOXES["heart"], pages=2)
        shown.choose("Panel", "ssd1306-72x40")
        shown.run(8_000)
        assert state(shown, BOXES["heart"]) == "connected"
        shown.choose("App", "gadgetbridge")
        shown.run(8_000)
        assert state(shown, BOXES["heart"]) == "connected"
        assert shown.page.get_by_label(BOXES["heart"]).is_checked()

"""Another panel, another mounting, another language: by the controls of the page and by its address."""

import pytest

from reference_tables import values


def size_of(panel: str) -> tuple[int, ...]:
    return tuple(int(part) for part in panel.partition("-")[2].split("x"))


class TestTheBoard:
    @pytest.mark.parametrize("key", ["panel", "rotation", "language", "units", "extra", "notifications", "music"])
    def test_each_value_can_be_chosen(self, shown, key):
        shown.open()
        options = shown.page.locator(f"#key-{key} option").evaluate_all("options => options.map(one => one.value)")
        # A list has no place in a choice.
        assert options == [value for value in values(key) if " " not in value]

    @pytest.mark.parametrize("panel", ["ssd1306-64x48", "sh1107-128x128"])
    def test_another_panel_goes_on_with_the_ride(self, shown, panel):
        shown.ride(4_000)
        shown.choose("Panel", panel)
        shown.run(2_000)
        assert (shown.picture.width, shown.picture.height) == size_of(panel)
        assert "90" in shown.words

    @pytest.mark.parametrize(("mounting", "size"), [("180", (128, 64)), ("270", (64, 128))])
    def test_it_is_seen_as_it_is_mounted(self, shown, mounting, size):
        shown.open("ride=short&speed=1")
        shown.choose("Mounting", mounting)
        shown.run(4_000)
        assert (shown.picture.width, shown.picture.height) == size

    @pytest.mark.parametrize(("language", "words"), [("de", "rechts"), ("nl", "right")])
    def test_page_and_panel_speak_a_language(self, shown, language, words):
        shown.open("ride=short&speed=1")
        shown.choose("Language", language)
        shown.run(4_000)
        assert shown.words.startswith(words)
        assert shown.page.locator("html").get_attribute("lang") == (language if language != "nl" else "en")

    def test_units_are_imperial(self, shown):
        shown.open("ride=short&speed=1")
        shown.choose("Units", "imperial")
        shown.run(4_000)
        assert shown.words.endswith("ft")

    def test_it_is_blue_or_white(self, shown):
        shown.ride(4_000)
        first = shown.page.locator("#panel").screenshot()
        shown.choose("Colour", "white")
        shown.run(50)
        assert shown.page.locator("#panel").screenshot() != first


class TestTheAddress:
    def test_it_has_all_that_was_chosen(self, shown):
        shown.open()
        shown.choose("Panel", "sh1106-128x64")
        shown.choose("Colour", "white")
        shown.choose("Language", "de")
        assert shown.page.url.endswith("#panel=sh1106-128x64&colour=white&language=de")

    def test_it_sets_the_controls(self, shown):
        shown.open("panel=ssd1306-64x48&units=imperial&speed=7&language=fr&ride=short")
        for control, value in [
            ("key-panel", "ssd1306-64x48"),
            ("key-units", "imperial"),
            ("ride", "short"),
            ("speed", "7"),
        ]:
            assert shown.page.locator(f"#{control}").input_value() == value
        assert shown.page.locator("#pause").inner_text() == "Pause"
        assert shown.page.locator("#near").inner_text() == "Perdre le téléphone"

    def test_any_key_of_the_board_file_may_stand_in_it(self, shown):
        shown.open("ride=short&speed=1&pairing=off&contrast=40")
        shown.run(4_000)
        assert shown.words.startswith("right")

    @pytest.mark.parametrize(
        ("settings", "sentence"),
        [
            ("panel=oled", 'board.conf:1: "oled" is not a valid value for panel'),
            ("language=toString", '"toString" is not a valid value for language'),
            ("__proto__=1", 'unknown key "__proto__"'),
        ],
    )
    def test_a_value_that_is_none_has_its_sentence_and_the_usual_ride_goes_on(self, shown, settings, sentence):
        shown.open(settings)
        shown.run(3_000)
        assert "The settings in the address do not work" in shown.trouble
        assert sentence in shown.trouble
        assert shown.phone == "connected, encrypted"

    @pytest.mark.parametrize("speed", ["abc", "41"])
    def test_a_speed_that_is_none_is_the_usual_one(self, shown, speed):
        shown.open("ride=short&speed=4")
        shown.run(6_000)
        usual = shown.progress
        shown.open(f"ride=short&speed={speed}")
        shown.run(6_000)
        assert shown.page.locator("#speed").input_value() == "4"
        assert shown.page.locator("#speed-shown").inner_text() == "4 ×"
        assert abs(shown.progress - usual) < 10

    def test_behind_another_address_that_is_wrong_the_controls_go_on(self, shown):
        shown.open("ride=short&speed=1&language=de")
        shown.page.evaluate("location.hash = 'contrast=0&language=de'")
        shown.run(3_000)
        assert 'Die Einstellungen in der Adresse gehen nicht: board.conf:8: "0" is not a valid' in shown.trouble
        assert shown.phone == "verbunden, verschlüsselt"
        shown.choose("Display", "ssd1306-72x40")
        shown.run(3_000)
        assert shown.trouble == ""
        assert shown.picture.width == 72
        assert shown.page.url.endswith("#panel=ssd1306-72x40&language=de")

"""What is pressed, opened and saved, and what the page tells of the inside."""

import pytest
from PIL import Image

from looking import picture_of

# The choice of it, once there is one.
OWN = "#ride option[value=own]:not([hidden])"
HEADER = "milliseconds,direction,distance,street\n"


class TestTheButtons:
    def test_page_shows_the_next_page(self, shown):
        shown.ride(4_000)
        shown.press("A")
        shown.run(300)
        assert "iPhone" in shown.words

    def test_a_long_press_of_a_makes_the_panel_dim_and_then_dark(self, shown):
        shown.ride(4_000)
        bright = shown.page.locator("#panel").screenshot()
        shown.hold("a", 1_200)
        assert shown.page.locator("#panel").screenshot() != bright
        shown.hold("a", 1_200)
        assert shown.words == "The panel is dark."

    def test_a_button_that_has_the_focus_is_held_by_its_key(self, shown):
        shown.ride(1_000)
        shown.page.locator("#b").focus()
        shown.hold("Enter", 3_200)
        shown.run(500)
        assert shown.phone == "near by, not connected"

    def test_the_letter_of_a_button_is_one_of_a_list_that_has_the_focus(self, shown):
        shown.ride(1_000)
        shown.page.locator("#key-panel").focus()
        shown.hold("b", 3_200)
        assert shown.phone == "connected, encrypted"

    def test_an_alert_lights_the_lamp(self, shown):
        shown.open("ride=short&speed=1")
        lamp = shown.page.get_by_role("img", name="Alert")
        seen = []
        for _ in range(60):
            shown.run(200)
            seen.append(lamp.is_visible())
        assert any(seen) and not all(seen)


class TestARideOfOnesOwn:
    def test_it_is_ridden(self, shown):
        shown.open("speed=1")
        shown.give((HEADER + '0,2,0,Start\r\n500,5,250,"Straße ""A"", Ost"\r\n').encode())
        shown.page.locator(OWN).wait_for(state="attached")
        shown.run(2_000)
        assert shown.words == 'left: Straße "A", Ost 250 m'
        assert shown.trouble == ""

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            (b"", "This is no ride"),
            ((HEADER + "0,2,0,A\n5,256,0,A\n").encode(), "Line 3: milliseconds, direction (to 255)"),
            (HEADER.encode() + b"0,2,0,\xff\n", "Line 2: the file is not UTF-8."),
        ],
    )
    def test_one_that_is_malformed_has_its_sentence_and_the_ride_goes_on(self, shown, text, sentence):
        shown.open("ride=short&speed=1")
        shown.give(text)
        shown.page.locator("#trouble", has_text=sentence).wait_for()
        shown.run(4_000)
        assert shown.words.startswith("right: Große")

    def test_it_can_be_dropped_anywhere(self, shown):
        shown.open("speed=1")
        shown.page.evaluate(
            """text => {
              const data = new DataTransfer();
              data.items.add(new File([text], "ride.csv"));
              document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
            }""",
            HEADER + "0,8,300,Ring\n",
        )
        shown.page.locator(OWN).wait_for(state="attached")
        shown.run(1_000)
        assert shown.words == "right: Ring 300 m"


class TestWhatIsInside:
    def test_events_come_by_topic(self, shown):
        shown.ride(3_000)
        assert any("instruction" in event for event in shown.events)
        assert not any("frame" in event for event in shown.events)
        shown.page.get_by_label("navigation").uncheck()
        shown.page.get_by_label("device").check()
        assert not any("instruction" in event for event in shown.events)
        assert any("frame" in event for event in shown.events)

    def test_it_counts_what_the_last_picture_took_on_the_bus(self, shown):
        shown.ride(4_000)
        shown.page.get_by_label("device").check()
        frame = [event for event in shown.events if "frame" in event][-1]
        bytes_, messages = frame.split("bytes ")[1].split(", messages ")
        assert f"{bytes_} bytes in {messages} I²C messages" in shown.page.locator("#bus").inner_text()

    def test_the_picture_is_saved_as_it_is_shown(self, shown, tmp_path):
        shown.ride(4_000)
        with shown.page.expect_download() as download:
            shown.press("Save the picture")
        assert download.value.suggested_filename == "lenker.png"
        download.value.save_as(tmp_path / "lenker.png")
        assert picture_of(Image.open(tmp_path / "lenker.png"), shown.cell) == shown.picture

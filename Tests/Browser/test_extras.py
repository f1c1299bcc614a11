"""What happens on the phone beside the ride: calls, notifications and songs, with an iPhone and by Gadgetbridge."""

import pytest
from playwright.sync_api import Locator

PHONES = ["komoot", "gadgetbridge"]


@pytest.fixture(params=PHONES)
def phone(request, shown) -> str:
    """Rides with no turn near."""
    shown.open(f"phone={request.param}&speed=1")
    shown.ride_far()
    return request.param


def card(shown, phone: str) -> Locator:
    return shown.page.locator(f"section.extras[data-phone={phone}]")


def press(shown, phone: str, name: str) -> None:
    card(shown, phone).get_by_role("button", name=name, exact=True).click()
    shown.run(1_500)


def tap(shown, button: str) -> None:
    shown.hold(button, 100)
    shown.run(1_000)


class TestACall:
    @pytest.mark.parametrize(("button", "end"), [("a", "taken"), ("b", "refused")])
    def test_it_shows_who_calls_until_it_is_answered(self, shown, phone, button, end):
        card(shown, phone).get_by_label("Caller").fill("Żaneta Ωmega")
        press(shown, phone, "Call")
        assert "Żaneta Ωmega" in shown.words
        assert "A takes the call" in card(shown, phone).inner_text()
        tap(shown, button)
        assert f"The call was {end}." in card(shown, phone).inner_text()
        assert "Żaneta" not in shown.words

    def test_the_caller_hangs_up(self, shown, phone):
        press(shown, phone, "Call")
        assert "Anna Invented" in shown.words
        press(shown, phone, "Hang up")
        assert "Anna" not in shown.words
        assert card(shown, phone).get_by_role("button", name="Call", exact=True).is_visible()

    def test_the_letters_of_the_buttons_can_be_in_a_name(self, shown, phone):
        caller = card(shown, phone).get_by_label("Caller")
        caller.fill("")
        caller.focus()
        shown.page.keyboard.type("Barbara")
        assert caller.input_value() == "Barbara"
        shown.run(300)
        assert "iPhone" not in shown.words and "Android" not in shown.words


class TestANotification:
    def test_it_shows_for_a_while(self, shown, phone):
        card(shown, phone).get_by_label("Text").fill("„Brot“ ist \\ fertig 🚲")
        press(shown, phone, "Send")
        assert shown.words.startswith("Bakery")
        assert "„Brot“ ist \\ fertig" in shown.words
        shown.run(6_000)
        assert "Bakery" not in shown.words

    def test_with_calls_alone_it_does_not(self, shown, phone):
        shown.choose("Notifications", "calls")
        shown.run(6_000)
        press(shown, phone, "Send")
        assert "Bakery" not in shown.words


class TestMusic:
    def test_b_plays_the_next_song_on_its_page(self, shown, phone):
        press(shown, phone, "Play")
        assert "Zwischen Kette und Ritzel – Die Speichen" in card(shown, phone).inner_text()
        tap(shown, "a")
        tap(shown, "a")
        assert "Zwischen Kette" in shown.words
        tap(shown, "b")
        assert "Tailwind" in shown.words
        assert "Tailwind – The Invented Hubs" in card(shown, phone).inner_text()
        press(shown, phone, "Next song")
        assert "La montée" in shown.words
        press(shown, phone, "Stop")
        assert "La montée" not in shown.words
        assert card(shown, phone).get_by_role("button", name="Next song").is_disabled()


class TestTheOtherPhone:
    def test_its_card_has_a_button_that_chooses_it(self, shown):
        shown.ride(2_000)
        other = card(shown, "gadgetbridge")
        assert not other.get_by_role("button", name="Call", exact=True).is_visible()
        assert not card(shown, "komoot").get_by_role("button", name="Ride with this one").is_visible()
        other.get_by_role("button", name="Ride with this one").click()
        shown.run(4_000)
        assert shown.page.locator("#phone").input_value() == "gadgetbridge"
        assert shown.page.url.endswith("phone=gadgetbridge&ride=short&speed=1")
        call = other.get_by_role("button", name="Call", exact=True)
        assert call.is_visible()
        assert call.evaluate("button => button === document.activeElement")
        assert not card(shown, "komoot").get_by_role("button", name="Call", exact=True).is_visible()


class TestTheClock:
    @pytest.mark.parametrize("phone", PHONES)
    def test_each_phone_says_what_time_it_is(self, shown, phone):
        shown.open(f"phone={phone}&extra=clock&ride=short&speed=1")
        shown.run(5_000)
        assert "9:46" in shown.words


class TestTheTexts:
    def test_they_are_of_the_page_s_language_until_others_are_written(self, shown):
        shown.open("language=de")
        first, title = shown.page.locator("#komoot-caller"), shown.page.locator("#komoot-heading")
        assert first.input_value() == "Anna Erfunden"
        first.fill("Berta")
        shown.page.locator("#key-language").select_option("en")
        assert first.input_value() == "Berta"
        assert title.inner_text() == "iPhone"
        assert shown.page.locator("#gadgetbridge-caller").input_value() == "Anna Invented"

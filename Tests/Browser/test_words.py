"""What the page says, in each of its languages; it speaks to the reader as the panel does to the rider."""

import json
import re

import pytest
from playwright.sync_api import Browser

from lenker_bench.programs.processes import ROOT

WORDS = ROOT / "Boards" / "browser" / "page" / "words.js"

# French that says “vous”: its pronouns, the verbs that do not end in -ez, and the words in -ez that are no verbs.
FORMAL = {"vous", "votre", "vos", "vôtre", "vôtres", "êtes", "faites", "dites"}
NO_VERBS = {"assez", "chez", "nez", "rez"}


@pytest.fixture(scope="module")
def words(browser: Browser) -> dict:
    """The texts of each language."""
    page = browser.new_page()
    script = f"() => {{ {WORDS.read_text('utf-8')}; return JSON.stringify({{texts}}); }}"
    found = json.loads(page.evaluate(script))
    page.close()
    return found


def formal_french(text: str) -> list[str]:
    """The words that speak to somebody as “vous”."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return [word for word in words if word in FORMAL or (word.endswith("ez") and word not in NO_VERBS)]


def shape(text: str | list[str]) -> object:
    """How many texts these are, and what is put in each."""
    return sorted(re.findall(r"{\w+}", text)) if isinstance(text, str) else [shape(one) for one in text]


class TestTheLanguages:
    def test_each_has_the_same_texts(self, words):
        shapes = [{key: shape(text) for key, text in texts.items()} for texts in words["texts"].values()]
        assert len(shapes) == 3 and len(shapes[0]) > 50
        assert shapes == shapes[:1] * 3

    def test_a_phone_is_a_handy_in_german(self, words):
        assert "Handy" in words["texts"]["de"]["phone"]
        assert "telefon" not in json.dumps(words["texts"]["de"]).lower()

    def test_french_says_tu(self, words):
        french = json.dumps(words["texts"]["fr"], ensure_ascii=False)
        assert formal_french(french) == []
        assert {"tu", "ton", "ta", "tes"} & set(re.findall(r"\w+", french.lower()))

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("Appuyez\\nsur l’écran de votre téléphone.", ["appuyez", "votre"]),
            ("VOUS ÊTES là. N’en faites rien : revenez-y !", ["vous", "êtes", "faites", "revenez"]),
            ("Tu es assez près de chez toi ; appuie sur ton écran.", []),
        ],
    )
    def test_french_that_says_vous_is_found(self, text, found):
        assert formal_french(text) == found


class TestWhatIsSaid:
    @pytest.mark.parametrize(
        ("locale", "panel", "title"),
        [("es-MX", "es", "Ride"), ("de-AT", "de", "Fahrt"), ("nl", "nl", "Ride"), ("fi", "en", "Ride")],
    )
    def test_the_panel_speaks_the_reader_s_language_and_the_page_does_where_it_can(self, shown, panel, title):
        shown.open("ride=short")
        assert shown.page.locator("#key-language").input_value() == panel
        assert shown.page.locator("[data-text=ride]").first.inner_text() == title

    @pytest.mark.parametrize(
        ("language", "first", "then"),
        [
            ("fr", "Le téléphone affiche", "Si l’écran affiche la même chose, appuie sur A, sinon sur B."),
        ],
    )
    def test_in_a_pairing_it_says_what_to_do_with_the_digits(self, shown, language, first, then):
        shown.page.set_viewport_size({"width": 320, "height": 800})
        shown.open(f"language={language}")
        shown.run(1_000)
        digits = shown.pair_again()
        assert shown.page.locator("#pairing").inner_text() == f"{first} {digits}. {then}"
        assert shown.page.locator("#digits").evaluate("digits => digits.getClientRects().length") == 1
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= 320

    @pytest.mark.parametrize(
        ("language", "direction", "sentence"),
        [
            ("en", 6, "sharp left: Ring 300 m"),
            ("fr", 7, "virage serré à droite\u00a0: Ring 300 m"),
            # The panel has its own words for these.
            ("de", 3, "Ziel Ring 300 m"),
            ("fr", 30, "Hors parcours 300 m, Ring"),
        ],
    )
    def test_an_arrow_has_one_word(self, shown, language, direction, sentence):
        shown.open(f"language={language}&speed=1")
        shown.give(f"milliseconds,direction,distance,street\n0,{direction},300,Ring\n60000,8,10,A\n".encode())
        shown.page.locator("#ride option[value=own]:not([hidden])").wait_for(state="attached")
        shown.run(3_000)
        assert shown.words == sentence

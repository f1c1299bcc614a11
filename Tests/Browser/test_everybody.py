"""The page is for everybody: on a phone, by ear, in other languages."""

import gzip

import pytest
from axe_playwright_python.sync_playwright import Axe

from serving import PAGE

# What is wider than the card that it is in.
TOO_WIDE = """() => [...document.querySelectorAll("#cards > section")].flatMap((card) => {
  const edge = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight);
  const isTooWide = (part) => part.getClientRects().length > 0 && part.getBoundingClientRect().right > edge + 1;
  return [...card.querySelectorAll("*")].filter(isTooWide).map((part) => part.outerHTML);
})"""


def use_all(shown, phone: str) -> None:
    """Switches all sensors on, has music played, and somebody call."""
    for box in ["strap", "wheel", "crank", "radar"]:
        shown.page.locator(f"#{box}").check()
    for button in ["play", "ring"]:
        shown.page.locator(f"#{phone}-{button}").click()
    shown.run(1_500)


class TestForEverybody:
    @pytest.mark.parametrize(
        ("scheme", "phone", "settings"),
        [("light", "komoot", "language=fr&panel=oled"), ("dark", "gadgetbridge", "language=de&rotation=90")],
    )
    def test_axe_has_nothing_to_complain_of_with_all_cards_in_use(self, shown, scheme, phone, settings):
        shown.page.emulate_media(color_scheme=scheme)
        shown.open(f"phone={phone}&{settings}")
        shown.run(3_000)
        use_all(shown, phone)
        shown.page.clock.resume()  # it waits by the page's clock
        result = Axe().run(shown.page)
        assert result.violations_count == 0, result.generate_report()

    def test_new_turns_are_spoken_and_falling_distances_are_not(self, shown):
        shown.ride(4_000)
        spoken = shown.page.locator("#spoken")
        assert spoken.inner_text().startswith("right: Große Präsidentenstraße")
        first = spoken.inner_text()
        shown.run(10_000)
        assert spoken.inner_text() == first

    @pytest.mark.parametrize(("width", "language"), [(320, "de"), (390, "fr"), (1280, "en")])
    def test_nothing_is_wider_than_its_card_or_the_window(self, shown, width, language):
        shown.page.set_viewport_size({"width": width, "height": 800})
        for phone in ["komoot", "gadgetbridge"]:
            shown.open(f"phone={phone}&language={language}")
            shown.run(3_000)
            use_all(shown, phone)
            assert shown.page.evaluate(TOO_WIDE) == []
            assert shown.page.evaluate("document.documentElement.scrollWidth") <= width

    def test_in_a_narrow_window_the_panel_has_no_gaps_that_would_make_it_dim(self, shown):
        shown.page.set_viewport_size({"width": 320, "height": 800})
        shown.ride(4_000)
        lit = sum(map(sum, shown.picture.rows))
        assert sum(shown.image.convert("RGB").getchannel("R").histogram()[41:]) == lit * shown.cell**2 > 0

    def test_each_language_has_each_text(self, shown):
        shown.open()
        keys = shown.page.evaluate("[...document.querySelectorAll('[data-text]')].map(e => e.dataset.text)")
        for language in ["en", "de", "fr"]:
            shown.choose("Language" if language == "en" else {"de": "Language", "fr": "Sprache"}[language], language)
            texts = shown.page.evaluate("[...document.querySelectorAll('[data-text]')].map(e => e.textContent)")
            assert not [key for key, text in zip(keys, texts, strict=True) if text in ("", "undefined")]

    def test_the_program_asks_nothing_of_the_page_but_random_numbers(self, shown):
        shown.page.goto(shown.address)
        needs = shown.page.evaluate(
            "async () => WebAssembly.Module.imports(await WebAssembly.compileStreaming(fetch('lenker.wasm')))"
        )
        assert needs == [{"module": "page", "name": "random", "kind": "function"}]

    def test_the_program_is_as_small_as_the_figures_say(self):
        program = (PAGE / "lenker.wasm").read_bytes()
        assert len(program) < 3_800_000
        assert len(gzip.compress(program)) < 1_700_000

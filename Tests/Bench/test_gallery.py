"""The sheets of all expected pictures, and the strip of them that the README shows."""

import io

import pytest

from lenker_bench.commands import gallery
from lenker_bench.commands.gallery import (
    ENGLISH,
    LANGUAGES,
    PANELS,
    SCREENS,
    SHEETS,
    STRIP,
    STRIP_FILE,
    TRANSLATED,
    UPRIGHT_PANELS,
    draw,
    main,
    pictures_of,
)
from lenker_bench.programs.processes import ROOT
from lenker_bench.view import sheet as expected
from lenker_bench.view.sheet import PICTURES
from reference_tables import values

FEW = ("alert", "ready", "start")


def test_the_strip_is_that_of_the_expected_pictures_byte_for_byte():
    data = io.BytesIO()
    draw(STRIP).save(data, format="PNG", optimize=True)
    assert data.getvalue() == STRIP_FILE.read_bytes(), "Boards/bench/gallery --strip makes it"
    assert STRIP_FILE.name in (ROOT / "README.md").read_text()


def test_every_language_is_on_a_sheet():
    assert values("language") == list(LANGUAGES)


def test_every_panel_stands_upright_on_the_other_sheet():
    turned = {"x".join(reversed(size.split("x"))) for size in PANELS}
    assert turned == {*UPRIGHT_PANELS, "128x128"}, "the square one has one layout for both"


def test_every_kind_of_panel_is_on_the_sheet():
    assert {name.split("-")[1] for name in values("panel")} == set(PANELS)


def test_every_screen_is_on_the_sheet_by_its_picture():
    """A variant shares the first word of its name with the screen that it is a variant of."""
    words = {path.stem.split("-")[0].rstrip("0123456789") for path in PICTURES.glob("*.txt")}
    assert words - {name.split("-")[0].rstrip("0123456789") for name in SCREENS} == set()


def test_the_states_come_in_the_order_of_a_ride():
    ride = ["start", "no-phone", "searching", "found-60", "compare-123456", "waiting", "connecting", "ready"]
    ride += ["turn", "alert", "off-route", "stale-75s", "finish"]
    places = [list(SCREENS).index(state) for state in ride]
    assert places == sorted(places)


@pytest.fixture
def few(tmp_path, monkeypatch):
    """Some of the screens, whose pictures may be changed."""
    monkeypatch.setattr(expected, "PICTURES", tmp_path)
    monkeypatch.setattr(gallery, "SCREENS", {screen: SCREENS[screen] for screen in FEW})
    for screen in FEW:
        (tmp_path / f"{screen}.txt").write_bytes((PICTURES / f"{screen}.txt").read_bytes())
    return tmp_path


def run(monkeypatch, *arguments: object) -> int:
    monkeypatch.setattr("sys.argv", ["gallery", *map(str, arguments)])
    return main()


def test_the_same_pictures_make_the_same_bytes(few, monkeypatch):
    assert run(monkeypatch, "--out", few / "once") == 0
    assert run(monkeypatch, "--out", few / "again") == 0
    assert sorted(path.name for path in (few / "once").iterdir()) == sorted(sheet.file for sheet in SHEETS)
    for sheet in SHEETS:
        assert (few / "once" / sheet.file).read_bytes() == (few / "again" / sheet.file).read_bytes()


def change(path, heading: str) -> None:
    """Lights the first pixel of a picture that is dark."""
    before, after = path.read_text().split(heading)
    path.write_text(before + heading + after.replace("│ ", "│▀", 1))


@pytest.mark.parametrize(
    ("heading", "sheets"),
    [
        ("# 128x64, en", {"gallery.png", "gallery-languages.png"}),
        ("# 72x40, en", {"gallery.png"}),
        ("# 64x128, en", {"gallery-upright.png"}),
        ("# 128x64, fr", {"gallery-languages.png"}),
    ],
)
def test_a_pixel_shows_on_the_sheets_of_its_panel_and_language(few, heading, sheets):
    before = {sheet.file: draw(sheet).tobytes() for sheet in SHEETS}
    change(few / "ready.txt", heading)
    assert {sheet.file for sheet in SHEETS if draw(sheet).tobytes() != before[sheet.file]} == sheets


def test_only_a_screen_with_a_translation_is_on_the_sheet_of_languages(few):
    assert list(pictures_of(TRANSLATED)) == ["ready"]
    assert list(pictures_of(ENGLISH)) == list(FEW)


def test_a_missing_sheet_is_said_to_be_missing(few, monkeypatch, capsys):
    (few / "ready.txt").unlink()
    assert run(monkeypatch, "--out", few) == 64
    assert "ready.txt: No such file" in capsys.readouterr().err


def test_a_missing_picture_is_said_to_be_missing(few, monkeypatch, capsys):
    path = few / "ready.txt"
    path.write_text(path.read_text()[path.read_text().index("# 128x32, en") :])
    assert run(monkeypatch, "--out", few) == 64
    assert "ready: no picture '128x64, en'" in capsys.readouterr().err


def test_the_sheet_of_all_screens_has_the_look_of_the_panel():
    """Light on dark: most of it is dark, some of it the light of the pixels."""
    image = draw(ENGLISH).convert("L")
    histogram = image.histogram()
    dark, light = sum(histogram[:64]), sum(histogram[192:])
    assert dark > 0.7 * image.width * image.height
    assert light > 0.02 * image.width * image.height

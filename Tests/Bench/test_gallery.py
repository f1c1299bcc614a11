"""The sheet of all expected pictures, which the README shows."""

import re

import pytest
from PIL import Image

from lenker_bench.commands import gallery as gallery_main
from lenker_bench.commands.gallery import (
    ENGLISH,
    GERMAN,
    LANGUAGES,
    PANELS,
    PICTURES,
    SCREENS,
    SHEETS,
    UPRIGHT_PANELS,
    draw,
    file_of,
    is_current,
    main,
)
from lenker_bench.programs.processes import ROOT


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.file)
def test_each_sheet_is_that_of_the_expected_pictures(sheet):
    assert is_current(draw(sheet), sheet.path), "Boards/bench/gallery makes it anew"
    assert sheet.path.stat().st_size < 400_000


def test_the_german_sheet_is_another_one_than_the_english():
    assert not is_current(draw(ENGLISH), GERMAN.path)


def test_every_language_is_on_a_sheet():
    words = re.search(r"var language\b.*?\]", (ROOT / "Sources/BoardFile/ValueWords.swift").read_text(), re.S)[0]
    assert re.findall(r'"(\w\w)"', words) == list(LANGUAGES)


def test_every_panel_stands_upright_on_the_other_sheet():
    assert {"x".join(reversed(size.split("x"))) for size in PANELS} == set(UPRIGHT_PANELS)


def test_every_kind_of_panel_is_on_the_sheet():
    names = re.search(r"var name: String.*?\n  }", (ROOT / "Sources/Panel/PanelKind.swift").read_text(), re.S)[0]
    assert {name.split("-")[1] for name in re.findall(r"\w+-\d+x\d+", names)} == set(PANELS)


def test_every_screen_is_on_the_sheet_by_its_picture():
    """A variant shares the first word of its name with the screen that it is a variant of."""
    words = {path.name.split("-")[0].rstrip("0123456789") for path in PICTURES.glob("*.pbm")}
    assert words - {name.split("-")[0].rstrip("0123456789") for name in SCREENS} == set()


def test_the_states_come_in_the_order_of_a_ride():
    ride = ["start", "no-phone", "searching", "found-60", "compare-123456", "waiting", "connecting", "ready"]
    ride += ["turn", "alert", "off-route", "stale-75s", "finish"]
    places = [list(SCREENS).index(state) for state in ride]
    assert places == sorted(places)


@pytest.fixture
def copies(tmp_path, monkeypatch):
    """The pictures and the sheet, where they may be changed."""
    monkeypatch.setattr(gallery_main, "PICTURES", tmp_path)
    monkeypatch.setattr(gallery_main, "FOLDER", tmp_path)
    for screen in SCREENS:
        for panel in [*PANELS, *UPRIGHT_PANELS]:
            (tmp_path / f"{screen}-{panel}.pbm").write_bytes((PICTURES / f"{screen}-{panel}.pbm").read_bytes())
    return tmp_path


def run(monkeypatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["gallery", *arguments])
    return main()


def test_the_same_pictures_make_the_same_bytes(copies, monkeypatch):
    assert run(monkeypatch) == 0
    once = (copies / "gallery.png").read_bytes()
    assert run(monkeypatch) == 0
    assert (copies / "gallery.png").read_bytes() == once


def test_one_pixel_is_a_difference(copies, monkeypatch, capsys):
    assert run(monkeypatch) == 0
    assert run(monkeypatch, "--check") == 0
    path = file_of("turn", "128x64")
    text = path.read_text()
    path.write_text(text[:-2] + ("0" if text[-2] == "1" else "1") + "\n")
    assert run(monkeypatch, "--check") == 1
    assert "gallery.png" in capsys.readouterr().err


def test_a_german_picture_stands_on_the_german_sheet_alone(copies, monkeypatch, capsys):
    assert run(monkeypatch) == 0
    english, german = (copies / name for name in ("gallery.png", "gallery-de.png"))
    assert english.read_bytes() == german.read_bytes(), "where there is no German picture"
    path = copies / "ready-de-128x64.pbm"
    path.write_bytes(file_of("turn", "128x64").read_bytes())
    assert run(monkeypatch, "--check") == 1
    assert "gallery-de.png" in capsys.readouterr().err
    assert is_current(draw(ENGLISH), english)


def test_an_upright_picture_stands_on_the_upright_sheet_alone(copies, monkeypatch, capsys):
    assert run(monkeypatch) == 0
    file_of("turn", "64x128").write_bytes(file_of("ready", "64x128").read_bytes())
    assert run(monkeypatch, "--check") == 1
    assert "gallery-upright.png" in capsys.readouterr().err
    assert is_current(draw(ENGLISH), copies / "gallery.png")


def test_a_missing_picture_is_said_to_be_missing(copies, monkeypatch, capsys):
    file_of("ready", "72x40").unlink()
    assert run(monkeypatch) == 64
    assert "ready-72x40.pbm" in capsys.readouterr().err


def test_the_sheet_has_the_look_of_the_panel():
    """Light on dark: most of it is dark, some of it the light of the pixels."""
    image = Image.open(ENGLISH.path).convert("L")
    histogram = image.histogram()
    dark, light = sum(histogram[:64]), sum(histogram[192:])
    assert dark > 0.7 * image.width * image.height
    assert light > 0.02 * image.width * image.height

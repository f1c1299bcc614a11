"""The documents lead somewhere, and what people read first is short."""

import os
import re
from pathlib import Path

import pytest

from documents import anchors, documents, is_long, links, sentences, whole_sentences, words
from lenker_bench.programs.processes import ROOT

README = ROOT / "README.md"
GUIDE = [README, *sorted((ROOT / "Boards" / "guide").glob("*.md"))]
# Tables that a command writes, and what has been.
OTHERS = {"CHANGELOG.md"}
DEVELOPERS = [path for path in documents() if path not in GUIDE and str(path.relative_to(ROOT)) not in OTHERS]
MANUALS = sorted((ROOT / "Boards" / "pi-zero-2-w" / "debian").glob("*.[158]"))
LIMITS = {"README.md": 110, "Boards/README.md": 35, "Boards/bench/README.md": 100, "Tests/README.md": 95}
STRANGE = re.compile(
    r"(?<![\w-])(anew|whoever|wished|unpair|so many seconds|for so long|ever more|in the place of|second button)\b",
    re.I,
)
# What GitHub shows beside the files: from the page of a file two folders up.
PAGES = {"../../issues", "../../issues/new?template=phone.yml", "../../releases"}

TEXT = """# A page

One *sentence* of [five words](other.md#the-part). “Another one!” Is `this. code` one?

    [no](link)

## The `--part`, it's [here](#a-page)

1. Two words

   ![a picture of ten words](picture.png)

| cell | another cell. And one |
|---|---|

    [code](too.md)

## A page
"""


def wrong_links(document: Path) -> list[str]:
    """Those that lead to no file, or to no heading of it."""
    wrong = []
    for link in links(document.read_text("utf-8")):
        if link.startswith(("https://", "http://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = Path(os.path.normpath(document.parent / path)) if path else document
        if os.path.relpath(target, ROOT) in PAGES:
            continue
        if not target.exists() or (anchor and anchor not in anchors(target.read_text("utf-8"))):
            wrong.append(link)
    return wrong


def test_every_link_of_a_document_leads_somewhere():
    found = {str(path.relative_to(ROOT)): wrong_links(path) for path in documents()}
    assert sum(len(links(path.read_text("utf-8"))) for path in documents()) > 100
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_the_way_of_a_turn_goes_through_at_most_45_files_all_of_which_are_there():
    way = (ROOT / "Sources" / "README.md").read_text("utf-8").split("## The way of one turn")[1].split("\n## ")[0]
    rows = [row.split("|")[2] for row in way.splitlines() if re.match(r"\| \d", row)]
    files = [file.strip() for row in rows for file in row.split(",")]
    assert [file for file in files if not (ROOT / "Sources" / file).is_file()] == []
    assert 40 <= len(set(files)) <= 45


def test_a_link_to_a_missing_file_or_heading_is_found(tmp_path):
    (tmp_path / "other.md").write_text("# Here\n")
    document = tmp_path / "a.md"
    document.write_text("[a](other.md#here) [b](other.md#there) [c](missing.md) [d](#no) [e](https://a.example)\n")
    assert wrong_links(document) == ["other.md#there", "missing.md", "#no"]


def test_links_anchors_and_sentences_are_read_as_a_person_reads_them():
    assert links(TEXT) == ["other.md#the-part", "#a-page", "picture.png"]
    assert anchors(TEXT) == {"a-page", "the---part-its-here", "a-page-1"}
    lengths = [len(words(sentence)) for sentence in sentences(TEXT)]
    assert lengths == [5, 2, 3, 2, 1, 2, 2]


def test_a_sentence_goes_on_in_the_next_line_and_a_chain_of_semicolons_is_long():
    text = "One two three\nfour five.\n- six\n  seven\n\n| a \\| b | c |\n|---|---|\n"
    assert sentences(text) == ["One two three four five.", "six   seven", "a | b", "c"]
    assert whole_sentences(text) == ["One two three four five."]
    assert whole_sentences("| `a`, `b`, `c`, `d`, `e` |") == []
    assert [is_long(text) for text in ("a; b", "a; b; c", "word " * 25, "word " * 26)] == [False, True, False, True]


@pytest.mark.parametrize("document", LIMITS)
def test_what_is_read_first_is_read_in_a_few_minutes(document):
    text = (ROOT / document).read_text("utf-8")
    assert len(text.splitlines()) <= LIMITS[document]
    assert document != "README.md" or len(text.split()) <= 1_000


@pytest.mark.parametrize("document", GUIDE, ids=lambda path: path.name)
def test_a_page_for_riders_has_sentences(document):
    assert len(sentences(document.read_text("utf-8"))) > 20


def long_sentences(texts: list[Path]) -> tuple[list[str], int]:
    """Those that are long, and how many there are in all."""
    found = [sentence for path in texts for sentence in whole_sentences(path.read_text("utf-8"))]
    return [sentence for sentence in found if is_long(sentence)], len(found)


def test_fewer_than_3_percent_of_the_sentences_for_riders_are_long():
    long, count = long_sentences(GUIDE)
    assert len(long) < 0.03 * count, "\n".join(long)


@pytest.mark.parametrize("document", DEVELOPERS, ids=lambda path: str(path.relative_to(ROOT)))
def test_at_most_5_percent_of_the_sentences_of_any_other_document_are_long(document):
    """One may be, in a short one."""
    long, count = long_sentences([document])
    assert len(long) <= max(1, 0.05 * count), "\n".join(long)


@pytest.mark.parametrize("document", [*documents(), *MANUALS], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_document_has_a_word_that_riders_do_not_know(document):
    assert STRANGE.findall(document.read_text("utf-8")) == []


def texts_of_the_panel() -> str:
    """The English ones, a line each, without the buttons."""
    source = "".join(path.read_text("utf-8") for path in (ROOT / "Sources" / "Words").glob("*Phrase+Words.swift"))
    literals = re.findall(r'pick\(\s*"([^"]*)"', source.replace("\\u{2011}", "-"))
    return "\n".join(part for text in literals for part in text.split("|")).lower()


def quoted_from_the_panel(text: str) -> list[str]:
    """What is in italics in the first column of a table, in the pieces that the panel has by themselves."""
    cells = [row.split("|")[1] for row in text.splitlines() if row.startswith("|")]
    pieces = [
        piece for cell in cells for quoted in re.findall(r"\*([^*]+)\*", cell) for piece in re.split("[.…]", quoted)
    ]
    return [piece.strip(" ?") for piece in pieces if re.search("[a-z]{2}", piece)]


def test_what_the_guide_says_that_the_panel_shows_is_one_of_its_texts():
    known = texts_of_the_panel()
    texts = {name: (ROOT / "Boards" / "guide" / name).read_text("utf-8") for name in ("ride.md", "troubleshooting.md")}
    texts["troubleshooting.md"] = texts["troubleshooting.md"].partition("### While you install")[0]
    quoted = [piece for text in texts.values() for piece in quoted_from_the_panel(text)]
    assert len(quoted) > 30
    assert [piece for piece in quoted if piece.lower() not in known] == []

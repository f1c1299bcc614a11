"""The documents lead somewhere, and what people read first is short."""

import os
from pathlib import Path

import pytest

from documents import anchors, documents, links, sentences, words
from lenker_bench.programs.processes import ROOT

README = ROOT / "README.md"
GUIDE = [README, *sorted((ROOT / "Boards" / "guide").glob("*.md"))]
# What GitHub shows beside the files: from the page of a file two folders up.
PAGES = {"../../issues", "../../releases"}

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


def test_the_readme_is_read_in_a_few_minutes():
    text = README.read_text("utf-8")
    assert len(text.splitlines()) <= 110
    assert len(text.split()) <= 1_000


@pytest.mark.parametrize("document", GUIDE, ids=lambda path: path.name)
def test_a_page_for_riders_has_sentences(document):
    assert len(sentences(document.read_text("utf-8"))) > 20


def test_fewer_than_3_percent_of_the_sentences_for_riders_are_long():
    found = [sentence for path in GUIDE for sentence in sentences(path.read_text("utf-8"))]
    long = [sentence for sentence in found if len(words(sentence)) > 25]
    assert len(long) < 0.03 * len(found), "\n".join(long)

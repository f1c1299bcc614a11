"""The tables of Tests/verdicts.md are whole and true."""

import re
from pathlib import Path

import pytest

from named_tests import TESTS, names_of_tests, sentence
from swift_syntax import syntax

BLUEZ, SIG = re.split(r"^## ", (TESTS / "verdicts.md").read_text("utf-8"), flags=re.M)[1:]
BLUEZ_CASES = TESTS / "Units" / "CentralTests"
ROW = re.compile(r"^\| ([A-Z/][^|]+?) \|(?: [^|]+ \|)?? ([^|]*?) \|$", re.M)
LINK = re.compile(r"\[\w+\]\(([^)]+)\) ([\w, ]+)")


def rows(section: str) -> tuple[dict[str, str], dict[str, str]]:
    """Case → its last cell: of those that our tests show, and of those that are left out."""
    parts = section.split("| left out | reason |")
    passed, left_out = (
        {case: cell for cases, cell in ROW.findall(part) for case in cases.split(", ")} for part in parts
    )
    return passed, left_out


def names(section: str) -> list[str]:
    return [case for cases, _ in ROW.findall(section) for case in cases.split(", ")]


@pytest.mark.parametrize("section", [BLUEZ, SIG], ids=["bluez", "sig"])
def test_each_case_is_there_once_and_each_that_is_left_out_has_a_reason(section):
    passed, left_out = rows(section)
    assert len(names(section)) == len(passed) + len(left_out) == len(passed.keys() | left_out.keys())
    assert all(left_out.values())
    print(f"{section.partition(':')[0]}: {len(passed)} cases have tests, {len(left_out)} are left out")


def test_the_transcripts_of_bluez_are_those_of_the_table():
    sources = syntax(BLUEZ_CASES / f"{name}.swift" for name in ("BlueZCase", "BlueZTests")).values()
    texts = [text.attribute("value") for source in sources for text in source.all("string_literal_expr")]
    assert sorted(text for text in texts if text.startswith("/TP/")) == sorted(rows(BLUEZ)[0])


def test_each_case_of_the_sig_names_tests_that_there_are():
    there = {(file, sentence(name)) for file, names in names_of_tests().items() for name in names}
    wrong = {}
    for case, cell in rows(SIG)[0].items():
        links = LINK.findall(cell)
        if not links or "; ".join(f"[{Path(file).stem}]({file}) {found}" for file, found in links) != cell:
            wrong[case] = cell
        elif gone := {(file, name) for file, found in links for name in found.split(", ")} - there:
            wrong[case] = sorted(gone)
    assert wrong == {}

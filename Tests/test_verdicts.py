"""The tables of Tests/verdicts.md are whole and true."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
BLUEZ, SIG = re.split(r"^## ", (TESTS / "verdicts.md").read_text("utf-8"), flags=re.M)[1:]
BLUEZ_CASES = TESTS / "Units" / "HostTests"
ROW = re.compile(r"^\| ([A-Z/][^|]+?) \|(?: [^|]+ \|)?? ([^|]*?) \|$", re.M)
LINK = re.compile(r"\[\w+\]\(([^)]+)\) ([\w, ]+)")
PREFIX = r"(?:centralBehaviour\d+_|test_central_behaviour_\d+_|test_)?"


def rows(section: str) -> tuple[dict[str, str], dict[str, str]]:
    """Case → its last cell: of those that our tests show, and of those that are left out."""
    parts = section.split("| left out | reason |")
    passed, left_out = (
        {case: cell for cases, cell in ROW.findall(part) for case in cases.split(", ")} for part in parts
    )
    return passed, left_out


def names(section: str) -> list[str]:
    return [case for cases, _ in ROW.findall(section) for case in cases.split(", ")]


def has_test(file: Path, name: str) -> bool:
    return re.search(rf"(?:func|def) {PREFIX}{name}\(", file.read_text("utf-8")) is not None


@pytest.mark.parametrize("section", [BLUEZ, SIG], ids=["bluez", "sig"])
def test_each_case_is_there_once_and_each_that_is_left_out_has_a_reason(section):
    passed, left_out = rows(section)
    assert len(names(section)) == len(passed) + len(left_out) == len(passed.keys() | left_out.keys())
    assert all(left_out.values())
    print(f"{section.partition(':')[0]}: {len(passed)} cases have tests, {len(left_out)} are left out")


def test_the_transcripts_of_bluez_are_those_of_the_table():
    sources = "".join((BLUEZ_CASES / f"{name}.swift").read_text("utf-8") for name in ("BlueZCase", "BlueZTests"))
    assert sorted(re.findall(r'"(/TP/[^"]+)"', sources)) == sorted(rows(BLUEZ)[0])


@pytest.mark.parametrize(("case", "tests"), rows(SIG)[0].items())
def test_each_case_of_the_sig_names_tests_that_there_are(case, tests):
    links = LINK.findall(tests)
    assert links and "; ".join(f"[{Path(file).stem}]({file}) {found}" for file, found in links) == tests
    missing = [name for file, found in links for name in found.split(", ") if not has_test(TESTS / file, name)]
    assert missing == []

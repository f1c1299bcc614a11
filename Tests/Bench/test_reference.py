"""The reference of board keys and events is whole and true, and so is the manual page that is made from it."""

import re
import subprocess

import pytest

from builds import command_of
from lenker_bench.programs.processes import ROOT

REFERENCE = ROOT / "Boards" / "reference.md"
MANUAL = ROOT / "Boards" / "pi-zero-2-w" / "debian" / "manual"


def table(heading: str) -> list[list[str]]:
    """The rows below a heading, as cells without the marks of code."""
    section = re.split(r"^## ", REFERENCE.read_text("utf-8"), flags=re.MULTILINE)
    text = next(part for part in section if part.startswith(heading))
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip().replace("`", "") for cell in row.strip("|").split("|")] for row in rows]


def keys_of_the_program() -> list[list[str]]:
    """Each key with its values and its default, as the program's help names them."""
    text = subprocess.run([*command_of("regular"), "--help"], capture_output=True, text=True, check=True).stdout
    _, keys = re.split(r"^keys, .*:$", text, flags=re.MULTILINE)
    return [list(match) for match in re.findall(r"^  (\S+) +(.+) \[(.*)\]$", keys, re.MULTILINE)]


def events_of_the_sources() -> dict[str, set[str]]:
    """The fields of each event that a source writes."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "Sources").rglob("EventLog*.swift"):
        text = path.read_text("utf-8")
        for function in re.split(r"\bfunc ", text):
            if event := re.search(r"\b(?:write\(|begin\(&line, )\.(\w+), at:", function):
                found.setdefault(event[1], set()).update(re.findall(r'\bfield\("(\w+)"', function))
    return found


def test_the_reference_has_each_key_with_its_values_and_its_default():
    keys = keys_of_the_program()
    assert len(keys) > 10
    assert [row[:3] for row in table("Board file")] == keys


@pytest.mark.parametrize("board", ["pi-zero-w", "pi-zero-2-w"])
def test_every_key_is_in_the_file_of_each_board(board):
    """As its first line says; a key that nothing can be set to without a change stands in a comment."""
    text = (ROOT / "Boards" / board / "board.conf").read_text("utf-8")
    assert "Every key is here" in text
    written = re.findall(r"^(?:# )?([a-z0-9-]+) = ", text, re.MULTILINE)
    assert set(written) == {key for key, *_ in table("Board file")}


def test_the_reference_has_each_event_with_its_fields_and_no_other():
    rows = table("Events")
    documented = {name: set(fields.split(", ")) for name, fields, _ in rows}
    assert len(documented) == len(rows) > 10
    assert documented == events_of_the_sources()


def topics_of_the_sources() -> dict[str, set[str]]:
    """The events of each topic that has any."""
    text = (ROOT / "Sources" / "Events" / "EventKind.swift").read_text("utf-8")
    _, topics = text.split("var topic: Topic")
    cases = re.findall(r"case ([.\w, ]+): \.(\w+)$", topics, re.MULTILINE)
    return {topic: set(events.replace(".", "").split(", ")) for events, topic in cases}


def test_the_reference_has_the_topic_of_each_event():
    documented = {topic: set(events.split(", ")) for topic, events in table("Topics")}
    assert documented == topics_of_the_sources()
    events = [event for topic in documented.values() for event in topic]
    assert sorted(events) == sorted(name for name, *_ in table("Events"))


def topics_of_the_scan_tool() -> dict[str, str]:
    """The topic of each event of the tool that scans."""
    text = (ROOT / "Sources" / "ScanTool" / "ScanEvent.swift").read_text("utf-8")
    names = re.findall(r'case \.\w+: "(\w+)"$', text, re.MULTILINE)
    cases = re.findall(r"case ([.\w, ]+): \.(\w+)$", text, re.MULTILINE)
    topics = {event: topic for events, topic in cases for event in events.replace(".", "").split(", ")}
    assert list(topics) == names
    return topics


def test_the_reference_has_each_event_of_the_scan_tool_with_its_fields_and_its_topic():
    rows = table("Events of lenker-scan")
    topics = topics_of_the_scan_tool()
    assert [name for name, *_ in rows] == list(topics)
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "Sources" / "ScanTool").glob("*.swift"))
    fields = set(re.findall(r'(?:field\w*|begin\w+)\("(\w+)"', sources)) - {"t", "event"}
    assert {field for _, named, _ in rows for field in named.split(", ") if field} == fields
    for name, _, meaning in rows:
        assert f"Topic {topics[name]}" in meaning


@pytest.fixture(scope="module", params=["lenker", "lenker-scan"])
def any_manual(request) -> str:
    return subprocess.run([MANUAL, request.param], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def manual() -> str:
    return subprocess.run([MANUAL], capture_output=True, text=True, check=True).stdout


def test_the_manual_has_every_option_key_and_event(manual):
    result = subprocess.run(["mandoc", "-T", "ascii"], input=manual, capture_output=True, text=True, check=True)
    page = re.sub(r".\x08", "", result.stdout)
    for option in ("--board", "--check", "--version", "--help"):
        assert option in page
    words = " ".join(page.split())
    for key, values, default, _ in table("Board file"):
        assert re.search(rf"^     {key}\b", page, re.MULTILINE)
        assert f"Values: {values}. Default: {default}." in words
    for event, fields, _ in table("Events"):
        assert re.search(rf"^     {event}\b", page, re.MULTILINE)
        assert f"Fields: {fields}." in words
    for topic, events in table("Topics"):
        assert re.search(rf"^     {topic}\b", page, re.MULTILINE)
        assert f"{events}." in words
    assert not re.search(r"@\w+@", page)


@pytest.mark.parametrize(
    "judge", [["mandoc", "-T", "lint", "-W", "warning"], ["groff", "-ww", "-z", "-mdoc", "-Tutf8"]]
)
def test_no_judge_has_anything_against_a_manual(any_manual, judge):
    result = subprocess.run(judge, input=any_manual, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")

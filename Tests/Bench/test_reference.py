"""The reference of board keys and events is whole and true, and so is the manual page that is made from it."""

import re
import subprocess
from pathlib import Path

import pytest

from builds import command_of
from lenker_bench.programs.processes import ROOT
from reference_tables import table
from swift_syntax import Node, syntax

PAGES = ("lenker.8", "board.conf.5")
MANUAL = ROOT / "Boards" / "pi-zero-2-w" / "debian" / "manual"
SOURCES = ROOT / "Sources"
RECORD = SOURCES / "Recording"


def keys_of_the_program() -> list[list[str]]:
    """Each key with its values and its default, as the program's help names them."""
    text = subprocess.run([*command_of("regular"), "--help"], capture_output=True, text=True, check=True).stdout
    _, keys = re.split(r"^keys, .*:$", text, flags=re.MULTILINE)
    return [list(match) for match in re.findall(r"^  (\S+) +(.+) \[(.*)\]$", keys, re.MULTILINE)]


def fields_in(source: Node, *functions: str) -> set[str]:
    """The names that are given to functions which write a field."""
    names = (call.first_argument for call in source.calls(*functions))
    return {name.attribute("value") for name in names if name and name.kind == "string_literal_expr"}


def events_of_the_sources() -> dict[str, set[str]]:
    """The fields of each event that a source writes."""
    found: dict[str, set[str]] = {}
    for source in syntax(sorted(RECORD.glob("EventLog*.swift"))).values():
        for function in source.all("func_decl"):
            # The event is what `write` is given first, and `begin` behind its line.
            lines = [*function.calls("write"), *function.calls("begin")]
            given = [part for line in lines for part in line.arguments[:2] if part.kind == "unresolved_member_expr"]
            for event in {part.attribute("name") for part in given}:
                found.setdefault(event, set()).update(fields_in(function, "field"))
    return found


def names_and_topics(file: Path) -> dict[str, str]:
    """Name → topic of each case of an enumeration, as its variable `row` has them."""
    (source,) = syntax([file]).values()
    (declaration,) = (part for part in source.all("var_decl") if part.name == "row")
    found = {}
    for case in declaration.all("case_stmt"):
        (body,) = (part for part in case.parts if part.kind == "brace_stmt")
        name, topic = body.all("string_literal_expr", "unresolved_member_expr")
        found[name.attribute("value")] = topic.attribute("name")
    return found


def topics_of_the_scan_tool() -> dict[str, str]:
    """Name → topic of each event: `write` is given both, or `begin` the one and `end` the other."""
    found = {}
    for source in syntax((SOURCES / "ScanTool").glob("*.swift")).values():
        for name, topic, *_ in (call.arguments for call in source.calls("write") if len(call.arguments) > 1):
            if name.kind == "string_literal_expr":
                found[name.attribute("value")] = topic.attribute("name")
        for function in source.all("func_decl"):
            topics = [call.arguments[1] for call in function.calls("end") if len(call.arguments) > 1]
            for topic in (part.attribute("name") for part in topics if part.kind == "unresolved_member_expr"):
                # Where the name is a parameter, `report` is given it.
                names = fields_in(function, "begin") or fields_in(source, "report")
                found |= dict.fromkeys(names, topic)
    return found


def test_the_reference_has_each_key_with_its_values_and_its_default():
    keys = keys_of_the_program()
    assert len(keys) > 10
    assert sorted(row[:3] for row in table("Board file")) == sorted(keys)


def test_each_key_has_an_example_that_is_a_whole_line_of_a_board_file():
    rows = table("Board file")
    assert {row[0] for row in rows if len(row) != 5 or not row[4].startswith(f"{row[0]} = ")} == set()


def test_the_program_takes_each_example(tmp_path):
    """What it complains of is the line behind the examples, which is wrong."""
    board = tmp_path / "board.conf"
    lines = [row[4] for row in table("Board file")]
    board.write_text("\n".join([*lines, "wrong = 1\n"]))
    command = [*command_of("regular"), "--board", board, "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stderr.startswith(f'lenker: {board}:{len(lines) + 1}: unknown key "wrong"')


def test_an_example_sets_its_key_to_something_else_than_the_default():
    same = [row[0] for row in table("Board file") if row[4] == f"{row[0]} = {row[2]}"]
    assert same == []


@pytest.mark.parametrize("board", ["pi-zero-w", "pi-zero-2-w"])
def test_every_key_is_in_the_file_of_each_board_and_the_four_that_everybody_needs_are_first(board):
    """As its first line says; a key that nothing can be set to without a change stands in a comment."""
    text = (ROOT / "Boards" / board / "board.conf").read_text("utf-8")
    assert "Every key is here" in text
    written = re.findall(r"^(?:# )?([a-z0-9-]+) = ", text, re.MULTILINE)
    assert written == [key for key, *_ in table("Board file")]
    assert written[:4] == ["panel", "panel-reset", "rotation", "alert"]


def test_the_reference_has_each_event_with_its_fields_and_no_other():
    rows = table("Events")
    documented = {name: set(fields.split(", ")) for name, fields, _ in rows}
    assert len(documented) == len(rows) > 10
    assert documented == events_of_the_sources()


def test_the_reference_has_the_topic_of_each_event():
    documented = {event: topic for topic, events in table("Topics") for event in events.split(", ")}
    assert documented == names_and_topics(SOURCES / "Events" / "Topic.swift")
    assert sorted(documented) == sorted(name for name, *_ in table("Events"))
    assert sum(len(events.split(", ")) for _, events in table("Topics")) == len(documented), "each has one"


def test_the_reference_has_each_event_of_the_scan_tool_with_its_fields_and_its_topic():
    rows = table("Events of lenker-scan")
    topics = topics_of_the_scan_tool()
    assert sorted(name for name, *_ in rows) == sorted(topics)
    sources = syntax((SOURCES / "ScanTool").glob("*.swift")).values()
    functions = ("field", "fieldOfNothing", "beginObject", "beginList")
    fields = set().union(*(fields_in(source, *functions) for source in sources)) - {"t", "event"}
    assert {field for _, named, _ in rows for field in named.split(", ") if field} == fields
    assert {name for name, _, meaning in rows if f"Topic {topics[name]}" not in meaning} == set()


@pytest.fixture(scope="module", params=["lenker.8", "lenker-scan.1", "board.conf.5"])
def any_manual(request) -> str:
    return subprocess.run([MANUAL, request.param], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def manual() -> str:
    """The page of the program, and that of its board file."""
    pages = (subprocess.run([MANUAL, page], capture_output=True, text=True, check=True) for page in PAGES)
    return "".join(page.stdout for page in pages)


def test_the_manual_has_every_option_key_and_event(manual):
    result = subprocess.run(["mandoc", "-T", "ascii"], input=manual, capture_output=True, text=True, check=True)
    page = re.sub(r".\x08", "", result.stdout)
    for option in ("--board", "--check", "--version", "--help"):
        assert option in page
    words = " ".join(page.split())
    for key, values, default, _, example in table("Board file"):
        assert re.search(rf"^     {key}\b", page, re.MULTILINE)
        assert f"Values: {values}. Default: {default}. Example: {example}" in words
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

"""Which changes Tests/mutate tries, what it remembers of them, and what it says in the end."""

import contextlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mutation import explained, main, trial
from mutation.places import Place, places_in
from mutation.sample import Results, all_places, next_round, shuffled
from mutation.tree import Broken, Tree
from mutation.trial import Limits, Verdict, run_tests

KILLED, SURVIVED, INVALID = Verdict("killed", "a()"), Verdict("survived"), Verdict("invalid")
SOURCE = "".join(f"let a{number} = b{number} < c{number}\n" for number in range(20))


def places(source: str = SOURCE) -> list[Place]:
    return places_in("Sources/M/F.swift", source)


def test_the_same_seed_tries_the_same_changes_and_another_one_others():
    assert shuffled(places(), 1) == shuffled(reversed(places()), 1)
    assert shuffled(places(), 1) != shuffled(places(), 2)


def test_lines_that_are_new_or_moved_change_nothing_of_the_order_of_the_others():
    old = [place.texts for place in shuffled(places(), 1)]
    new = [place.texts for place in shuffled(places("let x = y == z\n" + SOURCE), 1)]
    assert [texts for texts in new if texts in old] == old


def test_what_does_not_compile_gives_way_to_the_next():
    order = shuffled(places(), 1)
    verdicts = {order[0]: KILLED, order[1]: INVALID}
    assert set(next_round(order, verdicts, 3)) == {order[2], order[3]}
    assert next_round(order, verdicts, 1) == []


def test_results_hold_for_the_same_sources_and_tests(tmp_path):
    path, (killed, survived, invalid, *_) = tmp_path / "results.jsonl", places()
    results = Results(path)
    for place, verdict in ((killed, KILLED), (survived, SURVIVED), (invalid, INVALID)):
        results.add(place, verdict, 1.0, "sources", "tests")
    with path.open("a") as file:
        file.write('{"sources": "sou')  # killed in the middle

    def known(place: Place, sources: str = "sources", tests: str = "tests", *, with_fewer_tests: bool = False):
        found = Results(path).known(place, sources, tests, with_fewer_tests=with_fewer_tests)
        return found[0] if found else None

    assert [known(place) for place in (killed, survived, invalid)] == [KILLED, SURVIVED, INVALID]
    assert known(killed, sources="others") is None
    assert [known(place, tests="others") for place in (killed, survived, invalid)] == [None, None, INVALID]
    assert known(killed, tests="others", with_fewer_tests=True) == KILLED
    assert known(survived, tests="others", with_fewer_tests=True) is None


def test_the_test_that_noticed_a_change_is_known_whatever_the_sources_are(tmp_path):
    path, (one, other, *_) = tmp_path / "results.jsonl", places()
    results = Results(path)
    results.add(one, Verdict("killed", "Suite/one(_:of:)"), 1.0, "sources", "tests")
    results.add(other, TRAP_IN_TWO, 1.0, "sources", "tests")
    results.add(one, SURVIVED, 1.0, "other sources", "tests")
    assert [Results(path).test(place) for place in (one, other)] == ["Suite/one(_:of:)", None]


def test_an_explanation_holds_wherever_its_line_is():
    place = places()[0]
    entries = explained.parse("# Comment\n\n" + explained.written(place, "It is\n  the same.") + "\n")
    assert entries == {place.texts: "It is the same."}
    assert explained.unmatched(entries, places("\n\n" + SOURCE)) == []
    assert explained.unmatched(entries, places("let a = b\n")) == [place.texts]


@pytest.mark.parametrize("text", ["F\n- a\n+ b\n", "F\n+ b\n  Reason.\n"])
def test_an_explanation_is_whole(text):
    with pytest.raises(explained.ExplanationError):
        explained.parse(text)


def test_every_change_that_is_explained_can_still_be_made():
    entries = explained.parse(explained.FILE.read_text("utf-8"))
    assert explained.unmatched(entries, all_places(main.ROOT, main.MODULES)) == []


TRAP_IN_TWO = Verdict("killed", "a trap, or memory in Suite/two()")

# The tests of a change: a program that writes what swift-testing does.
EVENTS = """#!{python}
import json, os, signal, sys
def write(kind, test, **more):
    path = sys.argv[sys.argv.index("--event-stream-output-path") + 1]
    with open(path, "a") as events:
        identifier = f"MTests.Suite/{{test}}/File.swift:1:2"
        print(json.dumps({{"kind": "event", "payload": {{"kind": kind, "testID": identifier, **more}}}}), file=events)
write("testStarted", "one()")
{body}
"""


def tree_with_tests(folder: Path, body: str) -> Path:
    program = folder / ".build/debug/MPackageTests.xctest"
    program.parent.mkdir(parents=True)
    program.write_text(EVENTS.format(python=sys.executable, body=body))
    program.chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("write('testEnded', 'one()')", SURVIVED),
        ("write('issueRecorded', 'one()', issue={'isKnown': True})", SURVIVED),
        # Nobody waits for what follows the first failure.
        (
            "write('issueRecorded', 'one()', issue={'isKnown': False}); signal.pause()",
            Verdict("killed", "Suite/one()"),
        ),
        ("os.abort()", Verdict("killed", "a trap, or memory in Suite/one()")),
        ("bytearray(4 << 30)", Verdict("killed", "a trap, or memory in Suite/one()")),
        ("while True: pass", Verdict("killed", "time in Suite/one()")),
        ("write('testEnded', 'one()'); write('testStarted', 'two()'); os.abort()", TRAP_IN_TWO),
        ("sys.exit(1)", Verdict("killed", "a trap, or memory in Suite/one()")),
    ],
)
def test_a_failure_a_trap_a_hang_and_a_glutton_are_noticed(tmp_path, body, verdict):
    tree = tree_with_tests(tmp_path, body)
    assert run_tests(tree, tmp_path / "log", Limits(processor=1, clock=40))[0] == verdict


def test_a_test_that_there_is_no_more_notices_nothing(tmp_path):
    tree = tree_with_tests(tmp_path, "")
    (program,) = tree.glob(".build/debug/*.xctest")
    program.write_text("#!/bin/sh\nexit 69\n")
    limits = Limits(processor=1, clock=40)
    assert run_tests(tree, tmp_path / "log", limits, ["MTests"], test="Suite/gone()")[0] == SURVIVED


def test_tests_that_wait_for_ever_are_ended(tmp_path):
    tree = tree_with_tests(tmp_path, "signal.pause()")
    assert run_tests(tree, tmp_path / "log", Limits(processor=1, clock=0.5))[0].by.startswith("time")


def test_tests_that_left_a_child_with_the_pipe_are_ended(tmp_path):
    # As swift-backtrace may be.
    tree = tree_with_tests(tmp_path, "os.fork() or signal.pause(); os.abort()")
    assert run_tests(tree, tmp_path / "log", Limits(processor=1, clock=1))[0].result == "killed"


def test_a_trap_before_the_first_event_is_noticed(tmp_path):
    tree = tree_with_tests(tmp_path, "")
    (program,) = tree.glob(".build/debug/*.xctest")
    program.write_text("#!/bin/sh\nkill -ABRT $$\n")
    assert run_tests(tree, tmp_path / "log", Limits(processor=1, clock=40))[0] == Verdict("killed", "a trap, or memory")


@pytest.mark.parametrize("body", ["", "os.kill(os.getpid(), 9)"])
def test_tests_that_could_not_be_run_notice_nothing(tmp_path, body):
    tree = tree_with_tests(tmp_path, body)
    if not body:
        (program,) = tree.glob(".build/debug/*.xctest")
        program.write_text("#!/bin/sh\nexit 127\n")
    with pytest.raises(Broken):
        run_tests(tree, tmp_path / "log", Limits(processor=1, clock=40))


def test_a_failure_of_the_compiler_is_none_of_the_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(trial, "BUILD", ["sh", "-c", "echo '/t/F.swift:1:2: error: no'; exit 1"])
    assert trial.build(tmp_path, tmp_path / "log") == ["/t/F.swift:1:2: error: no"]
    monkeypatch.setattr(trial, "BUILD", ["sh", "-c", "echo 'error: No space left on device'; exit 1"])
    with pytest.raises(Broken):
        trial.build(tmp_path, tmp_path / "log")


class FakeBench:
    """Compiles what has no `>=`, and notices what has a `<=` in an even line."""

    def __init__(self, tree: Tree, suites: dict[str, list[str]], logs: Path) -> None:
        self.limits = dict.fromkeys(suites, "no limits")
        self._together: dict[int, Place] = {}

    @contextlib.contextmanager
    def built_together(self, places: list[Place]) -> Iterator[dict[int, Place]]:
        self._together = dict(enumerate((place for place in places if ">=" not in place.new[0]), 1))
        yield self._together
        self._together = {}

    def try_chosen(self, place: Place, number: int, test: str | None) -> Verdict:
        assert self._together[number] == place
        return self.try_alone(place, test)

    def try_alone(self, place: Place, test: str | None) -> Verdict:
        if ">=" in place.new[0]:
            return INVALID
        return KILLED if int(place.new[0].split()[1][1:]) % 2 == 0 else SURVIVED


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A project with the sources of one module, and a run that compiles nothing."""
    (tmp_path / "Sources/ATT").mkdir(parents=True)
    (tmp_path / "Sources/ATT/F.swift").write_text(SOURCE)
    (tmp_path / "Package.swift").write_text("")
    (tmp_path / "explained.txt").write_text("")

    def copy(tree: Tree) -> None:
        shutil.copytree(tmp_path / "Sources", tree.path / "Sources", dirs_exist_ok=True)

    monkeypatch.setattr(Tree, "copy", copy)
    monkeypatch.setattr(main, "Bench", FakeBench)
    monkeypatch.setattr(main, "ROOT", tmp_path)
    monkeypatch.setattr(explained, "FILE", tmp_path / "explained.txt")
    monkeypatch.setenv("LENKER_RECORDINGS", "")
    return tmp_path


def explain_all_of(project: Path, said: str) -> None:
    """Takes what a run proposes into the explanations."""
    blocks = [block for block in said.split("\n\n") if block.startswith("# line")]
    (project / "explained.txt").write_text("\n\n".join(block.replace("REASON", "Of no interest.") for block in blocks))


def test_a_run_ends_well_when_each_survivor_is_explained(project, capsys):
    assert main.main(["--module", "ATT", "--count", "20"]) == 1
    said = capsys.readouterr().out
    assert "| all | 20 | 10 | 0 | 10 | 50.0 % |" in said and "F.swift:2: comparison:" in said
    explain_all_of(project, said)
    assert main.main(["--module", "ATT", "--count", "20"]) == 0
    assert "| all | 20 | 10 | 10 | 0 | 100.0 % |" in capsys.readouterr().out


def test_a_run_that_was_interrupted_goes_on_where_it_was(project, capsys):
    assert main.main(["--module", "ATT", "--count", "20", "--limit-minutes", "0"]) == main.UNFINISHED
    assert "0 of 20 are tried" in capsys.readouterr().out
    main.main(["--module", "ATT", "--count", "5"])
    first = (project / ".build/mutate/results.jsonl").read_text().splitlines()
    main.main(["--module", "ATT", "--count", "5"])
    main.main(["--module", "ATT", "--count", "20"])
    lines = (project / ".build/mutate/results.jsonl").read_text().splitlines()
    assert lines[: len(first)] == first and len(set(lines)) == len(lines)
    results = [json.loads(line)["result"] for line in lines]
    assert results.count("killed") == results.count("survived") == 10 and results.count("invalid") > 0


def test_an_explanation_that_matches_nothing_is_told(project, capsys):
    (project / "explained.txt").write_text("Sources/ATT/F.swift\n- gone(1)\n+ gone(2)\n  It is gone.\n")
    main.main(["--module", "ATT", "--count", "1"])
    assert "cannot be made any more: Sources/ATT/F.swift: gone(1) → gone(2)" in capsys.readouterr().out


def test_two_runs_do_not_share_a_copy(project, capsys):
    with Tree(project).locked():
        assert main.main(["--module", "ATT"]) == 1
    assert "another Tests/mutate is at work" in capsys.readouterr().err


def test_an_interrupted_change_is_taken_back(tmp_path):
    tree = Tree(tmp_path)
    (tree.path / "Sources").mkdir(parents=True)
    file = tree.path / "Sources/F.swift"
    file.write_text("a")

    def interrupt() -> None:
        with tree.changed("Sources/F.swift", "b"):
            raise KeyboardInterrupt(file.read_text())

    with pytest.raises(KeyboardInterrupt, match="b"):
        interrupt()
    assert file.read_text() == "a"

"""The hostile sessions: their table, their arguments, and what they take for a turn."""

from collections import Counter
from pathlib import Path

import pytest

from behaviours import documented
from lenker_bench.view.sheet import expected_picture
from lenker_trials.commands import hostile
from lenker_trials.commands.hostile import CASES
from lenker_trials.hostile.at_random import Ride, parts
from lenker_trials.hostile.scene import Glass


def test_the_list_is_a_table_of_all_cases(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["hostile", "--list"])
    assert hostile.main() == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split("`")[1] for row in rows[2:]] == [case.name for case in CASES]


def test_each_case_has_a_name_of_its_own_and_one_of_the_behaviours():
    assert len({case.name for case in CASES}) == len(CASES)
    assert {str(case.behaviour) for case in CASES} <= documented().keys()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["replayed-adress"], "there is no case 'replayed-adress'; --list names them"),
        (["--random", "0"], "'0' is not a number above 0"),
        (["--random", "5", "no-code"], "--random draws its attacks itself"),
        (["--jobs", "none"], "'none' is not a number above 0"),
    ],
)
def test_a_bad_argument_is_told(capsys, arguments, said):
    with pytest.raises(SystemExit) as end:
        hostile.parse(arguments)
    assert end.value.code == 64
    assert said in capsys.readouterr().err


def test_cases_are_played_once_each_and_all_without_a_name():
    assert [case.name for case in hostile.parse(["noise", "no-code", "noise"]).cases] == ["noise", "no-code"]
    assert hostile.parse([]).cases == list(CASES)


@pytest.mark.parametrize("arguments", [["no-code"], ["--random", "2"]])
def test_a_firmware_that_ends_does_not_hold(capsys, monkeypatch, arguments):
    monkeypatch.setattr("sys.argv", ["hostile", "--firmware", "true", "--jobs", "1", *arguments])
    assert hostile.main() == 1
    assert "ended with status 0" in capsys.readouterr().out


def test_the_attacks_are_divided_among_the_rides():
    assert [(part.number, part.count) for part in parts(5, 2)] == [(0, 3), (1, 2)]
    assert [part.count for part in parts(2, 8)] == [1, 1]


def test_what_did_not_hold_is_told_with_its_attack():
    rides = [Ride(Counter(jammed=2), [0.1, 1.5], connected=3), Ride(Counter(noise=1), wrongs=["noise: no instruction"])]
    text = "\n".join(hostile.lines(rides))
    assert "0.8 s (median), 1.5 s at the most" in text
    assert "attackers were connected to 3 times" in text
    assert "NOT HELD: noise: no instruction\n3 attacks, 1 not held" in text


def show(folder: Path, name: str, is_inverted: bool = False, shift: int = 0) -> None:
    """Shows one of the expected pictures."""
    rows = [list(row) for row in expected_picture(name).rows]
    rows = rows[-shift:] + rows[:-shift] if shift else rows
    text = "\n".join(" ".join(str(pixel ^ is_inverted) for pixel in row) for row in rows)
    (folder / "latest.pbm").write_text(f"P1\n128 64\n{text}\n")


def test_a_turn_is_known_by_its_arrow(tmp_path):
    glass = Glass(tmp_path)
    show(tmp_path, "turn")
    glass.learn()
    assert glass.shows_turn()
    show(tmp_path, "turn", shift=1)
    assert glass.shows_turn()
    show(tmp_path, "turn", is_inverted=True)
    assert glass.shows_turn()
    for other in ("searching", "forgotten", "compare-123456", "no-code", "phone-paired", "finish", "turn-now"):
        show(tmp_path, other)
        assert not glass.shows_turn(), other
    show(tmp_path, "off-route")
    glass.learn()
    show(tmp_path, "off-route-stale")
    assert glass.shows_turn()

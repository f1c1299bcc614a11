"""The hostile sessions: their table, their arguments, and what they take for a turn."""

from pathlib import Path

import pytest

from behaviours import documented
from lenker_bench.view.sheet import expected_picture
from lenker_trials.commands import hostile
from lenker_trials.commands.hostile import CASES
from lenker_trials.hostile.scene import Glass


def test_the_list_is_a_table_of_all_cases(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["hostile", "--list"])
    assert hostile.main() == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split("`")[1] for row in rows[2:]] == [case.name for case in CASES]


def test_each_case_has_a_name_of_its_own_and_one_of_the_behaviours():
    assert len({case.name for case in CASES}) == len(CASES)
    assert {str(case.behaviour) for case in CASES} <= documented().keys()


def test_a_case_that_there_is_not_is_told(capsys):
    with pytest.raises(SystemExit) as end:
        hostile.parse(["replayed-adress"])
    assert end.value.code == 64
    assert "there is no case 'replayed-adress'; --list names them" in capsys.readouterr().err


def test_cases_are_played_once_each_and_all_without_a_name():
    cases = hostile.parse(["no-pairing", "no-code", "no-pairing"]).cases
    assert [case.name for case in cases] == ["no-pairing", "no-code"]
    assert hostile.parse([]).cases == list(CASES)


def test_a_firmware_that_ends_does_not_hold(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["hostile", "--firmware", "true", "no-code"])
    assert hostile.main() == 1
    assert "ended with status 0" in capsys.readouterr().out


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

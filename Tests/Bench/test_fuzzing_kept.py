"""What `Tests/fuzz --replay` makes of an input that does not end well."""

import pytest

import fuzzing


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Three kept inputs; the one with `bad` in it ends a program that stands in for the fuzzer."""
    program = tmp_path / "Fuzz"
    program.write_text('#!/bin/sh\n! grep -q bad "$2"\n')
    program.chmod(0o755)
    for name, path in {"ROOT": tmp_path, "WORK": tmp_path, "PACKS": tmp_path, "REPLAYER": program}.items():
        monkeypatch.setattr(fuzzing, name, path)
    return lambda *inputs: (tmp_path / "h4.pack").write_bytes(fuzzing.pack(list(inputs)))


def test_inputs_that_end_well_are_counted(kept, capsys):
    kept(b"a", b"bc")
    assert fuzzing.replay(["h4"]) == 0
    assert capsys.readouterr().out.startswith("h4: 2 inputs\n0 findings in ")


def test_an_input_that_does_not_is_a_file_and_a_line_that_repeats_it(kept, capsys, tmp_path):
    kept(b"a", b"a bad one", b"c")
    assert fuzzing.replay(["h4"]) == 1
    [path] = (tmp_path / "findings").iterdir()
    assert path.read_bytes() == b"a bad one"
    assert f"  findings/{path.name}: Tests/fuzz --reproduce findings/{path.name}\n" in capsys.readouterr().out

"""What `Tests/fuzz` makes of an input that does not end well."""

import pytest

import fuzzing


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Three kept inputs; the one with `bad` in it ends a program that stands in for the fuzzer."""
    program = tmp_path / "Fuzz"
    program.write_text('#!/bin/sh\n! grep -q bad "$2"\n')
    program.chmod(0o755)
    for name in ["ROOT", "WORK", "PACKS"]:
        monkeypatch.setattr(fuzzing, name, tmp_path)
    return lambda *inputs: (tmp_path / "h4.pack").write_bytes(fuzzing.pack(list(inputs)))


def test_inputs_that_end_well_are_counted(kept, capsys, tmp_path):
    kept(b"a", b"bc")
    assert fuzzing.replay(["h4"], tmp_path / "Fuzz") == 0
    assert capsys.readouterr().out.startswith("h4: 2 inputs\n0 findings in ")


def test_an_input_that_does_not_is_a_file_and_a_line_that_repeats_it(kept, capsys, tmp_path):
    kept(b"a", b"a bad one", b"c")
    assert fuzzing.replay(["h4"], tmp_path / "Fuzz") == 1
    [path] = (tmp_path / "findings").iterdir()
    assert path.read_bytes() == b"a bad one"
    assert f"  findings/{path.name}: Tests/fuzz --reproduce findings/{path.name}\n" in capsys.readouterr().out


@pytest.fixture
def late(tmp_path, monkeypatch):
    """A fuzzer that stands in for the true one: it gives up an input late, once, and then runs it alone as told."""

    def make(alone: str) -> fuzzing.Run:
        program = tmp_path / "Fuzz"
        program.write_text(
            f"""#!/bin/sh
[ $# -gt 2 ] || {alone}
[ -e {tmp_path}/once ] || echo late > {tmp_path}/findings/h4-timeout-0
touch {tmp_path}/once
"""
        )
        program.chmod(0o755)
        for name, path in {"ROOT": tmp_path, "WORK": tmp_path, "PACKS": tmp_path, "PROGRAM": program}.items():
            monkeypatch.setattr(fuzzing, name, path)
        return fuzzing.Run("h4", 60, 1)

    return make


def test_what_was_only_kept_waiting_by_other_programs_is_no_finding_but_counted(late, tmp_path, monkeypatch):
    monkeypatch.setenv("LENKER_LOAD_LOG", str(tmp_path / "results" / "load.txt"))
    run = late(alone="exit 0")
    run.go()
    assert run.findings == []
    assert list((tmp_path / "findings").iterdir()) == []
    assert (tmp_path / "results" / "load.txt").read_text() == "fuzzing h4: an input was only kept waiting\n"


def test_what_needs_too_much_of_the_processor_is_a_finding(late, tmp_path, monkeypatch):
    monkeypatch.setattr(fuzzing, "HANG", 1)
    run = late(alone="while :; do :; done")
    run.go()
    assert run.findings == [tmp_path / "findings" / "h4-timeout-0"]


@pytest.mark.parametrize("packs", [[], [b""]], ids=["no-file", "an-empty-file"])
def test_a_target_that_has_no_kept_input_fails(kept, capsys, tmp_path, packs):
    for packed in packs:
        (tmp_path / "h4.pack").write_bytes(packed)
    assert fuzzing.replay(["h4"], tmp_path / "Fuzz") == 1
    assert capsys.readouterr().out == "h4: no input is kept, so nothing is known of it\n"


@pytest.fixture
def saying(tmp_path, monkeypatch):
    """A fuzzer that stands in for the true one, and says this."""

    def make(said: str) -> None:
        program = tmp_path / "Fuzz"
        program.write_text(f"#!/bin/sh\necho '{said}' >&2\n")
        program.chmod(0o755)
        for name, path in {"ROOT": tmp_path, "WORK": tmp_path, "PACKS": tmp_path, "PROGRAM": program}.items():
            monkeypatch.setattr(fuzzing, name, path)

    return make


@pytest.mark.parametrize(("said", "status"), [("", 1), ("#7\tDONE   cov: 3 ft: 3", 0), ("#0\tREAD units: 1", 1)])
def test_a_fuzzer_that_executed_nothing_fails(capsys, saying, said, status):
    saying(said)
    assert fuzzing.fuzz([fuzzing.Run("h4", 60, 1)], jobs=1) == status
    silence = "h4: no input was executed, so nothing is known of it\n"
    assert (silence in capsys.readouterr().out) == (status == 1)


@pytest.mark.parametrize(("executions", "status"), [(11, 1), (12, 0)])
def test_with_a_fixed_number_of_inputs_a_fuzzer_that_ends_before_them_fails(
    capsys, monkeypatch, saying, tmp_path, executions, status
):
    (tmp_path / "h4.pack").write_bytes(fuzzing.pack([b"a", b"bc"]))
    monkeypatch.setitem(fuzzing.FIXED_RUNS, "h4", 10)
    saying(f"#{executions}\tDONE   cov: 3 ft: 3")
    assert fuzzing.fuzz([fuzzing.FixedRun("h4", 1)], jobs=1) == status
    early = f"h4: it ended after {executions} of 12 executions, see fixed/h4/log\n"
    assert (early in capsys.readouterr().out) == (status == 1)

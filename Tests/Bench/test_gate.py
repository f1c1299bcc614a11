"""The steps of Tests/run, and what it says of a size that there is not."""

import re
import subprocess
from pathlib import Path

import pytest

from lenker_bench.programs.processes import ROOT

RUN = ROOT / "Tests" / "run"


@pytest.fixture
def steps(tmp_path: Path):
    """`steps(script)`: runs it with the steps of Tests/run; the lines of verdicts, and what was said."""

    def run(script: str) -> tuple[list[str], str]:
        given = f'source "{ROOT}/Tests/Support/steps.sh"\nresults={tmp_path}\n{script}'
        said = subprocess.run(["bash", "-c", given], capture_output=True, text=True, check=True, cwd=ROOT).stdout
        return (tmp_path / "steps").read_text().splitlines(), said

    return run


def test_a_step_passes_or_fails_by_its_status_and_is_one_line_with_its_time(steps):
    verdicts, said = steps("step good echo fine; step gone no-such-command; step late bash -c 'exit 75'; true")
    assert verdicts == ["passed good", "failed gone", "passed late"]
    assert re.fullmatch(r"passed  good +\d+ s +\d+ s of processors", said.splitlines()[0])


def test_what_a_step_prints_is_shown_when_it_fails(steps):
    _, said = steps(
        "loud() { echo remark: Incremental compilation has been disabled; echo loud; false; }; step loud loud; true"
    )
    assert said.splitlines()[1:] == ["  loud"]


def test_a_step_that_cannot_run_is_skipped_with_its_reason(steps, tmp_path):
    verdicts, _ = steps('page() { cannot "the page needs chromium" || return; }; step page page; true')
    assert verdicts == ["skipped page"]
    assert (tmp_path / "skipped").read_text() == "the page needs chromium\n"


def test_the_steps_of_a_lane_run_one_behind_the_other_and_one_that_fails_stops_none(steps):
    verdicts, said = steps("two() { step first false; step second true; }; lane two; finish; echo end")
    assert verdicts == ["failed first", "passed second"]
    assert [line.split()[0] for line in said.splitlines()] == ["failed", "passed", "end"]


@pytest.mark.parametrize("arguments", [["everything"], ["--all"], ["nightly", "dreams"], ["nightly", "--seed", "x"]])
def test_a_size_or_step_that_there_is_not_is_refused_with_the_usage(arguments):
    done = subprocess.run([RUN, *arguments], check=False, capture_output=True, text=True)
    assert done.returncode == 64
    assert done.stderr.startswith("Tests/run") and "Tests/run nightly" in done.stderr

"""What the last lines of Tests/run say."""

from pathlib import Path

import pytest

import count

PASSED = '<testcase classname="a" name="good"/>'
FAILED = '<testcase classname="a" name="bad"><failure/></testcase>'
SKIPPED = '<testcase classname="a" name="away"><skipped message="no chromium"/></testcase>'
SKIPPED_BY_SWIFT = '<testcase classname="ATests.A" name="a()"><skipped>the rides are not here</skipped></testcase>'
LOAD = "0 depended on this machine's load"


@pytest.mark.parametrize(
    ("steps", "reports", "said"),
    [
        # A step without a report counts as one test; one that failed without a failed test is a failure.
        ("passed style", {}, [LOAD, "1 passed, 0 failed, 0 skipped"]),
        ("failed units", {"units": PASSED}, [LOAD, "failed: units", "1 passed, 1 failed, 0 skipped"]),
        (
            "failed units\npassed programs",
            {"units": PASSED + FAILED, "programs": PASSED},
            [LOAD, "failed: a bad", "2 passed, 1 failed, 0 skipped"],
        ),
        # A report counts for the step of its own name; Swift Testing writes beside the report it was told.
        ("passed programs", {"programs": PASSED, "programs alone": PASSED}, [LOAD, "1 passed, 0 failed, 0 skipped"]),
        ("passed units", {"units": "", "units-swift-testing": PASSED}, [LOAD, "1 passed, 0 failed, 0 skipped"]),
        (
            "passed units\npassed style",
            {"units": ""},
            [LOAD, "failed: units: not one test was executed", "1 passed, 1 failed, 0 skipped"],
        ),
        # What cannot run here is never passed, and nothing but skipped tests is no success.
        (
            "passed style\nskipped browser\npassed card",
            {"card": SKIPPED},
            ["skipped: browser (1)", "skipped: no chromium (1)", LOAD, "1 passed, 0 failed, 2 skipped"],
        ),
        ("skipped card", {}, ["skipped: card (1)", LOAD, "0 passed, 0 failed, 1 skipped"]),
        (
            "passed units",
            {"units": SKIPPED_BY_SWIFT},
            ["skipped: the rides are not here (1)", LOAD, "0 passed, 0 failed, 1 skipped"],
        ),
    ],
)
def test_what_is_counted_of_steps_and_their_reports(tmp_path: Path, capsys, steps, reports, said):
    (tmp_path / "steps").write_text(steps)
    for name, cases in reports.items():
        (tmp_path / f"{name}.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    status = count.main(tmp_path)
    assert capsys.readouterr().out.splitlines() == said
    assert status == (" 0 failed" not in said[-1] or said[-1].startswith("0 passed"))


def test_sentences_of_steps_are_said_and_what_depended_on_the_load_is_counted(tmp_path: Path, capsys):
    (tmp_path / "steps").write_text("passed style")
    (tmp_path / "skipped").write_text("the page needs Debian's chromium\n")
    (tmp_path / "load.txt").write_text("a late answer\na late answer\nanother try\n")
    assert count.main(tmp_path) == 0
    assert capsys.readouterr().out.splitlines()[:4] == [
        "skipped: the page needs Debian's chromium",
        "depended on the load: a late answer (2)",
        "depended on the load: another try (1)",
        "3 depended on this machine's load",
    ]

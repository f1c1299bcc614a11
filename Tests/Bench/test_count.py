"""What the last lines of Tests/run say."""

from pathlib import Path

import pytest

import count

PASSED = '<testcase classname="a" name="good"/>'
FAILED = '<testcase classname="a" name="bad"><failure/></testcase>'
SKIPPED = '<testcase classname="a" name="away"><skipped message="no chromium"/></testcase>'


@pytest.fixture
def counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """`counted(steps, NAME=report)`: the status and the lines that are printed."""

    def run(steps: str, reports: dict[str, str] | None = None, **files: str) -> tuple[int, list[str]]:
        (tmp_path / "steps").write_text(steps)
        for name, cases in (reports or {}).items():
            (tmp_path / f"{name}.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
        for name, text in files.items():
            (tmp_path / name.replace("_", ".")).write_text(text)
        status = count.main(tmp_path)
        return status, capsys.readouterr().out.splitlines()

    return run


def test_a_step_without_a_report_counts_as_one_test(counted):
    assert counted("passed style\n") == (0, ["0 depended on this machine's load", "1 passed, 0 failed, 0 skipped"])


def test_the_tests_of_a_report_count_and_those_that_failed_are_named(counted):
    status, lines = counted("failed units\npassed programs\n", {"units": PASSED + FAILED, "programs": PASSED})
    assert (status, lines[-2:]) == (1, ["failed: a bad", "2 passed, 1 failed, 0 skipped"])


def test_a_report_counts_for_the_step_of_its_own_name(counted):
    _, lines = counted("passed programs\n", {"programs": PASSED, "programs alone": PASSED})
    assert lines[-1] == "1 passed, 0 failed, 0 skipped"


def test_swift_testing_writes_beside_the_report_it_was_told(counted):
    _, lines = counted("passed units\n", {"units": "", "units-swift-testing": PASSED})
    assert lines[-1] == "1 passed, 0 failed, 0 skipped"


def test_a_step_that_failed_without_a_failed_test_is_a_failure(counted):
    status, lines = counted("failed units\n", {"units": PASSED})
    assert (status, lines[-2:]) == (1, ["failed: units", "1 passed, 1 failed, 0 skipped"])


def test_a_report_without_a_test_is_a_failure(counted):
    status, lines = counted("passed units\npassed style\n", {"units": ""})
    assert status == 1
    assert lines[-2:] == ["failed: units: not one test was executed", "1 passed, 1 failed, 0 skipped"]


def test_what_cannot_run_here_is_skipped_with_its_sentence_and_never_passed(counted):
    status, lines = counted(
        "passed style\nskipped browser\npassed card\n", {"card": SKIPPED}, skipped="the page needs Debian's chromium\n"
    )
    assert status == 0
    assert "skipped: the page needs Debian's chromium" in lines and "skipped: no chromium (1)" in lines
    assert lines[-1] == "1 passed, 0 failed, 2 skipped"


def test_nothing_but_skipped_tests_is_no_success(counted):
    assert counted("skipped card\n")[0] == 1


def test_what_depended_on_the_load_is_counted(counted):
    _, lines = counted("passed style\n", load_txt="a late answer\na late answer\nanother try\n")
    assert lines[:3] == [
        "depended on the load: a late answer (2)",
        "depended on the load: another try (1)",
        "3 depended on this machine's load",
    ]


def test_a_skipped_test_of_swift_has_the_sentence_of_its_condition(counted):
    case = '<testcase classname="ATests.A" name="a()"><skipped>the rides are not here</skipped></testcase>'
    _, lines = counted("passed units\n", {"units": case})
    assert lines[0] == "skipped: the rides are not here (1)"

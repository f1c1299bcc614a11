"""Counts the results of all test runners: `count.py FOLDER`.

A step that failed without naming a test that failed, as a build does, is a failure of its own.
"""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def tests(report: Path) -> tuple[int, int, int, list[str]]:
    """Passed, failed and skipped of one JUnit report, and the names of those that failed."""
    passed = skipped = 0
    failed = []
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(f"{case.get('classname')} {case.get('name')}")
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
    return passed, len(failed), skipped, failed


def main(folder: Path) -> int:
    passed = failed = skipped = 0
    names: list[str] = []
    for step in (folder / "steps").read_text().splitlines():
        result, _, name = step.partition(" ")
        reports = list(folder.glob(f"{name}*.xml"))
        named = [tests(report) for report in reports]
        passed += sum(counts[0] for counts in named)
        failed += sum(counts[1] for counts in named)
        skipped += sum(counts[2] for counts in named)
        names += [case for counts in named for case in counts[3]]
        if result == "passed" and not reports:
            passed += 1
        elif result == "failed" and not any(counts[1] for counts in named):
            failed += 1
            names.append(name)
    for name in names:
        print(f"failed: {name}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

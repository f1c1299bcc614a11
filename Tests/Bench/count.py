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
    for report in sorted(folder.glob("*.xml")):
        counts = tests(report)
        passed, failed, skipped = passed + counts[0], failed + counts[1], skipped + counts[2]
        names += counts[3]
    for line in (folder / "steps").read_text().splitlines():
        result, _, name = line.partition(" ")
        if result == "passed":
            passed += 1
        else:
            failed += 1
            names.append(f"step: {name}")
    for name in names:
        print(f"failed: {name}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

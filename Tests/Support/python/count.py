"""Counts the results of all test runners: `count.py FOLDER`.

FOLDER has `steps`, a line for each step with its verdict and name, and the JUnit reports of those that wrote one. A
step that failed without naming a test that failed, as a build does, is a failure of its own. So is one whose reports
name no test at all.
"""

import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Counts:
    """What came of tests; `skipped` has the reasons."""

    passed: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def add(self, other: "Counts") -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    @property
    def are_empty(self) -> bool:
        return not (self.passed or self.failed or self.skipped)


def of_report(path: Path) -> Counts:
    counts = Counts()
    for case in ElementTree.parse(path).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            counts.failed.append(f"{case.get('classname')} {case.get('name')}")
        elif (skipped := case.find("skipped")) is not None:
            # pytest says why in an attribute, Swift Testing in the text.
            counts.skipped.append(skipped.get("message") or skipped.text or "without a reason")
        else:
            counts.passed += 1
    return counts


def of_step(verdict: str, name: str, folder: Path) -> Counts:
    """Swift Testing adds `-swift-testing` to the name of the report that it is told."""
    counts = Counts()
    reports = [path for suffix in ("", "-swift-testing") if (path := folder / f"{name}{suffix}.xml").exists()]
    for report in reports:
        counts.add(of_report(report))
    if verdict == "failed" and not counts.failed:
        counts.failed.append(name)
    elif verdict == "skipped" and counts.are_empty:
        counts.skipped.append(name)
    elif verdict == "passed" and not reports:
        counts.passed += 1
    elif verdict == "passed" and counts.are_empty:
        counts.failed.append(f"{name}: not one test was executed")
    return counts


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.exists() else []


def main(folder: Path) -> int:
    counts = Counts()
    for line in lines_of(folder / "steps"):
        verdict, _, name = line.partition(" ")
        counts.add(of_step(verdict, name, folder))
    for sentence in lines_of(folder / "skipped"):
        print(f"skipped: {sentence}")
    for reason, count in Counter(counts.skipped).items():
        print(f"skipped: {reason} ({count})")
    load = Counter(lines_of(folder / "load.txt"))
    for what, count in load.items():
        print(f"depended on the load: {what} ({count})")
    print(f"{load.total()} depended on this machine's load")
    for name in counts.failed:
        print(f"failed: {name}")
    print(f"{counts.passed} passed, {len(counts.failed)} failed, {len(counts.skipped)} skipped")
    return 1 if counts.failed or not counts.passed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

"""Which tests show which behaviour of a trustworthy central or peripheral: found by the number in their names.

    .build/venv/bin/python Tests/Support/python/behaviours.py [NUMBER ...]

prints each behaviour of Tests/behaviours.txt, or these, with its tests. The peripheral's are numbered from P1 on.
A name is `centralBehaviour9_…` in Swift and `test_central_behaviour_9_…` in Python, or the same with `peripheral`.
"""

import sys
from collections import defaultdict

from named_tests import BEHAVIOUR, TESTS, names_of_tests, sentence

LETTERS = {"central": "", "peripheral": "P"}


def documented() -> dict[str, str]:
    """Number → behaviour, in order."""
    lines = (TESTS / "behaviours.txt").read_text("utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines)


def found() -> dict[str, list[str]]:
    """Number → file and what each test there says, in the sources' order."""
    behaviours: dict[str, list[str]] = defaultdict(list)
    for file, names in names_of_tests().items():
        for name in names:
            if number := BEHAVIOUR.match(name):
                behaviours[LETTERS[number[1]] + number[2]].append(f"{file}: {sentence(name)}")
    return behaviours


if __name__ == "__main__":
    tests = found()
    for number, behaviour in documented().items():
        if number in (sys.argv[1:] or [number]):
            print(f"{number} {behaviour}", *tests[number], sep="\n    ")

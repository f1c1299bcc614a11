"""Which tests show which behaviour of a trustworthy central or peripheral: found by the number in their names.

    .build/venv/bin/python Tests/Support/python/behaviours.py

writes the names into the tables in Tests/behaviours.md. Those of the peripheral are numbered from P1 on; one
that has no test keeps the words "not there yet" that somebody has written into its row.
"""

import re
from collections import defaultdict
from pathlib import Path

from named_tests import BEHAVIOUR, TESTS, names_of_tests, sentence

ROW = re.compile(r"^\| (P?\d+) \| ([^|]+) \|(.*)\|$", re.M)
TABLE = TESTS / "behaviours.md"
NOT_THERE_YET = "not there yet"
LETTERS = {"central": "", "peripheral": "P"}

Behaviours = dict[str, dict[str, list[str]]]


def found() -> Behaviours:
    """Number → file → what each test there says, in the sources' order."""
    behaviours: Behaviours = defaultdict(lambda: defaultdict(list))
    for file, names in names_of_tests().items():
        for name in names:
            if number := BEHAVIOUR.match(name):
                behaviours[LETTERS[number[1]] + number[2]][file].append(sentence(name))
    return behaviours


def row_cell(tests: dict[str, list[str]]) -> str:
    """What the table says of one behaviour's tests."""
    return "; ".join(f"[{Path(file).stem}]({file}) {', '.join(names)}" for file, names in tests.items())


def documented(text: str) -> dict[str, tuple[str, str]]:
    """Number → behaviour and tests, as the tables have them."""
    return {number: (behaviour.strip(), tests.strip()) for number, behaviour, tests in ROW.findall(text)}


def rewritten(text: str) -> str:
    """The text with the tests of each behaviour as they are in the sources."""
    behaviours = found()

    def row(old: re.Match[str]) -> str:
        cell = row_cell(behaviours[old[1]])
        if not cell and old[3].strip() == NOT_THERE_YET:
            cell = NOT_THERE_YET
        return f"| {old[1]} | {old[2]} | {cell} |"

    return ROW.sub(row, text)


if __name__ == "__main__":
    TABLE.write_text(rewritten(TABLE.read_text("utf-8")), "utf-8")

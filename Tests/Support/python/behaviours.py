"""Which tests show which behaviour of a trustworthy central: found by the number in their names.

    .build/venv/bin/python Tests/Support/python/behaviours.py

writes the names into the table in Tests/behaviours.md.
"""

import re
from collections import defaultdict
from pathlib import Path

from named_tests import BEHAVIOUR, TESTS, names_of_tests, sentence

ROW = re.compile(r"^\| (\d+) \| ([^|]+) \|(.*)\|$", re.M)
TABLE = TESTS / "behaviours.md"

Behaviours = dict[int, dict[str, list[str]]]


def found() -> Behaviours:
    """Number → file → what each test there says, in the sources' order."""
    behaviours: Behaviours = defaultdict(lambda: defaultdict(list))
    for file, names in names_of_tests().items():
        for name in names:
            if number := BEHAVIOUR.match(name):
                behaviours[int(number[1])][file].append(sentence(name))
    return behaviours


def row_cell(tests: dict[str, list[str]]) -> str:
    """What the table says of one behaviour's tests."""
    return "; ".join(f"[{Path(file).stem}]({file}) {', '.join(names)}" for file, names in tests.items())


def documented(text: str) -> dict[int, tuple[str, str]]:
    """Number → behaviour and tests, as the table has them."""
    return {int(number): (behaviour.strip(), tests.strip()) for number, behaviour, tests in ROW.findall(text)}


def rewritten(text: str) -> str:
    """The text with the tests of each behaviour as they are in the sources."""
    behaviours = found()
    return ROW.sub(lambda row: f"| {row[1]} | {row[2]} | {row_cell(behaviours[int(row[1])])} |", text)


if __name__ == "__main__":
    TABLE.write_text(rewritten(TABLE.read_text("utf-8")), "utf-8")

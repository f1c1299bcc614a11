"""Which tests show which behaviour of a trustworthy central: found by the number in their names.

    .build/venv/bin/python Tests/Support/python/behaviours.py

writes the names into the table in Tests/README.md.
"""

import re
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
SWIFT = re.compile(r"func centralBehaviour(\d+)_(\w+)")
PYTHON = re.compile(r"def test_central_behaviour_(\d+)_(\w+)")
ROW = re.compile(r"^\| (\d+) \| ([^|]+) \|(.*)\|$", re.M)
README = TESTS / "README.md"

Behaviours = dict[int, dict[str, list[str]]]


def found() -> Behaviours:
    """Number → file → what each test there says, in the sources' order."""
    behaviours: Behaviours = defaultdict(lambda: defaultdict(list))
    for path in sorted([*TESTS.glob("Units/**/*.swift"), *TESTS.glob("*/test_*.py")]):
        pattern = SWIFT if path.suffix == ".swift" else PYTHON
        for number, name in pattern.findall(path.read_text("utf-8")):
            behaviours[int(number)][path.relative_to(TESTS).as_posix()].append(name)
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
    README.write_text(rewritten(README.read_text("utf-8")), "utf-8")

"""The changes that no test can notice, each with the reason: `explained.txt`.

An entry is a file, the line as it is after `- `, the line as it is changed after `+ ` (none if it is
left out), and the reason. Empty lines are between entries, and `#` begins a comment.
"""

from collections.abc import Iterable
from pathlib import Path

from .places import Place

FILE = Path(__file__).with_name("explained.txt")

Texts = tuple[str, tuple[str, ...], tuple[str, ...]]


class ExplanationError(Exception):
    """An entry that lacks something."""


def parse(text: str) -> dict[Texts, str]:
    """What is changed → why that is no fault."""
    entries: dict[Texts, str] = {}
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for block in lines.split("\n\n"):
        if not block.strip():
            continue
        file, *rest = block.strip("\n").splitlines()
        old = tuple(line[2:].strip() for line in rest if line.startswith("- "))
        new = tuple(line[2:].strip() for line in rest if line.startswith("+ "))
        reason = " ".join(line.strip() for line in rest if not line.startswith(("- ", "+ ")))
        if not old or not reason:
            raise ExplanationError(f"{file}: an entry has a line that is changed, and a reason")
        entries[file, old, new] = reason
    return entries


def written(place: Place, reason: str) -> str:
    """The entry of a change."""
    file, old, new = place.texts
    return "\n".join([file, *(f"- {line}" for line in old), *(f"+ {line}" for line in new), f"  {reason}"])


def unmatched(entries: Iterable[Texts], places: Iterable[Place]) -> list[Texts]:
    """The entries of changes that cannot be made any more."""
    possible = {place.texts for place in places}
    return [texts for texts in entries if texts not in possible]

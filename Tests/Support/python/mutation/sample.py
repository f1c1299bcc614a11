"""Which changes are tried, in which order, and what is known of them from earlier runs."""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from .places import Place, places_in
from .trial import Verdict

_TEST = re.compile(r"\w+/\w+\([\w:]*\)$")


def all_places(root: Path, modules: Iterable[str]) -> list[Place]:
    """Each change that can be made to these modules."""
    return [
        place
        for module in modules
        for path in sorted((root / "Sources" / module).rglob("*.swift"))
        for place in places_in(path.relative_to(root).as_posix(), path.read_text("utf-8"))
    ]


def shuffled(places: Iterable[Place], seed: int) -> list[Place]:
    """In an order that the seed determines: that of two of them is the same whatever else is in the list."""

    def key(place: Place) -> bytes:
        return hashlib.sha256(repr((seed, place.texts, place.occurrence)).encode()).digest()

    return sorted(places, key=key)


def next_round(order: Iterable[Place], verdicts: dict[Place, Verdict], count: int) -> list[Place]:
    """What is still to be tried of the first `count` in this order that compile, a file after the other."""
    chosen = [place for place in order if place not in verdicts or verdicts[place].result != "invalid"][:count]
    return sorted((place for place in chosen if place not in verdicts), key=lambda place: (place.file, place.number))


@dataclass(frozen=True)
class _Entry:
    """What stands in a line of the file of results."""

    sources: str
    tests: str
    file: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    occurrence: int
    result: str
    by: str
    seconds: float


class Results:
    """What was found out in earlier runs: it holds as long as the sources and the tests are the same."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._entries: dict[tuple, _Entry] = {}
        self._tests: dict[tuple, str] = {}
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        for line in lines:
            try:
                values = json.loads(line)
            except ValueError:
                continue  # the end of a run that was killed
            self._remember(_Entry(**{**values, "old": tuple(values["old"]), "new": tuple(values["new"])}))

    def _remember(self, entry: _Entry) -> None:
        key = (entry.sources, entry.file, entry.old, entry.new, entry.occurrence)
        self._entries[key] = entry
        if _TEST.match(entry.by):
            self._tests[key[1:]] = entry.by

    def test(self, place: Place) -> str | None:
        """The test that noticed it the last time, whatever the sources were then."""
        return self._tests.get((*place.texts, place.occurrence))

    def add(self, place: Place, verdict: Verdict, seconds: float, sources: str, tests: str) -> None:
        """Keeps what was found out just now, at once."""
        file, old, new = place.texts
        entry = _Entry(
            sources, tests, file, old, new, place.occurrence, verdict.result, verdict.by, round(seconds, 1)
        )  # fmt: skip
        self._remember(entry)
        with self._path.open("a", encoding="utf-8") as output:
            output.write(json.dumps(asdict(entry), ensure_ascii=False) + "\n")

    def known(self, place: Place, sources: str, tests: str, *, with_fewer_tests: bool) -> tuple[Verdict, float] | None:
        """What was found out of this change, and the seconds it took; what does not compile needs no test for that.

        `with_fewer_tests` takes one that was killed for killed though the tests have changed since.
        """
        entry = self._entries.get((sources, *place.texts, place.occurrence))
        if entry is None:
            return None
        is_lasting = entry.result == "invalid" or (entry.result == "killed" and with_fewer_tests)
        if entry.tests != tests and not is_lasting:
            return None
        return Verdict(entry.result, entry.by), entry.seconds

"""Changes single lines of the firmware and says which changes no test notices.

A change is one line, or the order of two: a comparison turned, a condition turned or left out, a
constant one more or less, a statement left out, another operator, another value. Those of a module are
made in a copy below .build/mutate, built together as far as they compile so, and tried one by one with
the tests of the module. Which changes are tried depends on the seed and the sources alone; one that
does not compile gives way to the next. What was found out is kept until the sources or tests of the
module change, so that a run can be interrupted and goes on.

Ends with 0 if each change was noticed or is explained in Tests/Support/python/mutation/explained.txt,
with 1 if one was not, and with 75 if the minutes did not suffice.
"""

import argparse
import functools
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from . import explained
from .places import Place
from .sample import Results, all_places, next_round, shuffled
from .tree import Broken, Tree
from .trial import Bench, Verdict

ROOT = Path(__file__).resolve().parents[4]
MODULES = (
    "Controller", "Link", "Search", "SensorLinks", "Central", "Exploring", "SMP", "ATT", "Sensors", "Navigation",
    "Panel", "Bond", "DeviceState", "Recording", "Device", "Events", "Places", "ScanTool", "PhoneServices",
)  # fmt: skip
TESTED_TOGETHER = {
    **dict.fromkeys(("Controller", "Link", "Search", "SensorLinks", "Exploring"), "Central"),
    **dict.fromkeys(("DeviceState", "Recording"), "Device"),
}
"""Modules whose tests are those of another one."""
UNFINISHED = 75  # EX_TEMPFAIL of sysexits.h


class Run:
    """One run of the command."""

    def __init__(self, tree: Tree, options: argparse.Namespace) -> None:
        self._tree, self._options = tree, options
        self._end = time.monotonic() + 60 * options.limit_minutes
        self._entries = explained.parse(explained.FILE.read_text("utf-8"))
        self._results = Results(tree.folder / "results.jsonl")
        self._seconds: dict[Place, float] = {}
        self._digests: dict[str, tuple[str, str]] = {}
        self.verdicts: dict[Place, Verdict] = {}
        tree.copy()
        places = [place for place in all_places(tree.path, options.module) if options.files in place.file]
        self.order = shuffled(places, options.seed)
        for file, old, new in explained.unmatched(self._entries, all_places(tree.path, MODULES)):
            print(f"explained, but cannot be made any more: {file}: {_short(old, new)}")

    def _suites(self, module: str) -> list[str]:
        """The targets with the tests that are run for a module."""
        return [f"{name}Tests" for name in (TESTED_TOGETHER.get(module, module), *self._options.also)]

    def try_all(self) -> None:
        """Until the number is reached, or the minutes are over."""
        for module in self._options.module:
            targets = self._tree.needed(self._suites(module))
            self._digests[module] = tuple(self._tree.digest(targets, of_tests=of_tests) for of_tests in (False, True))
        for place in self.order:
            known = self._results.known(place, *self._digests[place.module], with_fewer_tests=self._options.keep_killed)
            if known is not None:
                self.verdicts[place], self._seconds[place] = known
        while todo := next_round(self.order, self.verdicts, self._options.count):
            if time.monotonic() >= self._end:
                return
            self._try_round(todo)

    def _try_round(self, places: list[Place]) -> None:
        """First what can be built together, then the others one by one."""
        modules = sorted({place.module for place in places})
        bench = Bench(self._tree, {module: self._suites(module) for module in modules}, self._tree.folder)
        started = time.monotonic()
        with bench.built_together(places if len(places) > 1 else []) as together:
            print(f"built with {len(together)} of {len(places)} changes together in {time.monotonic() - started:.0f} s")
            for module in modules:
                print(f"{module}: its tests have {bench.limits[module]}", flush=True)
            for number, place in together.items():
                self._try(place, functools.partial(bench.try_chosen, place, number, self._results.test(place)))
            for place in places:
                if place not in together.values():
                    self._try(place, functools.partial(bench.try_alone, place, self._results.test(place)))

    def _try(self, place: Place, find_out: Callable[[], Verdict]) -> None:
        if (started := time.monotonic()) >= self._end:
            return
        verdict = find_out()
        self.verdicts[place], self._seconds[place] = verdict, time.monotonic() - started
        self._results.add(place, verdict, self._seconds[place], *self._digests[place.module])
        if verdict.result != "invalid":
            print(self._line(place), flush=True)

    def _line(self, place: Place) -> str:
        verdict = self.verdicts[place]
        said = f"killed by {verdict.by}" if verdict.result == "killed" else "SURVIVED"
        if place.texts in self._entries:
            said += ", as is explained" if verdict.result == "survived" else ", though it is explained"
        where = f"{place.file.removeprefix('Sources/')}:{place.number}"
        return f"{where}: {place.kind}: {_short(place.old, place.new)}: {said} ({self._seconds[place]:.0f} s)"

    def report(self) -> int:
        """Prints the survivors and the score; returns the status of the command."""
        # The order of the seed, whatever was found out for other seeds.
        compiling = [
            place for place in self.order if place not in self.verdicts or self.verdicts[place].result != "invalid"
        ]
        sample = compiling[: self._options.count]
        tried = [place for place in sample if place in self.verdicts]
        survivors = [place for place in tried if self.verdicts[place].result == "survived"]
        open_ones = [place for place in survivors if place.texts not in self._entries]
        if open_ones:
            print("\nSurvivors, as they would be written into explained.txt:")
        for place in open_ones:
            print(f"\n# line {place.number}, {place.kind}\n{explained.written(place, 'REASON')}")
        print("\n| module | tried | killed | explained | survived | score |\n|---|---|---|---|---|---|")
        for module in (*self._options.module, "all"):
            print(_row(module, *(_of(module, places) for places in (tried, survivors, open_ones))))
        invalid = sum(verdict.result == "invalid" for verdict in self.verdicts.values())
        print(f"\n{invalid} more do not compile")
        if len(tried) < len(sample):
            print(f"{len(tried)} of {len(sample)} are tried; the same command goes on")
        return 1 if open_ones else UNFINISHED if len(tried) < len(sample) else 0


def _of(module: str, places: list[Place]) -> int:
    return len(places) if module == "all" else Counter(place.module for place in places)[module]


def _row(name: str, tried: int, survivors: int, open_ones: int) -> str:
    score = f"{100 * (tried - open_ones) / tried:.1f} %" if tried else "–"
    return f"| {name} | {tried} | {tried - survivors} | {survivors - open_ones} | {open_ones} | {score} |"


def _short(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    before, after = (" ⏎ ".join(line.strip() for line in lines) for lines in (old, new))
    return f"{before} → {after or 'nothing'}"


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="Tests/mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--module", action="append", choices=MODULES, help="this module, or several; else all")
    parser.add_argument("--files", default="", metavar="WORD", help="only files with this in their paths, as Exploring")
    parser.add_argument("--count", type=int, default=300, help="how many changes that compile (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which (%(default)s)")
    parser.add_argument(
        "--also", action="append", default=[], metavar="MODULE", help="try the tests of this module, too, as Device's"
    )
    parser.add_argument("--limit-minutes", type=float, default=float("inf"), help="begin nothing new after this time")
    parser.add_argument(
        "--keep-killed", action="store_true", help="do not try again what tests noticed that have changed since"
    )
    options = parser.parse_args(arguments)
    options.module = sorted(set(options.module or MODULES))
    return options


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    # The tests find them by their own place otherwise, and that is the copy's.
    os.environ.setdefault("LENKER_RECORDINGS", str(ROOT.parent / "shared"))
    tree = Tree(ROOT)
    try:
        with tree.locked():
            run = Run(tree, options)
            try:
                run.try_all()
            except KeyboardInterrupt:
                print("\ninterrupted")
            return run.report()
    except Broken as error:
        print(f"Tests/mutate: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

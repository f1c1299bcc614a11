"""Builds the copy and runs its tests, up to the first that fails."""

import contextlib
import ctypes
import itertools
import json
import os
import re
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .places import Place
from .together import IMPORT, Together
from .tree import Broken, write

BUILD = ["swift", "build", "--build-tests", "-debug-info-format", "none"]
BUILD_PATIENCE = 1800.0  # seconds
MEMORY = 2 << 30  # bytes that the tests may write to; without a change they need a tenth
# Of the processor, so that a machine that is busy with something else lets no test fail.
SPARE_SECONDS = 10
SPARE_FACTOR = 2
# Of the clock, for what waits and does not work.
SPARE_WAITING = 10

_COMPILER_ERROR = re.compile(r"^(/\S+?:\d+:\d+: error: .*|.*(?:Stack dump|failed with signal).*)$", re.M)
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


@dataclass(frozen=True)
class Verdict:
    """What became of a change: `killed`, `survived` or `invalid`, and by which test or error."""

    result: str
    by: str = ""


@dataclass(frozen=True)
class Limits:
    """What the tests may use: seconds of the processor and of the clock."""

    processor: int
    clock: float

    def __str__(self) -> str:
        return f"at most {self.processor} s of the processor and {self.clock:.0f} s of the clock"

    @classmethod
    def beside(cls, processor: float, clock: float) -> "Limits":
        """For tests that need so much without a change."""
        return cls(
            round(SPARE_SECONDS + SPARE_FACTOR * processor), SPARE_WAITING * (SPARE_SECONDS + SPARE_FACTOR * clock)
        )


NO_LIMITS = Limits(processor=3600, clock=3600)


@contextlib.contextmanager
def _running(command: list[str], limits: Limits | None = None, **options) -> Iterator[subprocess.Popen]:
    """A process that is ended with all that it started when the block is left, and when we are killed."""

    def prepare() -> None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if limits is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (limits.processor, limits.processor + 5))
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=prepare, **options
    ) as process:
        try:
            yield process
        finally:
            _kill(process)


def _kill(process: subprocess.Popen) -> None:
    """Ends a process and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def build(tree: Path, log: Path) -> list[str]:
    """Builds the copy; returns the compiler's errors, each with its place, or nothing."""
    with log.open("w") as output, _running(BUILD, cwd=tree, stdout=output, stderr=output) as process:
        try:
            status = process.wait(BUILD_PATIENCE)
        except subprocess.TimeoutExpired:
            raise Broken(f"a build took more than {BUILD_PATIENCE:.0f} s: see {log}") from None
    if status == 0:
        return []
    errors = [error[0] for error in _COMPILER_ERROR.finditer(log.read_text("utf-8", "replace"))]
    if not errors:
        raise Broken(f"a build failed, but not the compiler: see {log}")
    return list(dict.fromkeys(errors))


def _what(error: str) -> str:
    return error.rpartition(" error: ")[2]


def run_tests(
    tree: Path, log: Path, limits: Limits, suites: Iterable[str] = (), chosen: int = 0, test: str | None = None
) -> tuple[Verdict, float]:
    """Runs the tests of these targets, or all that were built, with one of the changes together or none.

    With `test` only that runs, or none if there is none of that name any more. Returns what they say, and
    the seconds of the processor that they used.
    """
    [program] = tree.glob(".build/debug/*.xctest")
    # A trap is told at once: the program that prints where it was may hang, with our pipe in its hand.
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "LENKER_CHANGE": str(chosen)}
    reading, writing = os.pipe()
    used_before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with log.open("w") as output, os.fdopen(reading, encoding="utf-8", errors="replace") as events:
        command = [str(program), "--testing-library", "swift-testing"]
        if suites:
            command += ["--filter", rf"^({'|'.join(sorted(suites))})\.{re.escape(test or '')}"]
        with _running(
            [*command, "--event-stream-output-path", f"/dev/fd/{writing}"],
            limits,
            cwd=tree,
            env=environment,
            stdout=output,
            stderr=output,
            pass_fds=[writing],
        ) as process:
            os.close(writing)
            overdue = threading.Event()
            alarm = threading.Timer(limits.clock, lambda: (overdue.set(), _kill(process)))
            alarm.start()
            try:
                course = _Course(events)
                if course.failed is None:
                    process.wait()
            finally:
                alarm.cancel()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime - used_before.ru_utime - used_before.ru_stime
    # A trap may be quicker than the first event.
    is_silent = course.count == 0 and process.returncode >= 0
    if is_silent and test is not None:
        return Verdict("survived"), seconds
    if is_silent or (process.returncode == -signal.SIGKILL and course.failed is None and not overdue.is_set()):
        raise Broken(f"the tests could not be run: see {log}")
    return _verdict(course, process.returncode, is_overdue=overdue.is_set()), seconds


class _Course:
    """What the tests said of themselves, up to the first failure."""

    def __init__(self, events: Iterable[str]) -> None:
        self.failed: str | None = None
        self.count = 0
        """What has begun and not ended."""
        self.running: list[str] = []
        for line in events:
            with contextlib.suppress(ValueError):
                self._hear(json.loads(line)["payload"])
            if self.failed is not None:
                return

    def _hear(self, event: dict) -> None:
        kind, name = event.get("kind"), _name(event.get("testID", ""))
        if kind == "issueRecorded" and not event.get("issue", {}).get("isKnown"):
            self.failed = name
        elif kind == "testStarted" and name.endswith(")"):
            self.count += 1
            self.running.append(name)
        elif kind == "testEnded" and name in self.running:
            self.running.remove(name)


def _verdict(course: _Course, status: int, *, is_overdue: bool) -> Verdict:
    if course.failed is not None:
        return Verdict("killed", course.failed)
    if status == 0:
        return Verdict("survived")
    where = f" in {', '.join(course.running[:3])}" if course.running else ""
    what = "time" if is_overdue or status == -signal.SIGXCPU else "a trap, or memory"
    return Verdict("killed", what + where)


def _name(identifier: str) -> str:
    """`Suite/test()` of `Module.Suite/test()/File.swift:1:2`."""
    return re.sub(r"^\w+\.|/[^/]+\.swift:\d+:\d+$", "", identifier)


class Bench:
    """Tries changes in the copy with these targets, each with the tests of its module."""

    def __init__(self, tree, suites: dict[str, list[str]], logs: Path) -> None:
        """`suites` are the targets with the tests of each module."""
        self._tree, self._suites, self._logs = tree, suites, logs
        self.limits: dict[str, Limits] = {}
        tree.reduce(tree.needed(itertools.chain(*suites.values())))

    @contextlib.contextmanager
    def built_together(self, places: Iterable[Place]) -> Iterator[dict[int, Place]]:
        """Has all of them in the copy that compile beside each other, and yields these with their numbers."""
        files: dict[str, dict[int, Place]] = {}
        for number, place in enumerate(places, 1):
            files.setdefault(place.file, {})[number] = place
        sources = {file: Together(self._tree.source(file), files[file]) for file in files}
        with contextlib.ExitStack() as changed:
            for file, source in sources.items():
                if source.places:
                    changed.enter_context(self._tree.changed(file, source.text()))
            while errors := self._build():
                self._leave_out(errors, sources)
            for module in self._suites:
                self._measure(module)
            yield {number: place for source in sources.values() for number, place in source.places.items()}

    def _leave_out(self, errors: list[str], sources: dict[str, Together]) -> None:
        """Leaves out what does not compile beside the others."""
        is_less = False
        for file, source in sources.items():
            start = f"{self._tree.path / file}:"
            lines = [int(error[len(start) :].split(":")[0]) for error in errors if error.startswith(start)]
            if source.leave_out(lines):
                write(self._tree.path / file, source.text())
                is_less = True
        if not is_less:
            raise Broken(f"it does not compile without a change: {errors[0]}")

    def _measure(self, module: str) -> None:
        """Finds the limits by running the tests without a change."""
        started = time.monotonic()
        verdict, processor = self._run(module, NO_LIMITS)
        if verdict.result != "survived":
            raise Broken(f"without a change it fails: {verdict.by}; see {self._logs / 'tests.log'}")
        self.limits[module] = Limits.beside(processor, time.monotonic() - started)

    def try_chosen(self, place: Place, number: int, test: str | None) -> Verdict:
        """Says what becomes of one of those that are built together, which has this number.

        `test` runs first, as it noticed it the last time.
        """
        if test is not None:
            verdict, _ = self._run(place.module, self.limits[place.module], number, test)
            if verdict.result == "killed":
                return verdict
        return self._run(place.module, self.limits[place.module], number)[0]

    def try_alone(self, place: Place, test: str | None) -> Verdict:
        """Says what becomes of a change with a build of its own, as `try_chosen` does."""
        # With the same imports whether or not there are others, so that nothing else is built again.
        with self._tree.changed(place.file, IMPORT + place.made_in(self._tree.source(place.file))):
            if errors := self._build():
                return Verdict("invalid", _what(errors[0]))
            return self.try_chosen(place, 0, test)

    def _build(self) -> list[str]:
        return build(self._tree.path, self._logs / "build.log")

    def _run(self, module: str, limits: Limits, chosen: int = 0, test: str | None = None) -> tuple[Verdict, float]:
        return run_tests(self._tree.path, self._logs / "tests.log", limits, self._suites[module], chosen, test)

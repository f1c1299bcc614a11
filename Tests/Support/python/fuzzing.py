"""Runs libFuzzer on each target, and keeps its corpus: `Tests/fuzz`."""

import argparse
import os
import re
import resource
import secrets
import shutil
import struct
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from load import load_dependent

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ROOT / ".build" / "fuzz" / "release" / "Fuzz"
WORK = ROOT / ".build" / "fuzz"
REPLAYER = ROOT / ".build" / "release" / "Fuzz"
PACKS = ROOT / "Tests" / "Fuzz" / "Corpus"
TARGETS = {
    "device": (400, 200),
    "pdu": (300, 200_000),
    "text": (600, 10_000),
    "store": (1200, 5_000),
    "h4": (2200, 150_000),
    "display": (200, 250),
    "report": (300, 8_000),
    "places": (2200, 40_000),
    "events": (400, 7_000),
    "scan": (600, 1_200),
    "lines": (600, 20_000),
    "gauge": (300, 100_000),
}
"""Of each, its longest input in bytes, and how many inputs it tries where the result is to be the same each time.

Those are some ten seconds of them.
"""
FIXED_SEEDS = 150
"""From how many kept inputs it sets out then: every one would take a minute of `device` before the first new one."""
HANG = 25  # seconds of the processor that no input may take
FIXED_HANG = 1000  # seconds, where how busy the machine is may decide nothing
REPLAY = 600  # seconds of the processor that no corpus may take
STATUS = re.compile(r"#(\d+)\s+\S+\s+cov: (\d+)")
REACHED = re.compile(r"^reached (.+) (\d+)$", re.MULTILINE)


def pack(inputs: list[bytes]) -> bytes:
    """One file of many inputs, each behind its length."""
    return b"".join(struct.pack("<H", len(data)) + data for data in sorted(inputs, key=lambda data: (len(data), data)))


def unpack(packed: bytes) -> list[bytes]:
    inputs = []
    while packed:
        (length,) = struct.unpack("<H", packed[:2])
        inputs.append(packed[2 : 2 + length])
        packed = packed[2 + length :]
    return inputs


def prepare_corpus(target: str) -> Path:
    """The folder of the target's inputs: those of the repository, and those found since."""
    folder = WORK / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    packed = PACKS / f"{target}.pack"
    for number, data in enumerate(unpack(packed.read_bytes()) if packed.exists() else []):
        (folder / f"packed-{number:05}").write_bytes(data)
    return folder


def libfuzzer_options(target: str, seed: int, prefix: Path | str) -> list[str]:
    """What libFuzzer is told in any case; findings are files whose names begin with `prefix`."""
    dictionary = PACKS.parent / f"{target}.dict"
    return [
        f"-seed={seed}",
        f"-max_len={TARGETS[target][0]}",
        "-len_control=0",
        "-rss_limit_mb=3000",
        f"-artifact_prefix={prefix}",
        *([f"-dict={dictionary}"] if dictionary.exists() else []),
    ]


def timed_options(seconds: int) -> list[str]:
    """What it is told where it may use the clock."""
    return [
        f"-max_total_time={seconds}",
        "-entropic_scale_per_exec_time=1",  # what is short is tried more often
        f"-timeout={HANG}",
        f"-report_slow_units={HANG}",  # what is slow beside other programs is no finding
    ]


class Run:
    """The fuzzer of one target, for a number of seconds."""

    def __init__(self, target: str, seconds: int, seed: int) -> None:
        self.target, self.seconds, self.seed = target, seconds, seed
        self.executions = self.coverage = 0
        self.reached: Counter[str] = Counter()
        self.findings: list[Path] = []

    def go(self) -> None:
        corpus = prepare_corpus(self.target)
        folder = WORK / "findings"
        folder.mkdir(exist_ok=True)
        before = self._files(folder)
        end = time.monotonic() + self.seconds
        while (left := int(end - time.monotonic())) > 0:
            said = self._fuzz(corpus, folder / f"{self.target}-", left)
            self._read(said)
            ended = self._files(folder) - before
            if not ended:
                break
            new = {path for path in ended if not self._was_only_kept_waiting(path)}
            before |= new
            self.findings += sorted(new)
            for path in new:
                (folder / f"{path.name}.log").write_text(said)
            self.seed += 1

    def _was_only_kept_waiting(self, path: Path) -> bool:
        """Whether what took long by the clock needs little of the processor; its file goes then."""
        is_late = path.name.startswith((f"{self.target}-timeout-", f"{self.target}-slow-unit-"))
        waited = is_late and _runs(PROGRAM, self.target, path, HANG)
        if waited:
            path.unlink()
            load_dependent(f"fuzzing {self.target}: an input was only kept waiting")
        return waited

    def _files(self, folder: Path) -> set[Path]:
        """The inputs of this target's findings, beside which others write theirs."""
        return {path for path in folder.glob(f"{self.target}-*") if path.suffix != ".log"}

    def _fuzz(self, corpus: Path, prefix: Path, seconds: int) -> str:
        options = libfuzzer_options(self.target, self.seed, prefix) + timed_options(seconds)
        return _said([PROGRAM, self.target, *options, corpus], seconds + 4 * HANG)

    def _read(self, said: str) -> None:
        for executions, coverage in STATUS.findall(said)[-1:]:
            self.executions += int(executions)
            self.coverage = int(coverage)
        for state, count in REACHED.findall(said):
            self.reached[state] += int(count)

    def report(self) -> None:
        states = f", {len(self.reached)} states" if self.reached else ""
        print(
            f"{self.target}: {self.executions} executions, {self.coverage} edges{states}, {len(self.findings)} findings"
            f" (seed {self.seed})",
            flush=True,
        )
        for path in self.findings:
            print(f"  {path.relative_to(ROOT)}: Tests/fuzz --reproduce {path.relative_to(ROOT)}")


class FixedRun(Run):
    """One target's fuzzer for a number of executions, which are the same on every machine.

    What depends on time, on addresses or on earlier runs is left out: no limit of seconds, no scale by the time of an
    execution, kept inputs in an order of their own, and no corpus that grows.
    """

    def __init__(self, target: str, seed: int) -> None:
        super().__init__(target, 0, seed)
        self._folder = WORK / "fixed" / target

    def go(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        kept = self._write_inputs()
        inputs = self._folder / "list"
        inputs.write_text(",".join(map(str, kept)))
        wanted = len(kept) + TARGETS[self.target][1]
        options = libfuzzer_options(self.target, self.seed, self._folder / f"{self.target}-")
        options += [f"-runs={wanted}", f"-seed_inputs=@{inputs}"]
        options += [f"-timeout={FIXED_HANG}", f"-report_slow_units={FIXED_HANG}"]
        said = _said([PROGRAM, self.target, *options], None)
        self._read(said)
        self.findings = sorted(self._files(self._folder))
        log = self._folder / "log"
        log.write_text(said)
        if self.executions < wanted and not self.findings:
            print(
                f"{self.target}: it ended after {self.executions} of {wanted} executions, see {log.relative_to(ROOT)}"
            )
            self.executions = 0

    def _write_inputs(self) -> list[Path]:
        """Some of the kept inputs, each in a file."""
        inputs = unpack((PACKS / f"{self.target}.pack").read_bytes())
        paths = []
        for number in range(0, len(inputs), -(-len(inputs) // FIXED_SEEDS)):
            paths.append(self._folder / f"kept-{number:05}")
            paths[-1].write_bytes(inputs[number])
        return paths


def _said(command: list[str | Path], timeout: int | None) -> str:
    """What libFuzzer says on standard error until it ends, or until it is too late."""
    try:
        done = subprocess.run(
            # Without random places in memory, and with the same order of sets each time.
            ["setarch", "--addr-no-randomize", *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=timeout,
            check=False,
            env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"},
        )
    except subprocess.TimeoutExpired as error:
        return (error.stderr or b"").decode(errors="replace")
    return done.stderr.decode(errors="replace")


def fuzz(runs: list[Run], jobs: int) -> int:
    """Runs these, so many at a time; the status of the command."""

    def go(run: Run) -> None:
        run.go()
        run.report()

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(go, runs))
    for run in runs:
        if run.reached and run.target == "device":
            print("\n".join(f"  {count:8} {state}" for state, count in sorted(run.reached.items())))
    findings = sum(len(run.findings) for run in runs)
    print(f"{sum(run.executions for run in runs)} executions, {findings} findings")
    idle = [run.target for run in runs if run.executions == 0]
    for target in idle:
        print(f"{target}: no input was executed, so nothing is known of it", flush=True)
    return 1 if findings or idle else 0


def _runs(program: Path, target: str, path: Path, seconds: int) -> bool:
    """Whether an input, or a pack of them, ends well with so much of the processor; what it says is kept back."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    command = [program, target, path]
    try:
        # What waits and does not work is ended, too, on however busy a machine.
        done = subprocess.run(command, capture_output=True, timeout=10 * seconds, preexec_fn=limit, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _processor_time() -> float:
    """Seconds that programs have used which this one, or the shell before it, has run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def replay(targets: list[str], program: Path) -> int:
    """Runs each kept input once, without libFuzzer; each that does not end well is a finding with a file."""
    findings = []
    before = _processor_time()  # of the build, too
    for target in targets:
        packed = PACKS / f"{target}.pack"
        inputs = unpack(packed.read_bytes()) if packed.exists() else []
        if not inputs:
            print(f"{target}: no input is kept, so nothing is known of it")
            return 1
        if _runs(program, target, packed, REPLAY):
            print(f"{target}: {len(inputs)} inputs", flush=True)
            continue
        folder = WORK / "findings"
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(inputs):
            path = folder / f"{target}-kept-{number:05}"
            path.write_bytes(data)
            if _runs(program, target, path, HANG):
                path.unlink()
            else:
                findings.append(path)
        if not any(path.name.startswith(f"{target}-") for path in findings):
            print(f"{target}: each input ends well alone, but not all of them in {REPLAY} s")
            return 1
    for path in findings:
        print(f"  {path.relative_to(ROOT)}: Tests/fuzz --reproduce {path.relative_to(ROOT)}")
    seconds = _processor_time() - before
    print(f"{len(findings)} findings in {seconds:.0f} s of the processor")
    return 1 if findings else 0


def reproduce(path: Path) -> int:
    target = path.name.partition("-")[0]
    if target not in TARGETS:
        print(f"{path}: its name does not begin with one of {', '.join(TARGETS)}", file=sys.stderr)
        return 64
    return subprocess.run([PROGRAM, target, "--tell", path], check=False).returncode and 1


def minimise(targets: list[str]) -> int:
    """Keeps of each corpus what reaches something that nothing else does."""
    for target in targets:
        corpus, small = prepare_corpus(target), WORK / "minimised" / target
        small.mkdir(parents=True, exist_ok=True)
        for path in small.iterdir():
            path.unlink()
        subprocess.run([PROGRAM, target, "-set_cover_merge=1", small, corpus], stderr=subprocess.DEVNULL, check=True)
        inputs = [path.read_bytes() for path in small.iterdir()]
        PACKS.mkdir(exist_ok=True)
        (PACKS / f"{target}.pack").write_bytes(pack(inputs))
        print(f"{target}: {len(inputs)} inputs, {sum(map(len, inputs))} bytes")
    return 0


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Tests/fuzz", description="Fuzzes the firmware, target by target.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all of them without")
    parser.add_argument("--seconds", type=int, default=20, help="for each target")
    parser.add_argument("--seed", type=int, help="a fresh one without")
    parser.add_argument("--fixed", action="store_true", help="seed 1 and so many inputs: the same result each time")
    parser.add_argument("--jobs", type=int, default=2, help="targets side by side")
    parser.add_argument("--reproduce", type=Path, metavar="FILE", help="tell what a finding does")
    parser.add_argument("--replay", action="store_true", help="run what is kept once, without libFuzzer")
    parser.add_argument("--program", type=Path, default=REPLAYER, metavar="FILE", help="what --replay runs")
    parser.add_argument("--minimise", action="store_true", help="write the corpus again")
    options = parser.parse_intermixed_args(arguments)
    if unknown := set(options.targets) - set(TARGETS):
        parser.error(f"no target {' or '.join(sorted(unknown))}: there are {', '.join(TARGETS)}")
    return options


def main() -> int:
    options = parse(sys.argv[1:])
    targets = options.targets or list(TARGETS)
    if options.reproduce:
        return reproduce(options.reproduce)
    if options.replay:
        return replay(targets, options.program)
    if options.minimise:
        return minimise(targets)
    if options.fixed:
        return fuzz([FixedRun(target, options.seed or 1) for target in targets], options.jobs)
    seed = secrets.randbelow(2**31) if options.seed is None else options.seed
    print(f"seed {seed}, {options.seconds} s for each of {len(targets)} targets", flush=True)
    return fuzz([Run(target, options.seconds, seed) for target in targets], options.jobs)


if __name__ == "__main__":
    sys.exit(main())

"""Command line of the losses: the link is lost in mid-ride, and each recovery is timed."""

import argparse
import math
import shlex
import statistics
import sys
import time
from dataclasses import dataclass

from lenker_bench.commands.parser import Parser, positive
from lenker_bench.commands.values import whole
from lenker_bench.phone.kinds import KINDS
from lenker_bench.programs.building import build

from ..sessions.losses import SENSORS, Conditions, Losses, lose
from . import EXIT_FAILED, EXIT_OK, status_of

MOST = 0.95
# The kernel reads the program's file in runs of 16 pages, whenever it sees fit; that is no leak.
PAGE_RUN = 64  # KB


@dataclass(frozen=True)
class Limits:
    """Seconds from the phone's first advertisement: what most recoveries, 95 of 100 and all may take.

    `found` is the 95th percentile until the firmware connects.
    """

    median: float = 1.0
    late: float = math.inf
    found: float = math.inf
    slowest: float = 6.0


USUAL = {
    "ios": Limits(0.25, late=0.45),
    "ios-background": Limits(1.5, found=1.2),
    "android": Limits(0.25, late=0.45),
}


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="losses", description="Loses a remembered phone in mid-ride, and tells how long each recovery takes."
    )
    parser.add_argument("--count", metavar="N", type=whole, default=1000, help="recoveries to see (default: 1000)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of all that is random (default: 1)")
    parser.add_argument("--firmware", metavar="CMD", help="another way to run the firmware; default: build, then run")
    parser.add_argument("--kind", choices=list(KINDS), default="android", help="how the phone behaves")
    parser.add_argument("--jobs", metavar="N", type=whole, default=10, help="firmwares at a time (default: 10)")
    parser.add_argument(
        "--away", metavar="SECONDS", type=positive, default=0.0, help="how much longer than 0 to 0.5 s it is away"
    )
    names = ", ".join(SENSORS)
    parser.add_argument("--sensors", action="store_true", help=f"have a sensor of each kind linked: {names}")
    return parser.parse_args(arguments)


def percentile(values: list[float], part: float) -> float:
    """The smallest value that this fraction of all values does not exceed."""
    return sorted(values)[math.ceil(len(values) * part) - 1]


def failures(losses: Losses, count: int, limits: Limits) -> list[str]:
    """The limits that were missed."""
    found = [f"stuck: {message}" for message in losses.stuck]
    if losses.grown > PAGE_RUN:
        found.append(f"the memory grew by {losses.grown} KB, more than {PAGE_RUN}")
    if len(losses.shown) < count:
        found.append(f"{len(losses.shown)} of {count} recoveries")
    if not losses.shown:
        return found
    for what, seconds, limit in (
        ("the median", statistics.median(losses.shown), limits.median),
        ("the 95th percentile on the panel", percentile(losses.shown, MOST), limits.late),
        ("the 95th percentile until it connects", percentile(losses.found, MOST), limits.found),
        ("the longest recovery", max(losses.shown), limits.slowest),
    ):
        if seconds > limit:
            found.append(f"{what} is above {limit * 1000:.0f} ms")
    return found


def figures(name: str, values: list[float]) -> str:
    return (
        f"{name:12} median {statistics.median(values) * 1000:.0f} ms,"
        f" 95th percentile {percentile(values, MOST) * 1000:.0f} ms, longest {max(values) * 1000:.0f} ms"
    )


def lines(losses: Losses) -> list[str]:
    measured = {"connecting": losses.found, "link ready": losses.ready, "on the panel": losses.shown}
    rows = [figures(name, values) for name, values in measured.items() if values]
    rows.append(f"recoveries   {len(losses.shown)}, and the memory grew by {losses.grown} KB at most")
    return rows + [f"error        {count} × {message}" for message, count in losses.errors.most_common(5)]


async def run(options: argparse.Namespace) -> int:
    command = shlex.split(options.firmware) if options.firmware else await build()
    beside = " with sensors" if options.sensors else ""
    print(f"seed {options.seed}, {options.kind}{beside}, {options.count} recoveries by {options.jobs} firmwares")
    sys.stdout.flush()
    start = time.monotonic()
    conditions = Conditions(options.kind, options.away, options.sensors)
    losses = await lose(conditions, command, options.count, options.seed, options.jobs)
    print("\n".join([*lines(losses), f"took         {time.monotonic() - start:.0f} s"]))
    missed = failures(losses, options.count, USUAL.get(options.kind, Limits()))
    for message in missed:
        print(f"losses: {message}", file=sys.stderr)
    return EXIT_FAILED if missed else EXIT_OK


def main() -> int:
    return status_of("losses", run(parse(sys.argv[1:])))


if __name__ == "__main__":
    sys.exit(main())

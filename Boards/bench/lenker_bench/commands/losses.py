"""Command line of the losses: the link is lost at random moments, and each recovery is timed."""

import argparse
import asyncio
import logging
import math
import os
import shlex
import statistics
import sys
import time

from ..phone.kinds import KINDS
from ..programs.building import build
from ..programs.processes import StartError
from ..trials.losses import WARM_UP, Losses, lose
from .options import Parser, positive, whole

EXIT_OK, EXIT_FAILED = 0, 1
SLOW = 6.0  # seconds; no recovery may take longer
MEDIAN = 0.3  # seconds
# The kernel reads the program's file in runs of 16 pages, whenever it sees fit; that is no leak.
PAGE_RUN = 64  # KB


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="losses", description="Loses the link at random moments, and tells how long each recovery takes."
    )
    parser.add_argument("--count", metavar="N", type=whole, default=1000, help="recoveries to see (default: 1000)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of all that is random (default: 1)")
    parser.add_argument("--firmware", metavar="CMD", help="another way to run the firmware; default: build, then run")
    parser.add_argument("--kind", choices=list(KINDS), default="android", help="how the phone behaves")
    parser.add_argument("--jobs", metavar="N", type=whole, default=10, help="firmwares at a time (default: 10)")
    parser.add_argument(
        "--median", metavar="SECONDS", type=positive, default=MEDIAN, help=f"limit of the median (default: {MEDIAN})"
    )
    return parser.parse_args(arguments)


def percentile(values: list[float], part: float) -> float:
    """The smallest value that this fraction of all values does not exceed."""
    ordered = sorted(values)
    return ordered[math.ceil(len(ordered) * part) - 1]


def failures(losses: Losses, count: int, median: float, slowest: float = SLOW) -> list[str]:
    """The limits that were missed."""
    found = [f"stuck: {message}" for message in losses.stuck]
    if len(losses.shown) < count:
        found.append(f"{len(losses.shown)} of {count} recoveries")
    slow = sum(1 for seconds in losses.shown if seconds > slowest)
    if slow:
        found.append(f"{slow} recoveries took more than {slowest:g} s")
    if losses.shown and statistics.median(losses.shown) > median:
        found.append(f"the median is above {median * 1000:.0f} ms")
    if losses.memory_after - losses.memory_before > PAGE_RUN:
        found.append(f"the memory grew by more than a run of pages, {PAGE_RUN} KB")
    return found


def lines(losses: Losses) -> list[str]:
    rows = []
    for name, values in (("link ready", losses.ready), ("on the panel", losses.shown)):
        if values:
            rows.append(
                f"{name:12} median {statistics.median(values) * 1000:.0f} ms,"
                f" 95th percentile {percentile(values, 0.95) * 1000:.0f} ms, longest {max(values) * 1000:.0f} ms"
            )
    where = ", ".join(f"{count} while {moment}" for moment, count in losses.moments.most_common())
    slow = sum(1 for seconds in losses.shown if seconds > SLOW)
    rows += [
        f"losses       {losses.moments.total()}: {where}",
        f"recoveries   {len(losses.shown)}, cut short by the next loss {losses.cut_short}, above {SLOW:g} s {slow}",
    ]
    if losses.slow_moments:
        late = ", ".join(f"{count} lost while {moment}" for moment, count in losses.slow_moments.most_common())
        rows.append(f"above 1 s    {losses.slow_moments.total()}: {late}")
    rows.append(
        f"memory       {losses.memory_before} KB after {WARM_UP} recoveries, {losses.memory_after} KB at the end"
        f" (limit: {PAGE_RUN} KB more)"
    )
    rows += [f"error        {count} × {message}" for message, count in losses.errors.most_common(5)]
    return rows


async def run(options: argparse.Namespace) -> int:
    command = shlex.split(options.firmware) if options.firmware else await build()
    seed, kind = options.seed, options.kind
    print(f"seed {seed}, kind {kind}, {options.count} recoveries by {options.jobs} firmwares", flush=True)
    start = time.monotonic()
    losses = await lose(kind, command, options.count, seed, options.jobs)
    print("\n".join(lines(losses)))
    print(f"took         {time.monotonic() - start:.0f} s")
    missed = failures(losses, options.count, options.median)
    for message in missed:
        print(f"losses: {message}", file=sys.stderr)
    return EXIT_FAILED if missed else EXIT_OK


def main() -> int:
    options = parse(sys.argv[1:])
    logging.basicConfig(level=os.environ.get("BUMBLE_LOGLEVEL", "CRITICAL").upper())
    try:
        return asyncio.run(run(options))
    except StartError as error:
        print(f"losses: {error}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())

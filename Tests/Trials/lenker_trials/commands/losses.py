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
from dataclasses import dataclass, replace

from lenker_bench.commands.options import Parser, add_air_options, positive, whole
from lenker_bench.phone.kinds import KINDS
from lenker_bench.programs.building import build
from lenker_bench.programs.processes import StartError
from lenker_bench.wire.true_air import INSTANT, TRUE

from ..sessions.losses import SENSORS, WARM_UP, Conditions, Losses, Outcome, lose
from ..sessions.sensor_losses import SensorLosses, lose_sensors

EXIT_OK, EXIT_FAILED = 0, 1
SLOW = 6.0  # seconds; no recovery may take longer
GAP = 2.0  # seconds without an instruction, while the phone tells one each 0.4 s
MOST = 0.95
# The kernel reads the program's file in runs of 16 pages, whenever it sees fit; that is no leak.
PAGE_RUN = 64  # KB

LIMITS = {
    "median": "of the median, on the panel",
    "late": "of the 95th percentile, on the panel",
    "found": "of the 95th percentile, until the firmware connects",
}
"""What they are of, by their options."""


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="losses", description="Loses the link at random moments, and tells how long each recovery takes."
    )
    parser.add_argument("--count", metavar="N", type=whole, default=1000, help="recoveries to see (default: 1000)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of all that is random (default: 1)")
    parser.add_argument("--firmware", metavar="CMD", help="another way to run the firmware; default: build, then run")
    parser.add_argument("--kind", choices=list(KINDS), default="android", help="how the phone behaves")
    parser.add_argument("--jobs", metavar="N", type=whole, default=10, help="firmwares at a time (default: 10)")
    add_air_options(parser)
    parser.add_argument(
        "--remembered", action="store_true", help="pair with the phone first, and lose it in mid-ride only"
    )
    parser.add_argument(
        "--away", metavar="SECONDS", type=positive, default=0.0, help="how much longer than 0 to 0.5 s it is away"
    )
    parser.add_argument(
        "--warm-up", metavar="N", type=whole, default=WARM_UP, help=f"recoveries before these (default: {WARM_UP})"
    )
    names = ", ".join(SENSORS)
    parser.add_argument("--sensors", action="store_true", help=f"have a sensor of each kind linked: {names}")
    parser.add_argument(
        "--lose-sensors", action="store_true", help="lose these, now one and now another, and never the phone"
    )
    limits = parser.add_argument_group(
        "limits", "Seconds from the phone's first advertisement; Tests/Trials/README.md has the default ones."
    )
    for name, said in LIMITS.items():
        limits.add_argument(f"--{name}", metavar="SECONDS", type=positive, help=said)
    options = parser.parse_args(arguments)
    if options.lose_sensors:
        for name in ("remembered", "sensors", *LIMITS):
            if getattr(options, name):
                parser.error(f"--{name} is about a phone that is lost, and --lose-sensors loses none")
    return options


def percentile(values: list[float], part: float) -> float:
    """The smallest value that this fraction of all values does not exceed."""
    ordered = sorted(values)
    return ordered[math.ceil(len(ordered) * part) - 1]


@dataclass(frozen=True)
class Limits:
    """Seconds from the phone's first advertisement: what most recoveries, 95 of 100 and all may take."""

    median: float
    slowest: float = SLOW
    late: float | None = None
    found: float | None = None


MEDIANS = {INSTANT: 0.3, TRUE: 1.0}  # by the air, where nothing is said below
USUAL = {
    (INSTANT, "ios", False): Limits(0.15),
    (INSTANT, "android", False): Limits(0.23, late=0.7),
    (TRUE, "ios", True): Limits(0.25, late=0.45),
    (TRUE, "ios-background", True): Limits(1.5, found=1.2),
    (TRUE, "android", True): Limits(0.25, late=0.45),
}
"""By the air, the kind of phone, and whether it is remembered; for phones that advertise at their own interval."""


def usual_limits(options: argparse.Namespace) -> Limits:
    general = Limits(MEDIANS[options.air])
    if options.advertising_interval is not None:
        return general
    return USUAL.get((options.air, options.kind, options.remembered), general)


def limits_of(options: argparse.Namespace) -> Limits:
    """The usual ones, but for those that were given."""
    given = {name: getattr(options, name) for name in LIMITS if getattr(options, name) is not None}
    return replace(usual_limits(options), **given)


def common_failures(outcome: Outcome) -> list[str]:
    found = [f"stuck: {message}" for message in outcome.stuck]
    if outcome.memory_after - outcome.memory_before > PAGE_RUN:
        found.append(f"the memory grew by more than a run of pages, {PAGE_RUN} KB")
    return found


def sensor_failures(losses: SensorLosses, count: int) -> list[str]:
    """The limits that were missed where sensors were lost."""
    found = common_failures(losses)
    if len(losses.regained) < count:
        found.append(f"{len(losses.regained)} of {count} recoveries")
    if any(gap > GAP for gap in losses.gaps):
        found.append(f"the phone's ride had a gap of more than {GAP:g} s")
    return found


def failures(losses: Losses, count: int, limits: Limits) -> list[str]:
    """The limits that were missed."""
    found = common_failures(losses)
    if len(losses.shown) < count:
        found.append(f"{len(losses.shown)} of {count} recoveries")
    slow = sum(1 for seconds in losses.shown if seconds > limits.slowest)
    if slow:
        found.append(f"{slow} recoveries took more than {limits.slowest:g} s")
    if losses.shown and statistics.median(losses.shown) > limits.median:
        found.append(f"the median is above {limits.median * 1000:.0f} ms")
    if limits.late is not None and losses.shown and percentile(losses.shown, MOST) > limits.late:
        found.append(f"the 95th percentile on the panel is above {limits.late * 1000:.0f} ms")
    if limits.found is not None and losses.found and percentile(losses.found, MOST) > limits.found:
        found.append(f"the 95th percentile until it connects is above {limits.found * 1000:.0f} ms")
    return found


def figures(name: str, values: list[float]) -> str:
    return (
        f"{name:12} median {statistics.median(values) * 1000:.0f} ms,"
        f" 95th percentile {percentile(values, MOST) * 1000:.0f} ms, longest {max(values) * 1000:.0f} ms"
    )


def common_lines(outcome: Outcome) -> list[str]:
    memory = f"{outcome.memory_before} KB after the warm-up, {outcome.memory_after} KB at the end"
    errors = [f"error        {count} × {message}" for message, count in outcome.errors.most_common(5)]
    return [f"memory       {memory} (limit: {PAGE_RUN} KB more)", *errors]


def sensor_lines(losses: SensorLosses) -> list[str]:
    measured = {"values again": losses.regained, "ride's gaps": losses.gaps}
    rows = [figures(name, values) for name, values in measured.items() if values]
    kinds = ", ".join(f"{count} of {kind}" for kind, count in losses.kinds.most_common())
    return [*rows, f"recoveries   {len(losses.regained)}: {kinds}", *common_lines(losses)]


def lines(losses: Losses) -> list[str]:
    measured = {
        "first turn": losses.first,
        "connecting": losses.found,
        "link ready": losses.ready,
        "on the panel": losses.shown,
    }
    rows = [figures(name, values) for name, values in measured.items() if values]
    where = ", ".join(f"{count} while {moment}" for moment, count in losses.moments.most_common())
    slow = sum(1 for seconds in losses.shown if seconds > SLOW)
    rows += [
        f"losses       {losses.moments.total()}: {where}",
        f"recoveries   {len(losses.shown)}, cut short by the next loss {losses.cut_short}, above {SLOW:g} s {slow}",
    ]
    if losses.slow_moments:
        late = ", ".join(f"{count} lost while {moment}" for moment, count in losses.slow_moments.most_common())
        rows.append(f"above 1 s    {losses.slow_moments.total()}: {late}")
    return rows + common_lines(losses)


async def run(options: argparse.Namespace) -> int:
    command = shlex.split(options.firmware) if options.firmware else await build()
    seed, kind = options.seed, options.kind
    who = f"remembered {kind}" if options.remembered else kind
    beside = ", with sensors" if options.sensors else ", sensors are lost" if options.lose_sensors else ""
    count = f"{options.count} recoveries by {options.jobs} firmwares"
    print(f"seed {seed}, {options.air} air, {who}{beside}, {count}", flush=True)
    conditions = Conditions(
        options.air, options.advertising_interval, options.remembered, options.away, options.sensors
    )
    start = time.monotonic()
    asked = (kind, command, options.count, seed, options.jobs, options.warm_up, conditions)
    if options.lose_sensors:
        losses = await lose_sensors(*asked)
        said, missed = sensor_lines(losses), sensor_failures(losses, options.count)
    else:
        losses = await lose(*asked)
        said, missed = lines(losses), failures(losses, options.count, limits_of(options))
    print("\n".join(said))
    print(f"took         {time.monotonic() - start:.0f} s")
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

"""Command line of the faults: every fault at every step of a connection."""

import argparse
import asyncio
import logging
import os
import shlex
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator

from lenker_bench.commands.options import Parser, whole
from lenker_bench.programs.building import build
from lenker_bench.programs.processes import StartError

from ..sessions.crowd import crowd
from ..sessions.fault_cases import Case, Result, all_steps, can_lose_link, quiet_loop, run_case
from ..sessions.scenarios import SCENARIOS
from ..sessions.steps import text_of
from ..wire.faults import FAULTS

EXIT_OK, EXIT_FAILED = 0, 1
FEW = 10


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(prog="faults", description="Every fault at every step of a connection.")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of all that is random (default: 1)")
    parser.add_argument("--firmware", metavar="CMD", help="another way to run the firmware; default: build, then run")
    parser.add_argument("--kind", choices=list(FAULTS), action="append", help="this fault only; may be given again")
    parser.add_argument(
        "--session", choices=[scenario.name for scenario in SCENARIOS], help="the steps of this session only"
    )
    parser.add_argument("--only", metavar="STEP[/FAULT]", help="this step only, with all faults or one")
    parser.add_argument("--jobs", metavar="N", type=whole, default=150, help="sessions at a time (default: 150)")
    parser.add_argument("--list", action="store_true", help="print the steps, and put no faults")
    return parser.parse_args(arguments)


def cases(steps: list, options: argparse.Namespace) -> list[Case]:
    """Each step with each fault that can happen there."""
    only, _, only_fault = (options.only or "").partition("/")
    return [
        Case(scenario, step, fault)
        for scenario, step in steps
        for fault in FAULTS
        if not only or only == text_of(step)
        if options.session in (None, scenario.name)
        if not only_fault or only_fault == fault
        if not options.kind or fault in options.kind
        if fault != "lose-link" or can_lose_link(step)
    ]


async def results(todo: list[Case], command: list[str], seed: int, jobs: int) -> AsyncIterator[Result]:
    """Yields the results as they come; the cases with the longest bounds begin first.

    Many programs at a time may starve one of them: what fails in the crowd is tried again at the end with few
    beside it, unless too much fails to be the machine's fault.
    """
    failed: list[Result] = []
    async for result in crowd_of(todo, command, seed, jobs):
        if result.failure:
            failed.append(result)
        else:
            yield result
    if jobs > FEW and len(failed) * 10 <= len(todo):
        async for result in crowd_of([result.case for result in failed], command, seed, FEW):
            result.is_second = True
            yield result
    else:
        for result in failed:
            yield result


def crowd_of(todo: list[Case], command: list[str], seed: int, jobs: int) -> AsyncIterator[Result]:
    """Runs this many cases at a time and yields their results."""
    ordered = sorted(todo, key=lambda case: -case.bound.seconds)
    return crowd(ordered, lambda case: run_case(case, command, seed), jobs)


def row(result: Result) -> str:
    case = result.case
    shown, settled = (f"{value:6.2f}" if value is not None else "     –" for value in (result.shown, result.settled))
    outcome = "FAILED " + result.failure if result.failure else "error told" if result.errors else ""
    outcome += " (second try)" if result.is_second else ""
    session, step = case.scenario.name, text_of(case.step)
    return f"{session:14} {step:36} {case.fault:10} {shown} {settled} {case.bound.seconds:5.0f}  {outcome}".rstrip()


def sums(found: list[Result]) -> list[str]:
    """One line for each fault: the number of cases, the longest times and the failures."""
    lines = [f"{'fault':10} {'cases':>5} {'shown, worst':>12} {'settled, worst':>14} {'told':>5} {'failed':>6}"]
    for fault in FAULTS:
        own = [result for result in found if result.case.fault == fault]
        if own:
            shown = max((result.shown or 0 for result in own), default=0)
            settled = max((result.settled or 0 for result in own), default=0)
            told = sum(1 for result in own if result.errors)
            failed = sum(1 for result in own if result.failure)
            lines.append(f"{fault:10} {len(own):5} {shown:12.2f} {settled:14.2f} {told:5} {failed:6}")
    return lines


async def run(options: argparse.Namespace) -> int:
    command = shlex.split(options.firmware) if options.firmware else await build()
    start = time.monotonic()
    print(f"seed {options.seed}", flush=True)
    with quiet_loop():
        steps = await all_steps(command, options.seed)
        if options.list:
            print("\n".join(f"{scenario.name:14} {text_of(step)}" for scenario, step in steps))
            return EXIT_OK
        todo = cases(steps, options)
        if not todo:
            print(f"faults: there is no {options.only}; --list names the steps", file=sys.stderr)
            return EXIT_FAILED
        found: list[Result] = []
        print(f"{'session':14} {'step':36} {'fault':10} {'shown':>6} {'settled':>6} {'bound':>5}")
        async for result in results(todo, command, options.seed, options.jobs):
            found.append(result)
            print(row(result), flush=True)
    print("\n" + "\n".join(sums(found)))
    failed = [result for result in found if result.failure]
    took = time.monotonic() - start
    again = sum(1 for result in found if result.is_second)
    print(
        f"{len(steps)} steps, {len(found)} cases, {len(failed)} failed, {again} tried twice, {took:.0f} s,"
        f" seed {options.seed}"
    )
    for message, count in Counter(result.failure for result in failed).most_common(20):
        print(f"{count:5} × {message}")
    for result in failed:
        print(f"again: Tests/Trials/faults --seed {options.seed} --only {result.case.name}")
    return EXIT_FAILED if failed else EXIT_OK


def main() -> int:
    options = parse(sys.argv[1:])
    logging.basicConfig(level=os.environ.get("BUMBLE_LOGLEVEL", "CRITICAL").upper())
    try:
        return asyncio.run(run(options))
    except (StartError, TimeoutError) as error:
        print(f"faults: {error}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())

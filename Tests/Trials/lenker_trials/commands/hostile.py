"""Command line of the hostile sessions, one for each attack."""

import argparse
import asyncio
import functools
import shlex
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TypeVar

from lenker_bench.commands.parser import Parser
from lenker_bench.commands.values import whole
from lenker_bench.programs.building import build

from ..hostile import sensors, strangers
from ..hostile.case import Case, Result, run_case
from ..sessions.bench import quiet_loop
from . import EXIT_FAILED, EXIT_OK, status_of

FEW = 2
CASES = [*strangers.CASES, *sensors.CASES]
NAMES = {case.name: case for case in CASES}

Task = TypeVar("Task")
Found = TypeVar("Found")


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(prog="hostile", description="Each attack, and whether the program held.")
    parser.add_argument("cases", metavar="CASE", nargs="*", help="these only; --list names them (default: all)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of all that is random (default: 1)")
    parser.add_argument("--firmware", metavar="CMD", help="another way to run the firmware; default: build, then run")
    parser.add_argument("--jobs", metavar="N", type=whole, default=8, help="sessions at a time (default: 8)")
    parser.add_argument(
        "--list", action="store_true", help="print the table of the cases, with what must hold, and attack nobody"
    )
    options = parser.parse_args(arguments)
    for name in options.cases:
        if name not in NAMES:
            parser.error(f"there is no case '{name}'; --list names them")
    options.cases = [NAMES[name] for name in dict.fromkeys(options.cases)] or list(CASES)
    return options


def table(cases: Sequence[Case]) -> list[str]:
    """The cases, one a row."""
    rows = [f"| `{case.name}` | {case.behaviour} | {case.attack} | {case.held} |" for case in cases]
    return ["| case | behaviour | attack | holds if |", "|---|---|---|---|", *rows]


async def crowd(todo: Sequence[Task], run: Callable[[Task], Awaitable[Found]], jobs: int) -> AsyncIterator[Found]:
    """Runs this many at a time, in their order, and yields what is found as it comes."""
    waiting = iter(todo)
    done: asyncio.Queue[Found] = asyncio.Queue()

    async def work() -> None:
        for task in waiting:
            done.put_nowait(await run(task))

    async with asyncio.TaskGroup() as group:
        for _ in range(min(jobs, len(todo))):
            group.create_task(work())
        for _ in todo:
            yield await done.get()


async def results(todo: Sequence[Case], command: list[str], seed: int, jobs: int) -> AsyncIterator[Result]:
    """Yields the results as they come; what fails in the crowd is tried again with few beside it."""
    failed: list[Case] = []
    run = functools.partial(run_case, command=command, seed=seed)
    async for result in crowd(todo, run, jobs):
        if result.is_held or jobs <= FEW:
            yield result
        else:
            failed.append(result.case)
    async for result in crowd(failed, run, FEW):
        result.is_second = True
        yield result


def row(result: Result) -> str:
    held = "held" if result.is_held else "NOT HELD"
    again = " (second try)" if result.is_second else ""
    return f"{result.case.behaviour:>2} {result.case.name:34} {held:8}  {result.did}{again}"


async def run_cases(options: argparse.Namespace, command: list[str]) -> int:
    found: list[Result] = []
    start = time.monotonic()
    print(f"{'':2} {'attack':34} {'held':8}  what the program did")
    async for result in results(options.cases, command, options.seed, options.jobs):
        found.append(result)
        print(row(result), flush=True)
    missed = [result.case.name for result in found if not result.is_held]
    took = time.monotonic() - start
    print(f"{len(found)} cases, {len(missed)} not held, {took:.0f} s, seed {options.seed}")
    for name in missed:
        print(f"again: Tests/Trials/hostile {name} --seed {options.seed}")
    return EXIT_FAILED if missed else EXIT_OK


async def run(options: argparse.Namespace) -> int:
    if options.list:
        print("\n".join(table(options.cases)))
        return EXIT_OK
    command = shlex.split(options.firmware) if options.firmware else await build()
    print(f"seed {options.seed}", flush=True)
    with quiet_loop():
        return await run_cases(options, command)


def main() -> int:
    return status_of("hostile", run(parse(sys.argv[1:])))


if __name__ == "__main__":
    sys.exit(main())

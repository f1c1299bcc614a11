"""Command line of the hostile sessions, one for each attack."""

import argparse
import shlex
import sys
import time
from collections.abc import Sequence

from lenker_bench.commands.parser import Parser
from lenker_bench.programs.building import build

from ..hostile import sensors, strangers
from ..hostile.case import Case, Result, run_case
from ..sessions.bench import quiet_loop
from . import EXIT_FAILED, EXIT_OK, status_of

CASES = [*strangers.CASES, *sensors.CASES]
NAMES = {case.name: case for case in CASES}


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(prog="hostile", description="Each attack, and whether the program held.")
    parser.add_argument("cases", metavar="CASE", nargs="*", help="these only; --list names them (default: all)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of all that is random (default: 1)")
    parser.add_argument("--firmware", metavar="CMD", help="another way to run the firmware; default: build, then run")
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


def row(result: Result) -> str:
    held = "held" if result.is_held else "NOT HELD"
    return f"{result.case.behaviour:>3} {result.case.name:34} {held:8}  {result.did}"


async def run_cases(options: argparse.Namespace, command: list[str]) -> int:
    found: list[Result] = []
    start = time.monotonic()
    print(f"{'':3} {'attack':34} {'held':8}  what the program did")
    for case in options.cases:
        found.append(await run_case(case, command, options.seed))
        print(row(found[-1]), flush=True)
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

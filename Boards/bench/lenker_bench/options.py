"""Command-line options that the bench's programs share."""

import argparse
import sys
from pathlib import Path
from typing import NoReturn

from .kinds import KINDS

EXIT_USAGE = 64  # sysexits.h, as the firmware itself
OWN_RIDE = Path(__file__).resolve().parents[1] / "rides" / "lenker-tour.csv"


class Parser(argparse.ArgumentParser):
    """Ends with the firmware's exit status for bad arguments."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(EXIT_USAGE, f"{self.prog}: {message}\n")


def positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return number


def add_ride_options(parser: argparse.ArgumentParser) -> None:
    """What the phone does; the runner has them too."""
    parser.add_argument("--ride", metavar="FILE.csv", type=Path, default=OWN_RIDE, help="the ride (default: our own)")
    parser.add_argument("--kind", choices=list(KINDS), default="ios", help="how the phone behaves (default: ios)")
    parser.add_argument("--speed", metavar="N", type=positive, default=1.0, help="ride N times as fast")
    parser.add_argument("--drop-every", metavar="SECONDS", type=positive, help="lose the link again and again")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of all that is random (default: 1)")


def ride_arguments(options: argparse.Namespace) -> list[str]:
    """The same options once more, for a phone that is started as a process."""
    arguments = [f"--ride={options.ride}", f"--kind={options.kind}", f"--speed={options.speed}"]
    arguments.append(f"--seed={options.seed}")
    if options.drop_every is not None:
        arguments.append(f"--drop-every={options.drop_every}")
    return arguments

"""A command line whose mistakes are told as the firmware tells them."""

import argparse
import io
import sys
from typing import NoReturn

EXIT_USAGE = 64  # sysexits.h, as the firmware itself


class Parser(argparse.ArgumentParser):
    """Ends with the firmware's exit status for bad arguments.

    From here on, a letter that the terminal does not have is printed as a question mark instead of an error.
    """

    def __init__(self, **options: object) -> None:
        super().__init__(**options)
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")

    def parse_args(self, *arguments: object) -> argparse.Namespace:
        """Takes options before, between and behind the other arguments."""
        return self.parse_intermixed_args(*arguments)

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

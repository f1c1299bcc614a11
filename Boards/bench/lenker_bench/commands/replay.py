"""Command line of the replay: what a recorded run heard, played to the device of today."""

import argparse
import asyncio
import subprocess
import sys

from ..programs.building import build_replay
from ..programs.processes import StartError
from .parser import Parser

EXIT_FAILED = 1
EPILOG = """Exit status: 0 if the device of today sends the same packets; 1 if it sends others, each told with its time;
65 if FILE is no such recording; 66 if it cannot be read."""


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="replay",
        description="Plays a report, or a capture (btsnoop = file:PATH), to the device of today in virtual time.",
        epilog=EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="the report or the capture")
    parser.add_argument("settings", metavar="KEY=VALUE", nargs="*", help="a setting then that FILE does not tell")
    parser.add_argument("--out", metavar="DIR", help="a folder for pictures, events and the messages on the bus")
    return parser.parse_args(arguments)


def main() -> int:
    options = parse(sys.argv[1:])
    try:
        command = asyncio.run(build_replay())
    except StartError as error:
        print(f"replay: {error}", file=sys.stderr)
        return EXIT_FAILED
    out = ["--out", options.out] if options.out else []
    try:
        return subprocess.run([*command, *out, "--", options.file, *options.settings], check=False).returncode
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())

"""Command line of the virtual phone."""

import argparse
import asyncio
import contextlib
import logging
import os
import random
import signal
import sys
from pathlib import Path

from .air import Air
from .chip import Chip
from .h4 import AddressError, serve
from .kinds import KINDS
from .phone import Phone
from .report import Report
from .rides import RideError, Step, read_ride

FIRMWARE_ADDRESS = "B8:27:EB:4C:45:4E"
OWN_RIDE = Path(__file__).parent.parent / "rides" / "lenker-tour.csv"

EXIT_OK, EXIT_UNHEARD, EXIT_USAGE, EXIT_STOPPED = 0, 1, 64, 0


def positive(text: str) -> float:
    number = float(text)
    if not 0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not above 0")
    return number


def add_ride_options(parser: argparse.ArgumentParser) -> None:
    """The options that the runner hands on to the phone."""
    parser.add_argument("--ride", metavar="FILE.csv", type=Path, default=OWN_RIDE, help="the ride (default: our own)")
    parser.add_argument("--kind", choices=list(KINDS), default="ios", help="how the phone behaves (default: ios)")
    parser.add_argument("--speed", metavar="N", type=positive, default=1.0, help="ride N times as fast")
    parser.add_argument("--drop-every", metavar="SECONDS", type=positive, help="lose the link again and again")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of all that is random (default: 1)")


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="phone", description="A virtual phone that navigates, and a radio for the firmware.")
    parser.add_argument(
        "--hci",
        metavar="tcp-server:HOST:PORT",
        default="tcp-server:127.0.0.1:0",
        help="where the firmware finds its radio (default: any free port, see the first line)",
    )
    add_ride_options(parser)
    parser.add_argument("--pairing", choices=["none", "just-works", "compare"], default="none")
    options = parser.parse_args(arguments)
    if options.pairing != "none":
        parser.error(f"--pairing {options.pairing}: this phone does not pair; leave it out, or say none")
    return options


async def drop_repeatedly(phone: Phone, seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        phone.drop()


async def ride(options: argparse.Namespace, steps: list[Step]) -> int:
    report = Report()
    random_source = random.Random(options.seed)
    air = Air()
    firmware_chip = Chip(
        "firmware",
        air,
        FIRMWARE_ADDRESS,
        random_source,
        on_complaint=lambda message: report("complaint", message=message),
    )
    server, port = await serve(options.hci, firmware_chip, report)
    phone = Phone(air, KINDS[options.kind], steps, options.speed, random_source, report)
    await phone.start()
    report("ready", port=port, kind=options.kind, instructions=len(steps), seed=options.seed)

    riding = asyncio.create_task(phone.navigation.play())
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, riding.cancel)
    dropping = asyncio.create_task(drop_repeatedly(phone, options.drop_every)) if options.drop_every else None
    try:
        return EXIT_OK if await riding else EXIT_UNHEARD
    except asyncio.CancelledError:
        report("stopped")
        return EXIT_STOPPED
    finally:
        if dropping:
            dropping.cancel()
        server.close()
        with contextlib.suppress(asyncio.CancelledError):
            await phone.stop()


def main() -> int:
    options = parse(sys.argv[1:])
    logging.basicConfig(level=os.environ.get("BUMBLE_LOGLEVEL", "CRITICAL").upper())
    try:
        return asyncio.run(ride(options, read_ride(options.ride)))
    except (RideError, AddressError) as error:
        print(f"phone: {error}", file=sys.stderr)
        return EXIT_USAGE
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_UNHEARD


if __name__ == "__main__":
    sys.exit(main())

"""Command line of the virtual phone."""

import argparse
import asyncio
import contextlib
import logging
import os
import random
import signal
import sys

from .air import Air
from .chip import Chip
from .h4 import AddressError, FirmwareServer
from .kinds import KINDS
from .options import EXIT_USAGE, Parser, add_ride_options
from .phone import Phone
from .report import Report
from .rides import RideError, Step, read_ride

FIRMWARE_ADDRESS = "B8:27:EB:4C:45:4E"

EXIT_OK, EXIT_UNHEARD = 0, 1
FAREWELL = 2.0  # seconds that the radio stays after the ride, for a firmware that wants to leave it first


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(prog="phone", description="A virtual phone that navigates, and a radio for the firmware.")
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
    server = FirmwareServer(firmware_chip, report)
    await server.start(options.hci)
    phone = Phone(air, KINDS[options.kind], steps, options.speed, random_source, report)
    await phone.start()
    report("ready", port=server.port, kind=options.kind, instructions=len(steps), seed=options.seed)

    riding = asyncio.create_task(phone.navigation.play())
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, riding.cancel)
    dropping = asyncio.create_task(drop_repeatedly(phone, options.drop_every)) if options.drop_every else None
    try:
        is_heard = await riding
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await server.is_idle.wait()
        return EXIT_OK if is_heard else EXIT_UNHEARD
    except asyncio.CancelledError:
        report("stopped")
        return EXIT_OK
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

"""Command line of the street: a radio for a program that scans, without any phone."""

import argparse
import asyncio
import contextlib
import logging
import os
import random
import signal
import sys
from pathlib import Path

from ..programs.report import Report
from ..street.peripheral import BEHAVIOURS, FAILS, Behaviour, Peripheral, PeripheralError
from ..street.street import SentFile, StreetError, street_of
from ..wire.h4 import AddressError, FirmwareServer
from ..wire.mute_peers import ChipWithMutePeers
from ..wire.true_air import AIRS
from .options import (
    add_air_option,
    add_hci_option,
    add_radio_options,
    add_street_options,
    beacon_choices,
    chip_of,
)
from .parser import EXIT_USAGE, Parser, positive
from .phone import FIRMWARE_ADDRESS

EXIT_OK, EXIT_UNHEARD = 0, 1


def behaviour(text: str) -> Behaviour:
    try:
        return Behaviour.parsed(text)
    except PeripheralError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(prog="street", description="A radio, and who advertises around it, for a program that scans.")
    add_hci_option(parser)
    add_street_options(parser)
    parser.add_argument(
        "--rate", metavar="N", type=positive, help="let the devices of the street advertise N times a second together"
    )
    parser.add_argument(
        "--gatt",
        metavar="HOW",
        dest="devices",
        type=behaviour,
        nargs="?",
        const=Behaviour(),
        action="append",
        default=[],
        help="add a connectable device with services, which "
        + "; ".join(f"{how}: {text}" for how, text in BEHAVIOURS.items())
        + " (default: answers); may be given again",
    )
    parser.add_argument("--seconds", metavar="N", type=positive, help="end after N seconds (default: when interrupted)")
    parser.add_argument("--sent", metavar="FILE", type=Path, help="write all that is on the air to this file, as JSON")
    add_radio_options(parser)
    add_air_option(parser)
    options = parser.parse_args(arguments)
    if not (options.street or options.beacons or options.devices):
        parser.error("nobody is on the air: add --street, --beacon or --gatt")
    if options.rate is not None and not options.street:
        parser.error("--rate: whose? Add --street N")
    if options.seconds is None and any(choice.signal.needs_end for choice in beacon_choices(options)):
        parser.error("--beacon: the last change of a signal has no end without --seconds")
    return options


def opened(path: Path, report: Report) -> SentFile:
    """Raises `StreetError`."""
    try:
        return SentFile(path, report.seconds)
    except OSError as error:
        raise StreetError(f"{path}: {error.strerror}") from error


async def stand(options: argparse.Namespace) -> int:
    """Keeps the radio up until its time is over, or until somebody ends it. Raises what its parts raise."""
    report = Report()
    air = AIRS[options.air](options.seed)
    chip = ChipWithMutePeers(
        "firmware",
        air,
        FIRMWARE_ADDRESS,
        random.Random(options.seed),
        on_complaint=lambda message: report("complaint", message=message),
        kind=chip_of(options),
    )
    end = options.seconds or 0.0
    street = street_of(air, options.street, beacon_choices(options), options.seed, end, options.rate)
    server = FirmwareServer(chip, report)
    await server.start(options.hci)
    sources = [random.Random(f"{options.seed} device {number}") for number, _ in enumerate(options.devices)]
    devices = [
        Peripheral(air, chosen, chip, source, report) for chosen, source in zip(options.devices, sources, strict=True)
    ]
    chip.mute_peers = {device.chip for device in devices if device.behaviour.how == FAILS}
    ending = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    with contextlib.ExitStack() as stack:
        if options.sent is not None:
            file = stack.enter_context(contextlib.closing(opened(options.sent, report)))
            chip.scanner.on_pdu = file.write
        for device in devices:
            await device.start()
        street.start()
        report("ready", port=server.port, seed=options.seed)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(options.seconds):
                await ending.wait()
        street.stop()
        report("street", **street.figures(chip))
        server.close()
        for device in devices:
            await device.stop()
    report("stopped")
    return EXIT_OK


def main() -> int:
    options = parse(sys.argv[1:])
    logging.basicConfig(level=os.environ.get("BUMBLE_LOGLEVEL", "CRITICAL").upper())
    try:
        return asyncio.run(stand(options))
    except (StreetError, AddressError) as error:
        print(f"street: {error}", file=sys.stderr)
        return EXIT_USAGE
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_UNHEARD


if __name__ == "__main__":
    sys.exit(main())

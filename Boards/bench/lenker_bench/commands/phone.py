"""Command line of the virtual phone."""

import argparse
import asyncio
import contextlib
import logging
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine

from ..phone.clock import Clock, ClockChoice
from ..phone.gadgetbridge import Gadgetbridge
from ..phone.habits import Habit
from ..phone.kinds import ALL_KINDS
from ..phone.music import Music
from ..phone.navigation import Navigation
from ..phone.navigators import KOMOOT, SAYING
from ..phone.notifications import Habits, Notifications
from ..phone.pairing import KeysError, PairingHabits, bonds_in
from ..phone.phone import FIRMWARE_ADDRESS, Phone
from ..phone.rides import RideError, Step, read_ride
from ..phone.strangers import stranger
from ..programs.processes import StartError
from ..programs.report import Report
from ..programs.rootcanal import running_rootcanal
from ..sensors.sensor import sensors_of
from ..street.street import street_of
from ..wire.air import Air
from ..wire.chip import Chip
from ..wire.h4 import AddressError, FirmwareServer
from ..wire.rootcanal import Radio, RootCanal
from ..wire.true_air import AIRS
from .options import (
    AT_ONCE,
    NEVER,
    ROOTCANAL,
    add_hci_option,
    add_ride_options,
    beacon_choices,
    check_controller_options,
    check_pairing_options,
    chip_of,
    complete_app_options,
)
from .parser import EXIT_USAGE, Parser

EXIT_OK, EXIT_UNHEARD = 0, 1
NOTICED_AFTER = 3.0  # seconds until the rider has pulled a notification down
FAREWELL = 2.0  # seconds that the radio stays after the ride, so that the firmware can leave it first


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(prog="phone", description="A virtual phone that navigates, and a radio for the firmware.")
    add_hci_option(parser)
    add_ride_options(parser)
    options = parser.parse_args(arguments)
    complete_app_options(parser, options)
    check_pairing_options(parser, options)
    check_controller_options(parser, options)
    return options


async def repeat(seconds: float, action: Callable[[], None]) -> None:
    while True:
        await asyncio.sleep(seconds)
        action()


async def pause_repeatedly(navigation: Navigation, every: float, seconds: float) -> None:
    while True:
        await asyncio.sleep(every)
        navigation.pause()
        await asyncio.sleep(seconds)
        navigation.resume()


def troubles(phone: Phone, options: argparse.Namespace) -> list[Coroutine]:
    """The troubles of the ride that recur."""
    found: list[Coroutine] = []
    if options.drop_every is not None:
        found.append(repeat(options.drop_every, phone.drop))
    if options.move_every is not None:
        found.append(repeat(options.move_every, phone.move_service))
    if options.pause_every is not None:
        found.append(pause_repeatedly(phone.navigation, options.pause_every, options.pause))
    return found


async def pairing_habits(options: argparse.Namespace) -> PairingHabits:
    """Raises `KeysError`."""
    habits = PairingHabits(options.pairing, options.answer, options.answer_after or 0.0)
    if Habit.PAIRING_NOTIFICATION in options.habits:
        habits.asked_for = NOTICED_AFTER
    if options.bonds is not None:
        habits.bonds = await bonds_in(options.bonds, f"phone {options.seed}")
    return habits


def length_of(options: argparse.Namespace, steps: list[Step]) -> float:
    """How many seconds all rides take, if each instruction is heard at once."""
    one = steps[-1].milliseconds / 1000 / options.speed
    return options.rides * one + (options.rides - 1) * options.pause


@contextlib.asynccontextmanager
async def controllers(
    options: argparse.Namespace, random_source: random.Random, report: Report
) -> AsyncIterator[tuple[Air | RootCanal, Chip | Radio]]:
    """The air, and the firmware's controller on it. Raises `StartError`."""

    def complain(message: str) -> None:
        report("complaint", message=message)

    air = AIRS[options.air](options.seed)
    if options.controller == ROOTCANAL:
        async with running_rootcanal(air.advertising_interval) as canal:
            yield canal, canal.radio(complain)
    else:
        yield air, Chip("firmware", air, FIRMWARE_ADDRESS, random_source, complain, chip_of(options))


async def riding_of(phone: Phone, options: argparse.Namespace, steps: list[Step]) -> bool:
    """All rides, by the app that is asked for."""
    if options.app != KOMOOT:
        turns = SAYING[options.app](steps, options.speed)
        return await phone.ride_by(turns, options.rides, options.pause)
    if options.komoot == NEVER:
        await asyncio.get_running_loop().create_future()
    if options.komoot != AT_ONCE:
        await asyncio.sleep(float(options.komoot))
        phone.offer_service()
    return await phone.ride(options.rides, options.pause)


async def ride(options: argparse.Namespace, steps: list[Step]) -> int:
    report, random_source = Report(), random.Random(options.seed)
    async with controllers(options, random_source, report) as (air, firmware_chip):
        server = FirmwareServer(firmware_chip, report)
        await server.start(options.hci)
        return await ride_with(options, steps, air, server, random_source)


async def ride_with(
    options: argparse.Namespace,
    steps: list[Step],
    air: Air | RootCanal,
    server: FirmwareServer,
    random_source: random.Random,
) -> int:
    report = server.report
    kind, habits = ALL_KINDS[options.kind], await pairing_habits(options)
    strange = frozenset(Habit(name) for name in options.habits)
    phone = Phone(
        air,
        kind,
        steps,
        options.speed,
        random_source,
        report,
        habits,
        address_lifetime=options.address_lifetime,
        advertising_interval=options.advertising_interval,
        clock=Clock(ClockChoice.parsed(options.clock)),
        music=Music(options.music, strange),
        notifications=Notifications(Habits.parsed(options.notifications), strange),
        habits=strange,
        gadgetbridge=Gadgetbridge() if options.app != KOMOOT else None,
        has_komoot=options.komoot == AT_ONCE,
    )
    await phone.start()
    if options.forget:
        await phone.security.forget()
    riding = asyncio.create_task(riding_of(phone, options, steps))
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, riding.cancel)
    report("ready", port=server.port, kind=options.kind, instructions=len(steps), seed=options.seed)

    troubling = [asyncio.create_task(trouble) for trouble in troubles(phone, options)]
    others = [stranger(air, kind, options.seed, report, options.pairing)] if options.stranger else []
    for other in others:
        await other.start()
        troubling.append(asyncio.create_task(other.navigation.play()))
    sensors = sensors_of(air, options.sensors, steps, options.seed, report)
    for sensor in sensors:
        await sensor.start()
    end = length_of(options, steps)
    street = street_of(air, options.street, beacon_choices(options), options.seed, end)
    street.start()
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
        # It ends: a signal that came while its loop is closed would be an error of Python's.
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
        for trouble in troubling:
            trouble.cancel()
        server.close()
        street.stop()
        if street.senders:
            report("street", **street.figures(server.chip))
        for found in (phone, *others, *sensors):
            with contextlib.suppress(asyncio.CancelledError):
                await found.stop()


def main() -> int:
    options = parse(sys.argv[1:])
    logging.basicConfig(level=os.environ.get("BUMBLE_LOGLEVEL", "CRITICAL").upper())
    try:
        return asyncio.run(ride(options, read_ride(options.ride)))
    except (RideError, AddressError, KeysError) as error:
        print(f"phone: {error}", file=sys.stderr)
        return EXIT_USAGE
    except StartError as error:
        print(f"phone: {error}", file=sys.stderr)
        return EXIT_UNHEARD
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_UNHEARD


if __name__ == "__main__":
    sys.exit(main())

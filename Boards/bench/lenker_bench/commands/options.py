"""Command-line options that the bench's programs share."""

import argparse
from pathlib import Path

from ..phone.clock import DEFAULT as USUAL_TIME
from ..phone.habits import Habit
from ..phone.kinds import ALL_KINDS
from ..phone.music import NONE as NO_MUSIC
from ..phone.music import WAYS
from ..phone.navigators import APPS, KOMOOT, OSMAND
from ..phone.notifications import NONE as NO_NOTIFICATIONS
from ..phone.pairing import ANSWERS, JUST_WORKS, MODES, NONE
from ..phone.rides import OWN_RIDE
from ..programs.rootcanal import MissingError
from ..programs.rootcanal import program as rootcanal_program
from ..street.beacons import BeaconChoice
from ..street.street import MOST
from ..wire.chip_kinds import BCM43430A1, LACKING, ChipKind, LinkRefusal
from ..wire.chip_kinds import KINDS as CHIPS
from ..wire.true_air import AIRS, TRUE
from .parser import positive
from .values import (
    AT_ONCE,
    NEVER,
    advertising_interval,
    beacon,
    clock,
    devices,
    habits,
    komoot_time,
    links,
    sensor,
    whole,
)

BUMBLE, ROOTCANAL = CONTROLLERS = ("bumble", "rootcanal")


def chip_of(options: argparse.Namespace) -> ChipKind:
    """The kind that `--chip` and `--links` ask for."""
    kind = CHIPS[options.chip].lacking(*options.lacks)
    if options.links is None:
        return kind
    limit, _, refusal = options.links.partition(":")
    return kind.holding(int(limit), LinkRefusal(refusal) if refusal else kind.link_refusal)


def complete_app_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Adds what follows from the kind of phone. Ends with an error if it has no such app."""
    if options.kind is None:
        options.kind = "ios" if options.app in (None, KOMOOT) else "android"
    kind = ALL_KINDS[options.kind]
    if options.app is None:
        options.app = OSMAND if kind.comes and kind.maker == "android" else KOMOOT
    if options.komoot is None:
        options.komoot = NEVER if kind.comes else AT_ONCE
    if options.pairing is None:
        options.pairing = JUST_WORKS if kind.comes or options.app != KOMOOT else NONE
    if options.app != KOMOOT and kind.maker != "android":
        parser.error(f"--app {options.app}: Gadgetbridge is an app for Android, so it takes --kind android")


def add_hci_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--hci",
        metavar="tcp-server:HOST:PORT",
        default="tcp-server:127.0.0.1:0",
        help="where the firmware finds its radio (default: any free port, see the first line)",
    )


def add_ride_options(parser: argparse.ArgumentParser) -> None:
    """Adds what the phone does; `run` has these options, too."""
    parser.add_argument("--ride", metavar="FILE.csv", type=Path, default=OWN_RIDE, help="the ride (default: our own)")
    parser.add_argument(
        "--kind",
        choices=list(ALL_KINDS),
        help=f"how the phone behaves (default: ios, with --app other than {KOMOOT} android)",
    )
    parser.add_argument(
        "--app",
        choices=APPS,
        help="whose turns they are; those of others than komoot come by Gadgetbridge, from an Android phone "
        f"(default: {KOMOOT}, with --kind gadgetbridge {OSMAND})",
    )
    parser.add_argument(
        "--komoot",
        metavar="WHEN",
        type=komoot_time,
        help=f"when komoot's service is there: {AT_ONCE}, {NEVER}, or after that many seconds "
        f"(default: {AT_ONCE}, with a phone that makes the link itself {NEVER})",
    )
    parser.add_argument("--speed", metavar="N", type=positive, default=1.0, help="ride N times as fast")
    parser.add_argument("--rides", metavar="N", type=whole, default=1, help="ride N times, with pauses in between")
    parser.add_argument(
        "--pause", metavar="SECONDS", type=positive, default=10.0, help="how long each pause is (default: 10)"
    )
    parser.add_argument("--pause-every", metavar="SECONDS", type=positive, help="pause the ride every so often")
    parser.add_argument("--drop-every", metavar="SECONDS", type=positive, help="lose the link every so often")
    parser.add_argument(
        "--move-every", metavar="SECONDS", type=positive, help="give the app's service other handles every so often"
    )
    parser.add_argument(
        "--clock",
        metavar="TIME",
        type=clock,
        default=USUAL_TIME,
        help=f"what an iPhone's clock shows at the start, none or refused (default: {USUAL_TIME})",
    )
    parser.add_argument(
        "--music", choices=WAYS, default=NO_MUSIC, help=f"whether an iPhone tells what it plays (default: {NO_MUSIC})"
    )
    parser.add_argument(
        "--notifications",
        metavar="HABIT,…",
        type=habits,
        default=NO_NOTIFICATIONS,
        help="what an iPhone notifies of, and how: every=5, call=20, old=3, part=1, error=3, allowed=30, silent "
        f"(default: {NO_NOTIFICATIONS})",
    )
    parser.add_argument(
        "--habit",
        dest="habits",
        choices=[habit.value for habit in Habit],
        action="append",
        default=[],
        help="a habit that phones have elsewhere; may be given again",
    )
    parser.add_argument(
        "--controller",
        choices=CONTROLLERS,
        default=BUMBLE,
        help=f"whose virtual controllers the radios are, of which {ROOTCANAL}'s have their own air (default: {BUMBLE})",
    )
    add_radio_options(parser)
    parser.add_argument(
        "--sensor",
        metavar="KIND[:NAME=VALUE,…]",
        dest="sensors",
        type=sensor,
        action="append",
        default=[],
        help="add a sensor to the air: heart, speed, cadence, power or radar, with value=, rssi=, battery=, name=, "
        "habit= and file=; may be given again",
    )
    add_street_options(parser)
    add_air_options(parser)
    add_pairing_options(parser)


def add_radio_options(parser: argparse.ArgumentParser) -> None:
    """Adds the firmware's radio, and the seed of all that is random."""
    parser.add_argument(
        "--seed",
        metavar="N",
        type=int,
        default=1,
        help="seed of the random numbers, and so who is on the air (default: 1)",
    )
    parser.add_argument(
        "--chip",
        choices=list(CHIPS),
        default=BCM43430A1.name,
        help=f"what the firmware's radio says that it is (default: {BCM43430A1.name})",
    )
    parser.add_argument(
        "--links",
        metavar="N[:HOW]",
        type=links,
        help="its number of links, and how it refuses one more: status, complete or states (default: as the chip)",
    )
    parser.add_argument(
        "--lacks",
        choices=list(LACKING),
        action="append",
        default=[],
        help="what it cannot do while it advertises, or be a peripheral beside; may be given again",
    )


def add_street_options(parser: argparse.ArgumentParser) -> None:
    """Adds who else is on the air, and only advertises."""
    parser.add_argument(
        "--street",
        metavar="N",
        type=devices,
        default=0,
        help=f"add N devices that advertise as those of a busy street do, at most {MOST}",
    )
    parser.add_argument(
        "--beacon",
        metavar="UUID/MAJOR/MINOR@dBm",
        dest="beacons",
        type=beacon,
        action="append",
        default=[],
        help="add an iBeacon that is heard so strong; -60..-95, -60,30s:-90, off and ~3 make it change; may be given "
        "again",
    )


def beacon_choices(options: argparse.Namespace) -> list[BeaconChoice]:
    return [BeaconChoice.parsed(text) for text in options.beacons]


def add_air_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--air",
        choices=list(AIRS),
        default=TRUE,
        help="connection events and the intervals of real phones, or no waiting at all (default: true)",
    )


def add_air_options(parser: argparse.ArgumentParser) -> None:
    """Adds what is between the radios, and how often the phone is to be heard there."""
    add_air_option(parser)
    parser.add_argument(
        "--advertising-interval",
        metavar="MS",
        type=advertising_interval,
        help="how often the phone advertises (default: as its kind does, or every 100 ms on the instant air)",
    )


def add_pairing_options(parser: argparse.ArgumentParser) -> None:
    """Adds how the phone pairs, what it remembers, and who else is near."""
    parser.add_argument(
        "--pairing",
        choices=MODES,
        help=f"how the phone pairs (default: {NONE}; {JUST_WORKS} where nothing is told without it)",
    )
    parser.add_argument(
        "--answer",
        choices=ANSWERS,
        default="yes",
        help="what its rider says when asked whether the numbers are the same",
    )
    parser.add_argument("--answer-after", metavar="SECONDS", type=positive, help="how long its rider takes to answer")
    parser.add_argument(
        "--keys", metavar="FILE", dest="bonds", type=Path, help="where the phone remembers its bonds (default: nowhere)"
    )
    parser.add_argument("--forget", action="store_true", help="forget all bonds in that file first")
    parser.add_argument(
        "--address-lifetime", metavar="SECONDS", type=positive, help="how long it keeps its address (default: 900)"
    )
    parser.add_argument("--stranger", action="store_true", help="add another rider's phone that is nearer")


def check_pairing_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Ends with an error if options do not fit together."""
    if options.pairing != "compare" and (options.answer != "yes" or options.answer_after is not None):
        parser.error("nobody asks the phone's rider without --pairing compare")
    if options.forget and options.bonds is None:
        parser.error("--forget: nothing to forget without --keys FILE")


def check_controller_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Ends with an error if RootCanal is wanted and is not here, or cannot do what else is wanted."""
    if options.controller != ROOTCANAL:
        return
    asked = {
        "--chip": options.chip != BCM43430A1.name,
        "--links": options.links is not None,
        "--lacks": bool(options.lacks),
        "--street": options.street > 0,
        "--beacon": bool(options.beacons),
    }
    for name, is_asked in asked.items():
        if is_asked:
            parser.error(f"{name} takes --controller {BUMBLE}")
    try:
        rootcanal_program()
    except MissingError as error:
        parser.error(f"--controller {ROOTCANAL}: {error}")


VALUES = (
    *("ride", "kind", "app", "komoot", "speed", "seed", "rides", "pause", "pause_every", "drop_every", "move_every"),
    *("controller", "chip", "links", "air", "advertising_interval", "clock", "music", "notifications"),
    *("pairing", "answer", "answer_after", "address_lifetime"),
)


def ride_arguments(options: argparse.Namespace) -> list[str]:
    """The same options as arguments, for a phone that is started as a process."""
    values = {name.replace("_", "-"): getattr(options, name) for name in VALUES}
    values |= {"street": options.street or None, "keys": options.bonds}
    lists = {"habit": options.habits, "lacks": options.lacks, "sensor": options.sensors, "beacon": options.beacons}
    flags = {"forget": options.forget, "stranger": options.stranger}
    return [
        *(f"--{name}={value}" for name, value in values.items() if value is not None),
        *(f"--{name}={text}" for name, texts in lists.items() for text in texts),
        *(f"--{name}" for name, is_set in flags.items() if is_set),
    ]

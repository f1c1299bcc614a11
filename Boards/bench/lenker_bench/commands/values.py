"""Values of options, as they are written."""

import argparse
from collections.abc import Callable

from ..phone.clock import ClockChoice, ClockError
from ..phone.notifications import Habits, HabitsError
from ..sensors.sensor import SensorChoice, SensorError
from ..street.beacons import BeaconChoice, BeaconError
from ..street.street import MOST
from ..wire.chip_kinds import LinkRefusal
from .parser import positive

AT_ONCE, NEVER = "at-once", "never"
ADVERTISING_INTERVALS = 20, 10240  # milliseconds; Core Specification, Vol 4, Part E, 7.8.5


def whole(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return int(text)


def links(text: str) -> str:
    """The text itself, once it is sure that `chip_of` can read it."""
    number, _, refusal = text.partition(":")
    limit = whole(number)
    words = [each.value for each in LinkRefusal]
    if refusal and refusal not in words:
        raise argparse.ArgumentTypeError(f"'{refusal}' is no way to refuse a link: choose {', '.join(words)}")
    if refusal == LinkRefusal.STATES.value and limit > 1:
        raise argparse.ArgumentTypeError(f"'{text}': a chip's states can tell of one link or of many, not of {limit}")
    return text


def advertising_interval(text: str) -> float:
    number = positive(text)
    shortest, longest = ADVERTISING_INTERVALS
    if not shortest <= number <= longest:
        raise argparse.ArgumentTypeError(f"'{text}' is not an interval of {shortest} to {longest} ms")
    return number


def komoot_time(text: str) -> str:
    """The same text, if it says when."""
    if text not in (AT_ONCE, NEVER):
        positive(text)
    return text


def devices(text: str) -> int:
    number = whole(text)
    if number > MOST:
        raise argparse.ArgumentTypeError(f"'{text}': at most {MOST}")
    return number


def checked(parse: Callable[[str], object], error: type[Exception]) -> Callable[[str], str]:
    """What takes a text that can be parsed, and returns the text itself."""

    def check(text: str) -> str:
        try:
            parse(text)
        except error as found:
            raise argparse.ArgumentTypeError(str(found)) from found
        return text

    return check


sensor = checked(SensorChoice.parsed, SensorError)
clock = checked(ClockChoice.parsed, ClockError)
habits = checked(Habits.parsed, HabitsError)
beacon = checked(BeaconChoice.parsed, BeaconError)

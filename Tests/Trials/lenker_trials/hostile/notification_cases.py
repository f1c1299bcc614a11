"""Claims of strangers, and odd notifications of the rider's iPhone; `hostile_cases.CASES` has them among all others.

All texts are invented.
"""

import functools
from collections.abc import Iterator

from lenker_bench.phone.kinds import IOS
from lenker_bench.phone.pairing import JUST_WORKS, NONE

from . import notifications as plays
from .case import Case, Play
from .music import TITLES, told_titles_without_end
from .notifications import Spoil

RIDE_GOES_ON = "the ride goes on, on the same link"
HEADER = 5  # bytes in front of the first attribute
TOO_LONG, ENDLESS = 600, 60_000  # bytes
UNASKED = 7


def _attribute(number: int, text: bytes) -> bytes:
    return bytes([number]) + len(text).to_bytes(2, "little") + text


BAD_ANSWERS: dict[str, tuple[str, Spoil]] = {
    "cut": ("lacks its last byte", lambda answer: answer[:-1]),
    "lies": ("says that its title has 65,535 bytes", lambda answer: answer[: HEADER + 1] + b"\xff\xff" + answer[8:]),
    "another": ("is that of another one", lambda answer: answer[:1] + b"\xee" + answer[2:]),
    "message-only": ("has its message alone, ten times", lambda answer: answer[:HEADER] + _attribute(3, b"no") * 10),
}

STRANGE_ANSWERS: dict[str, tuple[str, Spoil]] = {
    "twice": ("has two names", lambda answer: answer + _attribute(1, b"Somebody else")),
    "unasked": (
        "has attributes first that were not asked for",
        lambda answer: answer[:HEADER] + _attribute(UNASKED, b"Accept") + _attribute(UNASKED, b"") + answer[HEADER:],
    ),
    "endless": (
        f"has one of {ENDLESS} bytes first",
        lambda answer: answer[:HEADER] + _attribute(UNASKED, bytes(ENDLESS)) + answer[HEADER:],
    ),
    "more": (f"goes on for {TOO_LONG} bytes behind its end", lambda answer: answer + b"!" * TOO_LONG),
}


def _claims() -> Iterator[Case]:
    for name, mode in (("can show no code", JUST_WORKS), ("refuses to pair", NONE)):
        yield Case(
            f"claims-before-the-answer-{mode}",
            0,
            f"a stranger that {name}, with a clock, music and calls",
            "the rider is asked, the stranger is not",
            functools.partial(plays.claimed_and_declined, mode=mode),
            begins_alone=True,
            tells=True,
        )


def _answers() -> Iterator[Case]:
    bad = "nothing is shown of it, the next call is; " + RIDE_GOES_ON
    for name, (what, spoil) in BAD_ANSWERS.items():
        yield _of_iphone(
            f"answer-{name}", f"an answer that {what}", bad, functools.partial(plays.answered_badly, spoil=spoil)
        )
    strange = "the call looks as always; " + RIDE_GOES_ON
    for name, (what, spoil) in STRANGE_ANSWERS.items():
        play = functools.partial(plays.answered_strangely, spoil=spoil)
        yield _of_iphone(f"answer-{name}", f"an answer that {what}", strange, play)


def _of_iphone(name: str, attack: str, held: str, play: Play) -> Case:
    return Case(name, 0, attack, held, play, kind=IOS, tells=True)


NOTIFICATIONS = (
    *_claims(),
    Case(
        "claims-on-an-open-link",
        0,
        "a phone that refuses to pair, to which the rider agrees, with a clock, music and calls",
        "the way is shown, nothing else is asked for or shown",
        plays.claimed_on_an_open_link,
        begins_alone=True,
        tells=True,
    ),
    Case(
        "claims-by-an-impostor",
        0,
        "a recorded address, without the key, with a clock, music and calls",
        "asked for nothing before the link is encrypted; the rider's phone is back within 5 s of the end",
        plays.claimed_by_an_impostor,
        kind=IOS,
        tells=True,
    ),
    _of_iphone(
        "many-notifications",
        f"{plays.MANY} notifications in a row, and a call behind them",
        "the way is heard, the call shown; " + RIDE_GOES_ON,
        plays.notified_of_many,
    ),
    _of_iphone(
        "permission-taken-away",
        "the rider forbids the notifications in mid-ride, and allows them again",
        "reported once; the call that rings is shown then; " + RIDE_GOES_ON,
        plays.lost_permission,
    ),
    *_answers(),
    _of_iphone(
        "notifications-gone",
        f"{plays.GONE} notifications that are gone when they are asked for",
        "nothing is shown of them, a call is; " + RIDE_GOES_ON,
        plays.asked_for_what_is_gone,
    ),
    Case(
        "other-apps",
        0,
        "notifications of apps that are nearly in the list, and of one with 600 letters",
        "that of the app in the list is shown alone; a call is, too; " + RIDE_GOES_ON,
        plays.named_other_apps,
        kind=IOS,
        tells=True,
        apps=plays.APP_IN_THE_LIST,
    ),
    _of_iphone(
        "service-changed-in-mid-request",
        "Service Changed in front of the response to what is asked of a notification, three times",
        "subscribed to again each time, a call is shown; " + RIDE_GOES_ON,
        plays.changed_in_mid_request,
    ),
    _of_iphone(
        "titles-without-end",
        f"{TITLES} titles and artists in a row, of any bytes, in front of the page of music",
        "the way is heard, the next title played and shown; " + RIDE_GOES_ON,
        told_titles_without_end,
    ),
)

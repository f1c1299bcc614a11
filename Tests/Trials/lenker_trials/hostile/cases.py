"""The attacks and the strange chips of behaviours 41 and up, each in a session of its own.

`CASES` is the table of Tests/Trials/hostile.md.
"""

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace

from lenker_bench.phone.kinds import ANDROID, IOS
from lenker_bench.phone.pairing import JUST_WORKS, NONE
from lenker_bench.wire.true_air import TRUE

from ..sessions.scenarios import DUAL_MODE
from ..sessions.steps import COMMANDS
from . import attacks, plays
from .attacks import KEY_ANSWERS, RANDOM_ATTACKS
from .case import Case, Play
from .kept_handles import KEPT_HANDLES
from .notification_cases import NOTIFICATIONS
from .press_cases import PRESSES
from .scene import REQUIRED
from .sensor_cases import SENSORS
from .trust_cases import TRUST
from .turn_cases import TURNS
from .visit_cases import VISITS

NOTHING_BEFORE = "asked once; nothing is shown or stored before the answer, nor after a no"
REFUSED = "refused without a question, left alone, not stored"
PHONE_BACK = "the rider's phone is back within 5 s of the end"
UNCHANGED = "nothing changes, not even the link"


def _with(play: Callable, **arguments: object) -> Play:
    return functools.partial(play, **arguments)


def _survived(name: str) -> Play:
    return _with(plays.survived, attack=RANDOM_ATTACKS[name])


def _unharmed(name: str) -> Play:
    return _with(plays.unharmed, attack=RANDOM_ATTACKS[name])


def _key_answers() -> Iterator[Case]:
    for name, answer in KEY_ANSWERS.items():
        yield Case(
            f"key-answer-{name}",
            44,
            f"four recorded addresses, one after the other; encryption ends in {name}",
            "each is logged; the rider sees it once, with the third, by a mark; the turn stays; " + PHONE_BACK,
            _with(plays.key_refused, answer=answer),
        )


def _unanswered() -> Iterator[Case]:
    for opcode in (0x0C6D, 0x1001, 0x1002, 0x2003, 0x2013, 0x201C, 0x2022, 0x2032):
        yield Case(
            f"unanswered-{COMMANDS[opcode]}",
            79,
            "a chip that takes this optional command, and says nothing",
            "sent twice; the ride goes on after two Resets",
            plays.unanswered,
            # One that asks for parameters is given those, and no others.
            kind=replace(ANDROID, parameters_after=None),
            chip=DUAL_MODE,
            withheld=opcode,
        )


STRANGERS = (
    Case(
        "no-code",
        41,
        "a stranger that can show no code, talks before the answer, and sends 200 Security Requests",
        NOTHING_BEFORE,
        _with(plays.asked_once_and_declined, mode=JUST_WORKS),
        begins_alone=True,
    ),
    Case(
        "no-pairing",
        41,
        "the same by one that refuses to pair",
        NOTHING_BEFORE,
        _with(plays.asked_once_and_declined, mode=NONE),
        begins_alone=True,
    ),
    Case(
        "no-code-required",
        41,
        "a stranger that can show no code, where pairing is required",
        REFUSED,
        _with(plays.refused, mode=JUST_WORKS),
        begins_alone=True,
        policy=REQUIRED,
    ),
    Case(
        "no-pairing-required",
        41,
        "one that refuses to pair, where that is required",
        REFUSED,
        _with(plays.refused, mode=NONE),
        begins_alone=True,
        policy=REQUIRED,
    ),
    Case(
        "values-before-the-answer",
        41,
        "a Just Works link that tells turns before the rider agrees",
        "nothing is shown or stored before the answer, all after a yes",
        plays.agreed_to_late,
        begins_alone=True,
    ),
    Case(
        "impostor-after-a-press",
        42,
        "recorded addresses without the key; the fourth pairs by Just Works when the rider presses A",
        "the key is asked for first; it does not take the phone's place",
        plays.pressed_beside_an_impostor,
    ),
    Case(
        "replayed-address",
        43,
        "a recorded address each 20 ms, the phone itself each 152 ms",
        "the rider's phone is back within 2 s beside it",
        plays.replayed_while_the_phone_is_near,
        air=TRUE,
    ),
    Case(
        "replayed-advertisements",
        54,
        "a recorded advertisement by a device that never answers: each link fails to be established",
        PHONE_BACK,
        _survived("replayed-advertisements"),
        air=TRUE,
    ),
    Case(
        "replayed-identity",
        43,
        "the phone's identity address, by a stranger without the key",
        PHONE_BACK,
        _survived("replayed-identity"),
    ),
    Case(
        "replayed-present-address",
        43,
        "the address that the phone has now, by a stranger without the key, while it is away",
        "the address rests for 5 s; " + PHONE_BACK,
        _survived("replayed-present-address"),
        kind=IOS,
    ),
    *_key_answers(),
    Case(
        "stranger-beside-the-ride",
        45,
        "a nearer komoot phone while the link is lost",
        "it is not connected to, the turn stays; " + PHONE_BACK,
        _survived("stranger-with-code"),
    ),
    Case(
        "unread-store",
        46,
        "a stranger while the store cannot be read",
        "no phone is searched for, and the log says why",
        plays.unread_store,
        begins_alone=True,
        store=".",
    ),
    Case(
        "no-ends-the-search",
        47,
        "strangers with four other addresses after a no",
        "no phone is connected to until A is pressed",
        plays.no_ends_the_search,
        begins_alone=True,
    ),
    Case(
        "scan-requests",
        49,
        "a device that waits for scan requests",
        "it only listens while it waits for the remembered phone",
        plays.listened_for,
    ),
    Case(
        "foreign-identity",
        50,
        "a phone of a fixed address that gives the identity key of a neighbour for its own",
        "the neighbour is not taken for it",
        plays.foreign_identity,
        begins_alone=True,
    ),
    Case(
        "security-requests",
        51,
        "200 Security Requests on the encrypted link",
        UNCHANGED,
        _unharmed("security-requests"),
    ),
    Case(
        "interrupted-pairings",
        52,
        "a stranger that goes each time that the digits show",
        "each is an attempt: the next has to wait for 1, 2, 4, 8 s…",
        plays.interrupted_again_and_again,
        begins_alone=True,
    ),
    Case("other-peer", 52, "LE Connection Complete names another peer", PHONE_BACK, _survived("other-peer")),
    Case("renames", 52, "six names in six links of one ride", "written once at most", plays.renamed),
    Case(
        "forget-in-a-damaged-store",
        53,
        "a record that is damaged before the phone is forgotten",
        "no key is left on the disk",
        plays.forgotten,
    ),
)

PHONES = (
    Case(
        "attempts-fail",
        54,
        "three attempts to connect end in 0x3E",
        "half a second each, whatever the address: back within 3.5 s",
        plays.attempts_failed,
    ),
    Case("jammed", 54, "the link is lost again and again, in its discovery, too", PHONE_BACK, _survived("jammed")),
    Case(
        "service-changed-storm",
        55,
        "fifty indications of Service Changed in a row",
        PHONE_BACK,
        _survived("service-changed-storm"),
        kind=IOS,
    ),
    Case(
        "service-changed-at-each-request",
        55,
        "Service Changed in front of each answer",
        PHONE_BACK,
        _survived("service-changed-at-each-request"),
    ),
    Case(
        "service-is-gone",
        55,
        "the remembered phone comes without its service, which comes 8 s later",
        "it is waited for on the link",
        plays.service_is_gone,
    ),
    *(
        Case(
            f"values-of-{size}",
            56,
            f"an app that cuts what it gives to {size} bytes",
            "the whole street is shown, never a part",
            _with(plays.cut, size=size),
            kind=kind,
        )
        for size, kind in ((20, ANDROID), (22, IOS))
    ),
    Case(
        "handles-that-lie",
        57,
        "the service has other handles than remembered, and it was not announced",
        "found again; " + PHONE_BACK,
        plays.moved_in_silence,
    ),
    Case(
        "away-for-long",
        58,
        "the phone is away for 40 s, which show what five minutes do",
        "back within a second of its return",
        plays.away,
    ),
    Case("noise", 51, "200 PDUs on the encrypted link that were not asked for", PHONE_BACK, _survived("noise")),
)

CHIPS = (
    *_unanswered(),
    Case(
        "hardware-errors",
        60,
        f"{attacks.BURST} Hardware Errors in a row",
        "one Reset, reported once; " + PHONE_BACK,
        plays.hardware_failed,
    ),
    Case(
        "stale-credits",
        60,
        "credits, data and ends of handles that are gone",
        UNCHANGED,
        _unharmed("stale-credits"),
    ),
    Case("answers-twice", 60, "each command is answered twice", PHONE_BACK, _survived("answers-twice")),
    Case("answers-to-nobody", 60, "answers to commands not sent", UNCHANGED, _unharmed("answers-to-nobody")),
    Case("vendor-events", 60, "200 vendor events", UNCHANGED, _unharmed("vendor-events")),
    Case(
        "vendor-events-only",
        60,
        "for 5 s, in which the phone is to be searched for, vendor events are the only answers",
        PHONE_BACK,
        _with(plays.survived, attack=attacks.say_vendor_events_only),
    ),
    Case(
        "dead-but-for-vendor-events",
        60,
        "nothing but vendor events while it owes an answer, until it is reset",
        "reset 5 s later; " + PHONE_BACK,
        plays.died,
        # One that asks for parameters has a command sent, and that is due sooner.
        kind=replace(IOS, parameters_after=None),
    ),
    Case("unknown-channel", 60, "200 frames on channel 0x003A", UNCHANGED, _unharmed("unknown-channel")),
    Case(
        "report-flood",
        60,
        f"{attacks.FLOOD} advertisements of a crowd while the phone is searched for",
        PHONE_BACK,
        _survived("report-flood"),
    ),
    Case(
        "malformed-reports",
        60,
        "advertising reports whose lengths lie",
        PHONE_BACK,
        _survived("malformed-reports"),
    ),
    Case("garbage", 60, "16 bytes that are no packet", PHONE_BACK, _survived("garbage")),
    Case(
        "reset-unanswered",
        61,
        "for 8 s no command is answered, Reset neither",
        "Reset, then the transport is opened again; " + PHONE_BACK,
        plays.climbed,
    ),
    Case(
        "stream-ends",
        61,
        "the stream ends, three times",
        "opened again each time, reported and counted; bluetoothd is not blamed (62)",
        plays.opened_again_and_again,
    ),
)

CASES = STRANGERS + TRUST + PHONES + KEPT_HANDLES + CHIPS + SENSORS + NOTIFICATIONS + PRESSES + TURNS + VISITS

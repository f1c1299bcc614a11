"""Attacks that cost a ride nothing but moments: each in a session of its own, and all at random moments of a ride."""

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lenker_bench.phone.kinds import ANDROID, IOS
from lenker_bench.wire.true_air import TRUE

from . import NotHeld
from .attacks import BURST, FLOOD, KEY_ANSWERS, RANDOM_ATTACKS, Attack, say_vendor_events_only
from .case import Cases
from .scene import BACK, PHONE_BACK, Scene

LONGEST_WAIT = 1.0  # seconds between the return of the phone and the next attack
KINDS = (ANDROID, IOS)
RESET = 0x0C03
UNCHANGED = "nothing changes, not even the link"

CASES = Cases()


async def survived(scene: Scene, by: Attack) -> str:
    await by(scene)
    return await scene.back()


async def unharmed(scene: Scene, by: Attack) -> str:
    """It changes nothing: not even the link."""
    count = len(scene.log.named("link")), scene.chip.commands[RESET]
    await by(scene)
    did = await scene.back()
    if (len(scene.log.named("link")), scene.chip.commands[RESET]) != count:
        raise NotHeld("the link changed")
    return f"nothing changed; {did}"


def _case(play: Callable, name: str, behaviour: int, attack: str, held: str, by: str = "", **options: object) -> None:
    CASES.add(name, behaviour, attack, held, by=RANDOM_ATTACKS[by or name], **options)(play)


for _name in KEY_ANSWERS:
    _case(survived, f"key-answer-{_name}", 44, f"a recorded address; encryption ends in {_name}", PHONE_BACK)
_case(
    survived,
    "replayed-advertisements",
    54,
    "a recorded advertisement by a device that never answers: each link fails to be established",
    PHONE_BACK,
    air=TRUE,
)
_case(survived, "replayed-identity", 43, "the phone's identity address, by a stranger without the key", PHONE_BACK)
_case(
    survived,
    "replayed-present-address",
    43,
    "the address that the phone has now, by a stranger without the key, while it is away",
    "the address rests for 5 s; " + PHONE_BACK,
    kind=IOS,
)
_case(
    survived,
    "stranger-beside-the-ride",
    45,
    "a nearer komoot phone while the link is lost",
    "it is not connected to, the turn stays; " + PHONE_BACK,
    by="stranger-with-code",
)
_case(survived, "other-peer", 52, "LE Connection Complete names another peer", PHONE_BACK)
_case(survived, "jammed", 54, "the link is lost again and again, in its discovery, too", PHONE_BACK)
_case(survived, "service-changed-storm", 55, "fifty indications of Service Changed in a row", PHONE_BACK, kind=IOS)
_case(survived, "service-changed-at-each-request", 55, "Service Changed in front of each answer", PHONE_BACK)
_case(survived, "noise", 51, "200 PDUs on the encrypted link that were not asked for", PHONE_BACK)
_case(survived, "answers-twice", 60, "each command is answered twice", PHONE_BACK)
CASES.add(
    "vendor-events-only",
    60,
    "for 5 s, in which the phone is to be searched for, vendor events are the only answers",
    PHONE_BACK,
    by=say_vendor_events_only,
)(survived)
_case(survived, "report-flood", 60, f"{FLOOD} advertisements of a crowd while the phone is searched for", PHONE_BACK)
_case(survived, "malformed-reports", 60, "advertising reports whose lengths lie", PHONE_BACK)
_case(survived, "hardware-errors", 60, f"{BURST} Hardware Errors in a row", PHONE_BACK)
_case(survived, "garbage", 60, "16 bytes that are no packet", PHONE_BACK)
_case(unharmed, "security-requests", 51, "200 Security Requests on the encrypted link", UNCHANGED)
_case(unharmed, "stale-credits", 60, "credits, data and ends of handles that are gone", UNCHANGED)
_case(unharmed, "answers-to-nobody", 60, "answers to commands not sent", UNCHANGED)
_case(unharmed, "vendor-events", 60, "200 vendor events", UNCHANGED)
_case(unharmed, "unknown-channel", 60, "200 frames on channel 0x003A", UNCHANGED)


@dataclass
class Ride:
    """What became of one ride: the seconds until the phone was back after each attack, and what was wrong."""

    attacks: Counter = field(default_factory=Counter)
    back: list[float] = field(default_factory=list)
    connected: int = 0
    """How often an attacker was connected to."""
    keyless: int = 0
    """How often one was found to have no key."""
    wrongs: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Part:
    """One ride of many, and how many attacks it has."""

    number: int
    count: int


async def ride(part: Part, command: Sequence[str], seed: object) -> Ride:
    """A ride with attacks that the seed chooses; it ends with the first that does not hold, and another one begins."""
    found = Ride()
    source = random.Random(f"{seed} {part.number}")
    while (left := part.count - found.attacks.total()) > 0:
        await _ride(found, left, source, command)
    return found


async def _ride(found: Ride, count: int, source: random.Random, command: Sequence[str]) -> None:
    scene = Scene(source.random(), source.choice(KINDS))
    name = "the first turn"
    with tempfile.TemporaryDirectory(prefix="lenker-") as folder:
        try:
            async with scene.running(command, Path(folder)):
                await scene.ride()
                for _ in range(count):
                    await asyncio.sleep(source.uniform(0, LONGEST_WAIT))
                    name = source.choice(list(RANDOM_ATTACKS))
                    found.attacks[name] += 1
                    await RANDOM_ATTACKS[name](scene)
                    found.back.append(await scene.fresh(BACK))
                found.connected += scene.links_to_strangers
                found.keyless += scene.count("bond", state="rejected")
        except NotHeld as wrong:
            found.wrongs.append(f"{name}: {wrong}")
            if name not in RANDOM_ATTACKS:
                found.attacks[name] += count


def parts(count: int, jobs: int) -> list[Part]:
    """The attacks, divided among this many rides."""
    shares = [count // jobs + (number < count % jobs) for number in range(jobs)]
    return [Part(number, share) for number, share in enumerate(shares) if share]

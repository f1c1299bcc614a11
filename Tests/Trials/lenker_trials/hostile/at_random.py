"""Attacks at random moments of a ride, and that the ride goes on after each."""

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lenker_bench.phone.kinds import ANDROID, IOS

from .attacks import RANDOM_ATTACKS
from .scene import BACK, NotHeld, Scene

LONGEST_WAIT = 1.0  # seconds between the return of the phone and the next attack
KINDS = (ANDROID, IOS)


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
                found.connected += scene.count_said("connected")
                found.keyless += scene.count("bond", state="rejected")
        except NotHeld as wrong:
            found.wrongs.append(f"{name}: {wrong}")
            if name not in RANDOM_ATTACKS:
                found.attacks[name] += count


def parts(count: int, jobs: int) -> list[Part]:
    """The attacks, divided among this many rides."""
    shares = [count // jobs + (number < count % jobs) for number in range(jobs)]
    return [Part(number, share) for number, share in enumerate(shares) if share]

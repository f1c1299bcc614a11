"""Other riders' phones on the same air."""

import random
from collections.abc import Callable

from ..wire.air import Air
from ..wire.rootcanal import RootCanal
from .kinds import Kind
from .pairing import PairingHabits
from .phone import Phone
from .rides import Step

STRANGER = "stranger"
STRANGERS_STREET = "Stranger's Street"
NEARER = -40  # dBm, against the -60 of the rider's phone

STRANGERS_STEP = Step(0, 8, 120, STRANGERS_STREET)


def stranger(air: Air | RootCanal, kind: Kind, seed: int, report: Callable[..., None], mode: str) -> Phone:
    """The phone of another rider, who is nearer and rides, too; it pairs like the rider's own."""
    # Random numbers of its own: the rider's phone does the same with a stranger as without.
    random_source = random.Random(f"{seed} {STRANGER}")
    phone = Phone(air, kind, [STRANGERS_STEP], 1.0, random_source, report, PairingHabits(mode), name=STRANGER)
    phone.chip.signal_strength = NEARER
    return phone

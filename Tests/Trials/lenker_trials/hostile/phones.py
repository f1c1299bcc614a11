"""Phones that attack: strangers that talk to any listener, and those that pretend to be the rider's."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bumble import hci

from lenker_bench.phone import komoot
from lenker_bench.phone.kinds import ANDROID, IOS
from lenker_bench.phone.music import NONE, PLAYING, Music
from lenker_bench.phone.notifications import Habits, Notifications
from lenker_bench.phone.pairing import PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.strangers import NEARER, STRANGER, STRANGERS_STEP
from lenker_bench.wire.air import Air

from ..sessions.script import Script

STRANGERS_PHONE = replace(ANDROID, device_name="Stranger's phone")
STRANGERS_IPHONE = replace(IOS, device_name="Stranger's phone")


class FixedAddress(Phone):
    """A phone that always advertises with one address, whether or not it is its own."""

    address = hci.Address("C1:22:33:44:55:66", hci.Address.RANDOM_DEVICE_ADDRESS)

    def _private_address(self) -> hci.Address:
        return self.address


def attacker(
    air: Air,
    random_source: random.Random,
    report: Callable[..., None],
    habits: PairingHabits,
    interval: float,
    address: hci.Address | None = None,
    tells: bool = False,
) -> Phone:
    """A stranger's phone that advertises at this interval, in milliseconds, and talks to whoever listens.

    With an `address` it is always that one; else it has a new one of its own each time that it begins to advertise.
    One that `tells` is an iPhone with a clock, with music and notifications.
    """
    make = Phone if address is None else FixedAddress
    phone = make(
        air,
        STRANGERS_IPHONE if tells else STRANGERS_PHONE,
        [],
        1.0,
        random_source,
        report,
        habits,
        name=STRANGER,
        advertising_interval=interval,
        music=Music(PLAYING if tells else NONE),
        notifications=Notifications(Habits(is_there=tells)),
    )
    if address is not None:
        phone.address = address
    phone.chip.signal_strength = NEARER
    phone.navigation = Script(komoot.encode(9, STRANGERS_STEP))
    return phone


def is_in_store(store: Path, phone: Phone) -> bool:
    """Whether a firmware's store has the phone's key or name."""
    content = store.read_bytes() if store.is_file() else b""
    irk = phone.identity.irk
    return any(part in content for part in (irk, irk[::-1], phone.kind.device_name.encode()))

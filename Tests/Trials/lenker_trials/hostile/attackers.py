"""Who attacks: phones that talk to any listener or pretend to be the rider's."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bumble import hci

from lenker_bench.phone import komoot
from lenker_bench.phone.kinds import ANDROID
from lenker_bench.phone.pairing import PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.strangers import NEARER, STRANGER, STRANGERS_STEP
from lenker_bench.wire.air import Air

from ..sessions.telling import Script

STRANGERS_PHONE = replace(ANDROID, device_name="Stranger's phone")


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
) -> Phone:
    """A stranger's phone that advertises at this interval, in milliseconds, and talks to each that listens.

    With an `address` it is always that one; else it has a new one of its own each time that it begins to advertise.
    """
    make = Phone if address is None else FixedAddress
    phone = make(
        air, STRANGERS_PHONE, [], 1.0, random_source, report, habits, name=STRANGER, advertising_interval=interval
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

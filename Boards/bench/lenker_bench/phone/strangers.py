"""Other riders' phones on the same air, and who only pretends to be the rider's."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bumble import hci

from ..wire.air import Air
from ..wire.rootcanal import RootCanal
from . import komoot
from .kinds import ANDROID, IOS, Kind
from .music import NONE, PLAYING, Music
from .notifications import Habits, Notifications
from .pairing import PairingHabits
from .phone import Phone
from .rides import Step
from .script import Script

STRANGER = "stranger"
STRANGERS_STREET = "Stranger's Street"
NEARER = -40  # dBm, against the -60 of the rider's phone

STRANGERS_STEP = Step(0, 8, 120, STRANGERS_STREET)
STRANGERS_PHONE = replace(ANDROID, device_name="Stranger's phone")
STRANGERS_IPHONE = replace(IOS, device_name="Stranger's phone")


def stranger(air: Air | RootCanal, kind: Kind, seed: int, report: Callable[..., None], mode: str) -> Phone:
    """The phone of another rider, who is nearer and rides, too; it pairs like the rider's own."""
    # Random numbers of its own: the rider's phone does the same with a stranger as without.
    random_source = random.Random(f"{seed} {STRANGER}")
    phone = Phone(air, kind, [STRANGERS_STEP], 1.0, random_source, report, PairingHabits(mode), name=STRANGER)
    phone.chip.signal_strength = NEARER
    return phone


class FixedAddress(Phone):
    """A phone that always advertises with one address, whether or not it is its own."""

    address = hci.Address("C1:22:33:44:55:66", hci.Address.RANDOM_DEVICE_ADDRESS)

    async def _renew_address(self) -> None:
        self.device.random_address = self.address
        await self.device.send_sync_command(hci.HCI_LE_Set_Random_Address_Command(random_address=self.address))


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

"""Who attacks: phones that talk to any listener or pretend to be the rider's, and visitors who connect."""

import asyncio
import contextlib
import functools
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

from bumble import att, core, hci, smp
from bumble.device import Connection, ConnectionParametersPreferences, Device, DeviceConfiguration
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from lenker_bench.phone import komoot
from lenker_bench.phone.kinds import ANDROID
from lenker_bench.phone.knocking import INTERVAL, TIMEOUT
from lenker_bench.phone.pairing import Identity, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.strangers import NEARER, STRANGER, STRANGERS_STEP
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.chip_kinds import PHONE

from ..sessions.bench import FIRMWARE_ADDRESS
from ..sessions.telling import Script
from . import NotHeld

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


ATT, SMP = att.ATT_CID, smp.SMP_CID
PATIENCE = 15.0  # seconds for a link, for its end, and for an answer


class Visitor:
    """`heard` has what the firmware said on the link, a channel and a PDU each."""

    def __init__(self, air: Air, source: random.Random) -> None:
        self._random = source
        self._identity = Identity.drawn(source)
        public = self._identity.public_address.to_string(False)
        self.chip = Chip(STRANGER, air, public, source, kind=PHONE)
        configuration = DeviceConfiguration(
            name=STRANGER, address=self._identity.static_address, gap_service_enabled=False, gatt_service_enabled=False
        )
        self.device = Device(config=configuration, host=Host(self.chip, AsyncPipeSink(self.chip)))
        self.heard: list[tuple[int, bytes]] = []
        self._changed = asyncio.Event()
        self._end: asyncio.Future[int] | None = None
        self._connection: Connection | None = None
        for channel in (ATT, SMP):
            self.device.l2cap_channel_manager.register_fixed_channel(channel, functools.partial(self._hear, channel))

    def _hear(self, channel: int, handle: int, pdu: bytes) -> None:
        self.heard.append((channel, pdu))
        self._changed.set()

    async def come(self, address: hci.Address | None = None) -> None:
        """Connects, with this address or one that nobody knows. Raises `NotHeld` if nobody advertises."""
        self.device.random_address = address = address or self._identity.private_address(self._random)
        await self.device.send_sync_command(hci.HCI_LE_Set_Random_Address_Command(random_address=address))
        preferences = ConnectionParametersPreferences(
            connection_interval_min=INTERVAL, connection_interval_max=INTERVAL, supervision_timeout=TIMEOUT
        )
        try:
            self._connection = await self.device.connect(
                hci.Address(FIRMWARE_ADDRESS, hci.Address.PUBLIC_DEVICE_ADDRESS),
                own_address_type=hci.OwnAddressType.RANDOM,
                timeout=PATIENCE,
                connection_parameters_preferences={hci.HCI_LE_1M_PHY: preferences},
            )
        except core.TimeoutError:
            raise NotHeld("nobody advertised") from None
        except (core.BaseBumbleError, hci.HCI_Error) as error:
            raise NotHeld(f"the visitor has no link: {error}") from None
        self._end = end = asyncio.get_running_loop().create_future()
        self._connection.on(Connection.EVENT_DISCONNECTION, lambda reason: end.done() or end.set_result(int(reason)))

    def say(self, channel: int, pdu: bytes) -> None:
        self._connection.send_l2cap_pdu(channel, pdu)

    async def ask(self, channel: int, pdu: bytes) -> bytes:
        """The next PDU on this channel. Raises `NotHeld` if there is none in time."""
        count = len(self.said(channel))
        self.say(channel, pdu)
        try:
            async with asyncio.timeout(PATIENCE):
                while len(self.said(channel)) == count:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise NotHeld(f"no answer to {pdu.hex()}") from None
        return self.said(channel)[count]

    def said(self, channel: int) -> list[bytes]:
        """What the firmware said on this channel."""
        return [pdu for found, pdu in self.heard if found == channel]

    async def sent_away(self) -> int:
        """Why the link ended. Raises `NotHeld` if it did not."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(self._end)
        except TimeoutError:
            raise NotHeld("the visitor was not sent away") from None


@contextlib.asynccontextmanager
async def visiting(air: Air, source: random.Random) -> AsyncIterator[Visitor]:
    """Somebody who may come meanwhile, and has left then."""
    visitor = Visitor(air, source)
    await visitor.device.power_on()
    try:
        yield visitor
    finally:
        visitor.chip.leave()

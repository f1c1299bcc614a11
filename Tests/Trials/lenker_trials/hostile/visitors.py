"""Somebody without a key who connects to the firmware where that advertises, and says what it is told to."""

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator

from bumble import att, core, hci, smp
from bumble.device import Connection, ConnectionParametersPreferences, Device, DeviceConfiguration
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from lenker_bench.phone.knocking import INTERVAL, TIMEOUT
from lenker_bench.phone.pairing import Identity
from lenker_bench.phone.strangers import STRANGER
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.chip_kinds import PHONE

from ..sessions.scenarios import FIRMWARE_ADDRESS
from .scene import NotHeld, Scene

ATT, SMP = att.ATT_CID, smp.SMP_CID
PATIENCE = 15.0  # seconds for a link, for its end, and for an answer


class Visitor:
    """`heard` has what the firmware said on the link, a channel and a PDU each."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._identity = Identity.drawn(scene.random)
        public = self._identity.public_address.to_string(False)
        self.chip = Chip(STRANGER, scene.air, public, scene.random, kind=PHONE)
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
        self.device.random_address = address = address or self._identity.private_address(self._scene.random)
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

    @property
    def is_encrypted(self) -> bool:
        return self._connection.is_encrypted

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

    async def encrypt(self, key: bytes, diversifier: int = 0) -> None:
        await self.device.send_async_command(
            hci.HCI_LE_Enable_Encryption_Command(
                connection_handle=self._connection.handle,
                random_number=bytes(8),
                encrypted_diversifier=diversifier,
                long_term_key=key,
            )
        )

    async def sent_away(self) -> int:
        """Why the link ended. Raises `NotHeld` if it did not."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(self._end)
        except TimeoutError:
            raise NotHeld("the visitor was not sent away") from None


@contextlib.asynccontextmanager
async def visiting(scene: Scene) -> AsyncIterator[Visitor]:
    """Somebody who may come meanwhile, and has left then."""
    visitor = Visitor(scene)
    await visitor.device.power_on()
    try:
        yield visitor
    finally:
        visitor.chip.leave()

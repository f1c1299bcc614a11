"""Strangers' devices that connect to the firmware again and again, each time with another address."""

import asyncio
import random
from collections.abc import Callable

from bumble import core, hci
from bumble.device import Connection, ConnectionParametersPreferences, Device, DeviceConfiguration
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from ..wire.air import Air
from ..wire.chip import Chip
from ..wire.chip_kinds import PHONE
from .pairing import Identity

INTERVAL, TIMEOUT = 30.0, 720  # milliseconds of a link
PATIENCE = 10.0  # seconds for a link, and for its end


class Knocker:
    """Somebody without a key. It asks nothing, and leaves only when it is sent away; then it comes again at once.

    `report` hears of each link, and why it ended.
    """

    def __init__(
        self,
        air: Air,
        address: str,
        source: random.Random,
        report: Callable[..., None],
        name: str = "stranger",
        rest: float = 0.0,
    ) -> None:
        self._report = report
        self._name = name
        self._rest = rest
        self._random = source
        self._identity = Identity.drawn(source)
        self._address = hci.Address(address, hci.Address.PUBLIC_DEVICE_ADDRESS)
        self.chip = Chip(name, air, self._identity.public_address.to_string(False), source, kind=PHONE)
        configuration = DeviceConfiguration(
            name=name, address=self._identity.static_address, gap_service_enabled=False, gatt_service_enabled=False
        )
        self.device = Device(config=configuration, host=Host(self.chip, AsyncPipeSink(self.chip)))
        self.links = 0
        self._knocking: asyncio.Task | None = None

    async def start(self) -> None:
        await self.device.power_on()
        self._knocking = asyncio.create_task(self._keep_knocking())

    async def stop(self) -> None:
        while self._knocking is not None and not self._knocking.done():
            # Once is not enough: Bumble takes a cancellation for a command that failed.
            self._knocking.cancel()
            await asyncio.wait([self._knocking], timeout=0.1)
        self.chip.leave()

    async def _keep_knocking(self) -> None:
        while True:
            self.device.random_address = address = self._identity.private_address(self._random)
            await self.device.send_sync_command(hci.HCI_LE_Set_Random_Address_Command(random_address=address))
            try:
                await self._knock()
            except (core.BaseBumbleError, hci.HCI_Error, TimeoutError) as error:
                self._report("knock", phone=self._name, error=str(error) or type(error).__name__)
            await asyncio.sleep(self._rest)

    async def _knock(self) -> None:
        preferences = ConnectionParametersPreferences(
            connection_interval_min=INTERVAL, connection_interval_max=INTERVAL, supervision_timeout=TIMEOUT
        )
        connection = await self.device.connect(
            self._address,
            own_address_type=hci.OwnAddressType.RANDOM,
            timeout=PATIENCE,
            connection_parameters_preferences={hci.HCI_LE_1M_PHY: preferences},
        )
        self.links += 1
        over: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        connection.on(Connection.EVENT_DISCONNECTION, lambda reason: over.done() or over.set_result(int(reason)))
        async with asyncio.timeout(PATIENCE):
            reason = await over
        self._report("knock", phone=self._name, address=connection.self_address.to_string(False), reason=reason)

"""A phone that makes the link itself: it connects to the firmware where that advertises, and comes again after a loss.

An iPhone comes to an accessory that it knows whenever it hears it. Gadgetbridge has Android connect for a while, and
then tries again after pauses that grow.
"""

import asyncio
import contextlib
from collections.abc import Callable

from bumble import core, hci
from bumble.device import Advertisement, Connection, ConnectionParametersPreferences, Device

from .kinds import Manner
from .pairing import NONE, PairingHabits

DIRECT = 30.0  # seconds that Android tries
LONGEST_PAUSE = 64.0  # seconds between two tries of Gadgetbridge
SHORTEST_PAUSE = 1.0
REST = 0.1  # seconds from the end of a link to the next attempt


class Coming:
    """Keeps a link of its own to the device, whose public address `address` gives, while there is no other one."""

    def __init__(
        self,
        device: Device,
        address: Callable[[], str],
        manner: Manner,
        pairing: PairingHabits,
        report: Callable[..., None],
    ) -> None:
        self._device = device
        self._address = address
        self._manner = manner
        self._pairing = pairing
        self._report = report
        self._may_come = asyncio.Event()
        self._attempt: asyncio.Task | None = None
        self._securing: set[Connection] = set()

    def go(self) -> None:
        """Comes from now on, whenever there is no link."""
        self._may_come.set()

    def stay_away(self) -> None:
        """Comes no more, until it may again."""
        self._may_come.clear()
        if self._attempt is not None:
            self._attempt.cancel()

    async def keep_coming(self) -> None:
        pause = SHORTEST_PAUSE
        while True:
            await self._may_come.wait()
            await self._until_alone()
            if not self._may_come.is_set():
                continue
            self._attempt = asyncio.create_task(self._attempted())
            try:
                connection = await self._attempt
            except asyncio.CancelledError:
                if asyncio.current_task().cancelling():
                    self._attempt.cancel()
                    raise
                continue
            finally:
                self._attempt = None
            if connection is None:
                await self._rest(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
                continue
            pause = SHORTEST_PAUSE

    async def _until_alone(self) -> None:
        while connections := list(self._device.connections.values()):
            over = asyncio.Event()
            for connection in connections:
                connection.once(Connection.EVENT_DISCONNECTION, lambda reason, over=over: over.set())
            await over.wait()
            await asyncio.sleep(REST)

    async def _rest(self, seconds: float) -> None:
        """Lets a pause pass, or as much of it as the device is not heard in."""
        heard = asyncio.Event()

        def on_advertisement(advertisement: Advertisement) -> None:
            if advertisement.address.to_string(False) == self._address():
                heard.set()

        if not self._manner.scans:
            await asyncio.sleep(seconds)
            return
        self._device.on(Device.EVENT_ADVERTISEMENT, on_advertisement)
        await self._device.start_scanning(legacy=True)
        try:
            async with asyncio.timeout(seconds):
                await heard.wait()
        except TimeoutError:
            return
        finally:
            self._device.remove_listener(Device.EVENT_ADVERTISEMENT, on_advertisement)
            await self._device.stop_scanning(legacy=True)

    async def _attempted(self) -> Connection | None:
        """The next link, of either side; none if that took too long."""
        preferences = ConnectionParametersPreferences(
            connection_interval_min=self._manner.interval,
            connection_interval_max=self._manner.interval,
            max_latency=0,
            supervision_timeout=self._manner.timeout,
        )
        try:
            connection = await self._device.connect(
                hci.Address(self._address(), hci.Address.PUBLIC_DEVICE_ADDRESS),
                own_address_type=hci.OwnAddressType.RANDOM,
                timeout=DIRECT if self._manner.gives_up else None,
                connection_parameters_preferences={hci.HCI_LE_1M_PHY: preferences},
            )
        except core.TimeoutError:
            return None
        except (core.BaseBumbleError, hci.HCI_Error) as error:
            self._report("coming", state="failed", error=str(error))
            return None
        except asyncio.CancelledError:
            await self._cancel()
            raise
        if connection.role != hci.Role.CENTRAL:
            # The firmware was faster.
            await self._cancel()
        return connection

    async def _cancel(self) -> None:
        with contextlib.suppress(core.BaseBumbleError, hci.HCI_Error):
            await self._device.send_sync_command(hci.HCI_LE_Create_Connection_Cancel_Command())

    # Security

    def attend(self, connection: Connection) -> None:
        """Encrypts this link, by itself or where it is asked to: with the key of a pairing that was, or it pairs."""
        if connection.role == hci.Role.CENTRAL:
            connection.on(Connection.EVENT_SECURITY_REQUEST, lambda request: self._secure(connection, may_pair=True))
            self._secure(connection, may_pair=self._manner.pairs_at_once)

    def _secure(self, connection: Connection, may_pair: bool) -> None:
        connection.cancel_on_disconnection(self._encrypt(connection, may_pair))

    async def _encrypt(self, connection: Connection, may_pair: bool) -> None:
        has_key = await self._device.keystore.get(str(connection.peer_address)) is not None
        is_busy = connection in self._securing or self._device.smp_manager.is_pairing(connection)
        if connection.is_encrypted or is_busy:
            return
        self._securing.add(connection)
        try:
            if has_key:
                await connection.encrypt()
            elif may_pair and self._pairing.mode != NONE:
                await connection.pair()
        except (core.BaseBumbleError, hci.HCI_Error) as error:
            self._report("coming", state="insecure", error=str(error) or type(error).__name__)
        finally:
            self._securing.discard(connection)

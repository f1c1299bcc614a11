"""The virtual phone: a Bumble host with the kind's habits of advertising, addresses and listening."""

import asyncio
import random
from collections.abc import Callable

from bumble import core, crypto, gatt, hci
from bumble.device import Connection, Device, DeviceConfiguration
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from .air import Air
from .chip import Chip
from .kinds import Kind
from .navigation import Navigation
from .rides import Step
from .services import PhoneServer

ADVERTISING_INTERVAL = 100.0  # milliseconds
ADDRESS_LIFETIME = 15 * 60.0  # seconds; Core Specification, Vol 3, Part C, appendix A
LARGEST_MTU = 517
OWN_ADDRESS = "F0:99:B6:12:34:56"


class Subscriber:
    """A central that the phone notifies."""

    def __init__(self, server: PhoneServer, connection: Connection) -> None:
        self._server = server
        self._connection = connection

    @property
    def att_mtu(self) -> int:
        return self._connection.att_mtu

    def notify(self, value: bytes) -> None:
        self._server.notify(self._connection, value)


class Phone:
    """One phone on the air, playing one ride."""

    def __init__(
        self,
        air: Air,
        kind: Kind,
        steps: list[Step],
        speed: float,
        random_source: random.Random,
        report: Callable[..., None],
    ) -> None:
        self.kind = kind
        self._random = random_source
        self._report = report
        self._irk = random_source.randbytes(16)
        self._subscribers: dict[Connection, Subscriber] = {}
        self._is_forgotten = False
        self._advertising_changed = asyncio.Event()
        self._watchdog: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task] = []
        self.chip = Chip("phone", air, OWN_ADDRESS, random_source)
        self.navigation = Navigation(kind, steps, speed, random_source, report)
        configuration = DeviceConfiguration(
            name=kind.device_name, irk=self._irk, gap_service_enabled=False, gatt_service_enabled=False
        )
        self.device = Device(config=configuration, host=Host(self.chip, AsyncPipeSink(self.chip)))
        self.device.gatt_server = self._server = PhoneServer(
            self.device,
            kind,
            read=lambda: self.navigation.value,
            on_read=self._on_read,
            on_subscription=self._on_subscription,
        )
        self.device.on(Device.EVENT_CONNECTION, self._on_connection)

    async def start(self) -> None:
        """Powers the phone on; it advertises from then on as its kind does."""
        await self.device.power_on()
        await self._renew_address()
        self._advertising_changed.set()
        self._start(self._keep_advertising())

    async def stop(self) -> None:
        while self._tasks:
            # Once is not enough: Bumble takes a cancellation for a command that failed.
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks, timeout=0.1)
        self._cancel_watchdog()
        self.chip.power_cycle()

    def drop(self) -> None:
        """Loses every link as by supervision timeout."""
        for link in list(self.chip.le_connections.values()):
            self._report("dropped", handle=link.handle)
            self.chip.lose_link(link)

    def _start(self, work) -> None:
        task = asyncio.create_task(work)
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)

    # Advertising

    @property
    def _wants_to_advertise(self) -> bool:
        if self.kind.advertises_until_subscribed:
            return not self._subscribers or self._is_forgotten
        return not self.device.connections

    async def _keep_advertising(self) -> None:
        loop = asyncio.get_running_loop()
        address_due = loop.time() + ADDRESS_LIFETIME
        while True:
            try:
                async with asyncio.timeout_at(address_due):
                    await self._advertising_changed.wait()
            except TimeoutError:
                address_due = loop.time() + ADDRESS_LIFETIME
                await self.device.stop_advertising()
                await self._renew_address()
            self._advertising_changed.clear()
            # The chip stops by itself when somebody connects, and Bumble's host takes note.
            is_advertising = self.device.legacy_advertiser is not None
            if self._wants_to_advertise and not is_advertising:
                if self.kind.new_address_at_each_advertising:
                    await self._renew_address()
                await self._advertise()
            elif is_advertising and not self._wants_to_advertise:
                await self.device.stop_advertising()
                self._report("advertising", state="off")

    async def _advertise(self) -> None:
        await self.device.start_advertising(
            advertising_data=self.kind.advertisement(),
            scan_response_data=self.kind.scan_response(),
            advertising_interval_min=ADVERTISING_INTERVAL,
            advertising_interval_max=ADVERTISING_INTERVAL,
        )
        self._report("advertising", state="on", address=self.device.random_address.to_string(False))

    async def _renew_address(self) -> None:
        """A new resolvable private address (Core Specification, Vol 6, Part B, 1.3.2.2)."""
        random_part = bytearray(self._random.randbytes(3))
        random_part[2] = random_part[2] & 0x3F | 0x40
        address = hci.Address(crypto.ah(self._irk, bytes(random_part)) + bytes(random_part))
        self.device.random_address = address
        await self.device.send_sync_command(hci.HCI_LE_Set_Random_Address_Command(random_address=address))

    # Centrals

    def _on_connection(self, connection: Connection) -> None:
        self._report("connected", address=connection.peer_address.to_string(False))
        connection.on(Connection.EVENT_DISCONNECTION, lambda reason: self._on_disconnection(connection, reason))
        connection.on(
            Connection.EVENT_CONNECTION_ATT_MTU_UPDATE, lambda: self._report("mtu", mtu=connection.att_mtu)
        )
        self._advertising_changed.set()
        if self.kind.asks_for_mtu:
            self._start(self._ask(connection))

    async def _ask(self, connection: Connection) -> None:
        """What an iPhone asks of every device that connects: a large MTU, and its name."""
        try:
            await connection.gatt_client.request_mtu(LARGEST_MTU)
            names = await connection.gatt_client.read_characteristics_by_uuid(
                gatt.GATT_DEVICE_NAME_CHARACTERISTIC, None
            )
        except (core.BaseBumbleError, TimeoutError, asyncio.CancelledError) as error:
            self._report("unanswered", error=str(error) or type(error).__name__)
            return
        if names:
            self._report("name", name=names[0].decode("utf-8", "replace"))

    def _on_disconnection(self, connection: Connection, reason: int) -> None:
        self._forget(connection)
        self._report("disconnected", reason=int(reason))
        self._advertising_changed.set()

    def _on_subscription(self, connection: Connection, is_on: bool) -> None:
        if not is_on:
            self._forget(connection)
        elif connection not in self._subscribers:
            self._report("subscribed", mtu=connection.att_mtu)
            subscriber = self._subscribers[connection] = Subscriber(self._server, connection)
            self._restart_watchdog()
            # The write is answered first.
            asyncio.get_running_loop().call_soon(self._listen, connection, subscriber)
        self._advertising_changed.set()

    def _listen(self, connection: Connection, subscriber: Subscriber) -> None:
        is_registered = self.kind.notifies_every_subscriber or len(self._subscribers) == 1
        if self._subscribers.get(connection) is subscriber and is_registered:
            self.navigation.add(subscriber)

    def _forget(self, connection: Connection) -> None:
        subscriber = self._subscribers.pop(connection, None)
        if subscriber is not None:
            self.navigation.remove(subscriber)
        if not self._subscribers:
            self._cancel_watchdog()

    def _on_read(self, connection: Connection, is_complete: bool) -> None:
        self.navigation.was_read(is_complete)
        self._restart_watchdog()

    # The read watchdog

    def _restart_watchdog(self) -> None:
        self._cancel_watchdog()
        if self.kind.read_watchdog is not None and self._subscribers:
            self._watchdog = asyncio.get_running_loop().call_later(self.kind.read_watchdog, self._on_silence)

    def _cancel_watchdog(self) -> None:
        if self._watchdog is not None:
            self._watchdog.cancel()
            self._watchdog = None
        if self._is_forgotten:
            self._is_forgotten = False
            self._advertising_changed.set()

    def _on_silence(self) -> None:
        self._report("silence", seconds=self.kind.read_watchdog)
        self._is_forgotten = True
        self._advertising_changed.set()

"""A device with services to look at, on the air of a scanner: whole, or with the faults that real ones have."""

import asyncio
import contextlib
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass

from bumble import core, hci
from bumble.core import UUID
from bumble.device import AdvertisingType, Connection, Device, DeviceConfiguration
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from ..wire import chip_kinds
from ..wire.air import Air
from ..wire.chip import Chip
from .database import CROWNSTONE_SERVICE, services

ANSWERS, REFUSES, FAILS, LEAVES, SILENT, DIRECTED = "answers", "refuses", "fails", "leaves", "silent", "directed"
BEHAVIOURS = {
    ANSWERS: "does what it is asked",
    REFUSES: "never answers who wants to connect",
    FAILS: "has a link that ends with 0x3E, as it never was there",
    LEAVES: "disconnects instead of answering the request after N",
    SILENT: "answers N requests, then none",
    DIRECTED: "advertises to the firmware alone, and then does what it is asked",
}
COUNTED = {LEAVES, SILENT}
USUAL_COUNT = 3  # requests: in the midst of a discovery
ADVERTISING_INTERVAL = 100.0  # milliseconds
LAST_COMMANDS = 1.0  # seconds that they may take at its end
NAME = "Crownston"  # as much of it as the firmware of 2016 has room for
ADVERTISING_DATA = bytes.fromhex("0201061107") + CROWNSTONE_SERVICE.to_bytes()
# Id 1, state 2, switched on, events 0x80, 25 °C, 10 W, -100 J.
SERVICE_DATA = bytes.fromhex("0100 0200 ff 80 19 00 10270000 9cffffff")
SCAN_RESPONSE = bytes([1 + len(NAME), 0x08]) + NAME.encode() + bytes.fromhex("131601c0") + SERVICE_DATA


class PeripheralError(Exception):
    """A behaviour that there is not; the message says which there are."""


@dataclass(frozen=True)
class Behaviour:
    """What `--gatt [HOW[:N]]` asks for."""

    how: str = ANSWERS
    after: int = USUAL_COUNT

    @staticmethod
    def parsed(text: str) -> "Behaviour":
        """Raises `PeripheralError`."""
        how, separator, count = text.partition(":")
        if how not in BEHAVIOURS:
            raise PeripheralError(f"'{how}' is nothing that a device does: choose {', '.join(BEHAVIOURS)}")
        if not separator:
            return Behaviour(how)
        if how not in COUNTED or not count.isdecimal():
            raise PeripheralError(
                f"'{text}': a number of requests is for {' and '.join(sorted(COUNTED))}, as {SILENT}:3"
            )
        return Behaviour(how, int(count))


class Peripheral:
    """A connectable device that advertises as a Crownstone of 2016, whenever it has no central.

    Its events `device` have its `address`, how it behaves (`does`) and its `state`; `written` says what was written.
    """

    def __init__(
        self, air: Air, behaviour: Behaviour, central: Chip, random_source: random.Random, report: Callable[..., None]
    ) -> None:
        """`central` is the chip that a directed one is for."""
        self.behaviour = behaviour
        self._central = central
        self._report = report
        address = bytearray(random_source.randbytes(6))
        address[5] |= 0xC0
        self.address = hci.Address(bytes(address), hci.Address.RANDOM_DEVICE_ADDRESS)
        self.chip = Chip("device", air, self.address.to_string(False), random_source, kind=chip_kinds.PHONE)
        self.chip.le_legacy_advertiser.hears_centrals = behaviour.how != REFUSES
        self.device = Device(
            config=DeviceConfiguration(name=NAME, address=self.address), host=Host(self.chip, AsyncPipeSink(self.chip))
        )
        self.device.add_services(services(self._on_write))
        self._answer = self.device.gatt_server.on_gatt_pdu
        if behaviour.how in COUNTED:
            self.device.gatt_server.on_gatt_pdu = self._on_request
        self._requests = 0
        self._tasks: set[asyncio.Task] = set()
        self.device.on(Device.EVENT_CONNECTION, self._on_connection)

    async def start(self) -> None:
        await self.device.power_on()
        await self._advertise()

    async def stop(self) -> None:
        """Takes it off the air for good."""
        # Bumble's host loses count if a command is cancelled.
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=LAST_COMMANDS)
        self.chip.leave()

    async def _advertise(self) -> None:
        is_directed = self.behaviour.how == DIRECTED
        await self.device.start_advertising(
            advertising_type=(
                AdvertisingType.DIRECTED_CONNECTABLE_LOW_DUTY
                if is_directed
                else AdvertisingType.UNDIRECTED_CONNECTABLE_SCANNABLE
            ),
            target=self._central.public_address if is_directed else None,
            own_address_type=hci.OwnAddressType.RANDOM,
            advertising_data=ADVERTISING_DATA,
            scan_response_data=SCAN_RESPONSE,
            advertising_interval_min=ADVERTISING_INTERVAL,
            advertising_interval_max=ADVERTISING_INTERVAL,
        )
        self._tell("advertising")

    def _tell(self, state: str, **fields: object) -> None:
        self._report("device", address=self.address.to_string(False), does=self.behaviour.how, state=state, **fields)

    def _on_write(self, uuid: UUID, value: bytes) -> None:
        self._report("written", address=self.address.to_string(False), uuid=uuid.to_hex_str("-"), data=value.hex())

    def _on_connection(self, connection: Connection) -> None:
        self._requests = 0
        self._tell("connected")
        connection.on(Connection.EVENT_DISCONNECTION, self._on_disconnection)

    def _on_disconnection(self, reason: int) -> None:
        self._tell("disconnected", reason=int(reason))
        self._start(self._advertise())

    def _on_request(self, connection: Connection, request: object) -> None:
        self._requests += 1
        if self._requests <= self.behaviour.after:
            self._answer(connection, request)
        elif self._requests == self.behaviour.after + 1 and self.behaviour.how == LEAVES:
            self._start(self._leave(connection))

    async def _leave(self, connection: Connection) -> None:
        # The central may be quicker.
        with contextlib.suppress(core.BaseBumbleError):
            await connection.disconnect()

    def _start(self, work: Coroutine) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

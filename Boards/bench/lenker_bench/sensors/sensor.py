"""A sensor: a Bumble host of its own on the phone's air, with the habits of real ones."""

import asyncio
import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bumble import core, gatt, hci, keys, l2cap
from bumble.core import UUID, AdvertisingData
from bumble.device import Connection, Device, DeviceConfiguration
from bumble.host import Host
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.common import AsyncPipeSink

from ..phone.rides import Step
from ..wire.air import Air
from ..wire.rootcanal import RootCanal, radio_on
from . import values
from .road import EvenRoad, Road
from .values import Way

READ, NOTIFY = gatt.Characteristic.Properties.READ, gatt.Characteristic.Properties.NOTIFY
INDICATE = gatt.Characteristic.Properties.INDICATE
RADAR_SERVICE = UUID("6A4E3200-667B-11E3-949A-0800200C9A66")
RADAR_VALUE = UUID("6A4E3203-667B-11E3-949A-0800200C9A66")
RADAR_ADVERTISED = UUID.from_16_bits(0xFE1F)  # Garmin's
ADVERTISING_INTERVAL = 250.0  # milliseconds

SHORTEST_NOTIFICATION, LONGEST_NOTIFICATION = 20, 40  # bytes: without asking for more, and what is asked for

KILOMETRES_AN_HOUR = 3.6  # in a metre a second
SECONDS_A_MINUTE = 60

HABITS = SECURE, TICKING, NO_CONTACT, CLAIMS_WHEEL, INDICATES, APPEARS = (
    "secure", "ticking", "no-contact", "claims-wheel", "indicates", "appears",
)  # fmt: skip
"""It leaves a link that stays open; tells the time of each value; denies contact; claims a wheel that it lacks;
indicates its values; announces no service, only an appearance in its scan response."""
OPEN_LINK_TIME = 5.0  # seconds

STRAP_INTERVAL = 250, 400  # units of 1.25 ms: what a Polar strap asks for
STRAP_TIMEOUT = 600  # units of 10 ms
PARAMETERS_AFTER = 5.0  # seconds
REFUSED = hci.HCI_ErrorCode.UNACCEPTABLE_CONNECTION_PARAMETERS_ERROR


class SensorError(Exception):
    """A sensor that there is not; the message says which there are."""


@dataclass(frozen=True)
class SensorKind:
    """What a sensor is, and what it has in its database."""

    device_name: str
    service: UUID
    measurement: UUID
    period: float
    """Seconds from value to value."""
    feature: tuple[UUID, bytes] | None = None
    advertised: UUID | None = None
    appearance: int = 0x0480
    """Assigned Numbers, 2.6: something for cycling."""
    asks_for_parameters: bool = False


KINDS = {
    "heart": SensorKind(
        "H10 4F2A", gatt.GATT_HEART_RATE_SERVICE, gatt.GATT_HEART_RATE_MEASUREMENT_CHARACTERISTIC, 1.0,
        appearance=0x0341, asks_for_parameters=True,
    ),
    "speed": SensorKind(
        "Speed 7731", UUID.from_16_bits(0x1816), UUID.from_16_bits(0x2A5B), 1.0,
        feature=(UUID.from_16_bits(0x2A5C), bytes([3, 0])),
    ),
    "cadence": SensorKind(
        "Cadence 3C4D", UUID.from_16_bits(0x1816), UUID.from_16_bits(0x2A5B), 1.0,
        feature=(UUID.from_16_bits(0x2A5C), bytes([2, 0])),
    ),
    "power": SensorKind(
        "Power 1180", UUID.from_16_bits(0x1818), UUID.from_16_bits(0x2A63), 1.0,
        feature=(UUID.from_16_bits(0x2A65), (1 << 2 | 1 << 3).to_bytes(4, "little")),
    ),
    "radar": SensorKind("RTL515 20411", RADAR_SERVICE, RADAR_VALUE, 0.25, advertised=RADAR_ADVERTISED),
}  # fmt: skip


@dataclass(frozen=True)
class SensorChoice:
    """What `--sensor KIND[:NAME=VALUE,…]` asks for."""

    kind: str
    value: float | None = None
    """Beats a minute, km/h, turns a minute, watts or vehicles; none: as the ride, or the seed, has it."""
    rssi: int = -55
    battery: int = 87
    name: str | None = None
    habit: str | None = None
    """One of `HABITS`."""
    file: tuple[bytes, ...] = ()
    """Values to say one after the other in place of its own; the last one stays."""

    @staticmethod
    def parsed(text: str) -> "SensorChoice":
        """Raises `SensorError`."""
        kind, _, rest = text.partition(":")
        if kind not in KINDS:
            raise SensorError(f"'{kind}' is no sensor: choose {', '.join(KINDS)}")
        found: dict[str, object] = {}
        readers = {"value": float, "rssi": int, "battery": int, "name": str, "habit": habit, "file": values.read}
        for pair in filter(None, rest.split(",")):
            name, _, value = pair.partition("=")
            if name not in readers:
                raise SensorError(f"'{pair}': a sensor's options are {', '.join(f'{key}=' for key in readers)}")
            try:
                found[name] = readers[name](value)
            except OSError as error:
                raise SensorError(f"'{pair}': {error.strerror}") from error
            except ValueError as error:
                raise SensorError(f"'{pair}': '{value}' is not what it takes") from error
        return SensorChoice(kind, **found)


def habit(text: str) -> str:
    """Raises `ValueError`."""
    return HABITS[HABITS.index(text)]


def sensors_of(
    air: Air | RootCanal, texts: Sequence[str], steps: Sequence[Step], seed: object, report: Callable[..., None]
) -> "list[Sensor]":
    """Those that `--sensor` asks for; a wheel turns as the ride goes at its own speed."""
    found = []
    for number, text in enumerate(texts):
        choice = SensorChoice.parsed(text)
        road: Way = Road(steps)
        if choice.kind == "speed" and choice.value is not None:
            road = EvenRoad(choice.value / KILOMETRES_AN_HOUR)
        elif choice.kind == "cadence" and choice.value is not None:
            road = EvenRoad(choice.value / SECONDS_A_MINUTE * values.WHEEL * values.GEAR)
        found.append(Sensor(air, choice, road, random.Random(f"{seed} sensor {number}"), report))
    return found


class Sensor:
    """One sensor on the air, which serves one central. Its events have its `kind` and `address`."""

    def __init__(
        self,
        air: Air | RootCanal,
        choice: SensorChoice,
        road: Way,
        random_source: random.Random,
        report: Callable[..., None],
        kind: SensorKind | None = None,
    ) -> None:
        """`kind` is what it says of itself, if that is not so."""
        self.choice, self.kind = choice, kind or KINDS[choice.kind]
        self._road = road
        self._random = random_source
        self._report = report
        self._advertising_interval = air.advertising_interval or ADVERTISING_INTERVAL
        self.on_value: Callable[[bytes], None] = lambda value: None
        """Is told of each value that it sends to somebody."""
        address = hci.Address(bytes(random_source.randbytes(5)) + b"\xc0", hci.Address.RANDOM_DEVICE_ADDRESS)
        self.address = address
        self.chip = radio_on(air, choice.kind, address.to_string(False), random_source)
        self.chip.signal_strength = choice.rssi
        name = choice.name or self.kind.device_name
        self.device = Device(
            config=DeviceConfiguration(name=name, address=address), host=Host(self.chip, AsyncPipeSink(self.chip))
        )
        if choice.habit == SECURE:
            self.device.keystore = keys.MemoryKeyStore()
            self.device.pairing_config_factory = lambda connection: PairingConfig(
                mitm=False, delegate=PairingDelegate(PairingDelegate.NO_OUTPUT_NO_INPUT)
            )
        self._measurement = self.measurement()
        self.device.add_services(self.services())
        self._tasks: list[asyncio.Task] = []
        self._is_away = False
        self._hearts = values.heart(random_source, choice.value, has_contact=choice.habit != NO_CONTACT)
        self._count = self._place = 0
        self.device.on(Device.EVENT_CONNECTION, self._on_connection)

    def measurement(self) -> gatt.Characteristic:
        """The characteristic that notifies."""
        return gatt.Characteristic(self.kind.measurement, INDICATE if self._indicates else NOTIFY, 0)

    @property
    def _indicates(self) -> bool:
        return self.choice.habit == INDICATES

    def services(self) -> list[gatt.Service]:
        """All that it has."""
        characteristics = [self._measurement]
        if self.kind.feature:
            uuid, value = self.kind.feature
            characteristics.append(gatt.Characteristic(uuid, READ, gatt.Characteristic.Permissions.READABLE, value))
        battery = gatt.Characteristic(
            gatt.GATT_BATTERY_LEVEL_CHARACTERISTIC, READ | NOTIFY, gatt.Characteristic.Permissions.READABLE,
            bytes([self.choice.battery]),
        )  # fmt: skip
        return [gatt.Service(self.kind.service, characteristics), gatt.Service(gatt.GATT_BATTERY_SERVICE, [battery])]

    async def start(self) -> None:
        """Switches it on: it advertises whenever it has no central, and measures."""
        await self.device.power_on()
        await self._advertise()
        self._tasks.append(asyncio.create_task(self._measure()))

    async def stop(self) -> None:
        """Takes it off the air for good."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        self.chip.leave()

    def vanish(self) -> None:
        """Out of reach: its link is lost, and nobody hears it."""
        self._is_away = True
        self.chip.silence()
        self.drop()

    def drop(self) -> None:
        """Loses its link, as by a supervision timeout."""
        for link in list(self.chip.le_connections.values()):
            self.chip.lose_link(link)

    async def come_back(self) -> None:
        self._is_away = False
        await self._advertise()

    def measured(self, seconds: float) -> list[bytes]:
        """Its values at a time of the ride."""
        value = self.choice.value
        match self.choice.kind:
            case "heart":
                return [next(self._hearts)]
            case "speed":
                return [values.csc(self._road, seconds, is_ticking=self.choice.habit == TICKING)]
            case "cadence":
                return [values.cadence(self._road, seconds, claims_wheel=self.choice.habit == CLAIMS_WHEEL)]
            case "power":
                return [values.power(self._road, seconds, int(value if value is not None else 150))]
            case _:
                self._count += 1
                count = int(value if value is not None else 1)
                return values.radar(values.traffic(seconds, count), self._count)

    async def _measure(self) -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()
        for number in self._numbers():
            await asyncio.sleep(start + number * self.kind.period - loop.time())
            for value in self.scripted() or self.measured(loop.time() - start):
                await self.notify(value)

    def scripted(self) -> list[bytes]:
        """The next value of its file, which goes on while somebody hears it."""
        if not self.choice.file:
            return []
        value = self.choice.file[min(self._place, len(self.choice.file) - 1)]
        self._place += self._is_heard
        return [value]

    @property
    def _is_heard(self) -> bool:
        subscribers = self.device.gatt_server.subscribers.values()
        return any(any(subscribed.get(self._measurement.handle, b"")) for subscribed in subscribers)

    async def notify(self, value: bytes) -> None:
        """Says a value to whoever has subscribed."""
        if self._is_heard:
            self.on_value(value)
        # A link that is lost at this moment is nobody's fault.
        with contextlib.suppress(core.BaseBumbleError):
            if self._indicates:
                await self.device.indicate_subscribers(self._measurement, value)
            else:
                await self.device.notify_subscribers(self._measurement, value)

    @staticmethod
    def _numbers() -> Iterator[int]:
        number = 0
        while True:
            yield number
            number += 1

    async def _advertise(self) -> None:
        flags = (AdvertisingData.FLAGS, bytes([0x06]))
        service = (
            AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
            (self.kind.advertised or self.kind.service).to_bytes(),
        )
        name = (AdvertisingData.COMPLETE_LOCAL_NAME, self.device.name.encode())
        appearance = (AdvertisingData.APPEARANCE, self.kind.appearance.to_bytes(2, "little"))
        only_appears = self.choice.habit == APPEARS
        data = AdvertisingData([flags, name] if only_appears else [flags, service, name])
        response = AdvertisingData([appearance] if only_appears else [])
        await self.device.start_advertising(
            advertising_data=bytes(data),
            scan_response_data=bytes(response),
            own_address_type=hci.OwnAddressType.RANDOM,
            advertising_interval_min=self._advertising_interval,
            advertising_interval_max=self._advertising_interval,
        )
        self._tell("advertising")

    def _tell(self, state: str, **fields: object) -> None:
        address = self.address.to_string(False)
        self._report("sensor", kind=self.choice.kind, address=address, state=state, **fields)

    def _on_connection(self, connection: Connection) -> None:
        self._tell("connected")
        connection.on(Connection.EVENT_DISCONNECTION, lambda reason: self._on_disconnection(reason))
        if self.choice.habit == SECURE:
            self._tasks.append(asyncio.create_task(self._ask_for_security(connection)))
        if any(len(value) > SHORTEST_NOTIFICATION for value in self.choice.file):
            self._tasks.append(asyncio.create_task(self._ask_for_longer_values(connection)))
        if self.kind.asks_for_parameters:
            asking = asyncio.create_task(self._ask_for_parameters(connection))
            self._tasks.append(asking)
            connection.on(Connection.EVENT_DISCONNECTION, lambda reason: asking.cancel())

    def _on_disconnection(self, reason: int) -> None:
        self._tell("disconnected", reason=int(reason))
        if not self._is_away:
            self._tasks.append(asyncio.create_task(self._advertise()))

    @staticmethod
    async def _ask_for_longer_values(connection: Connection) -> None:
        with contextlib.suppress(core.BaseBumbleError):
            await connection.gatt_client.request_mtu(LONGEST_NOTIFICATION + 3)

    async def _ask_for_security(self, connection: Connection) -> None:
        """A Security Request, after which it leaves a device that does not encrypt the link."""
        connection.on(Connection.EVENT_PAIRING, lambda _: self._tell("paired"))
        connection.request_pairing()
        await asyncio.sleep(OPEN_LINK_TIME)
        if connection in self.device.connections.values() and not connection.is_encrypted:
            with contextlib.suppress(core.BaseBumbleError):
                await connection.disconnect(hci.HCI_ErrorCode.AUTHENTICATION_FAILURE_ERROR)

    async def _ask_for_parameters(self, connection: Connection) -> None:
        """As a Polar strap does: it leaves a central that refuses."""
        await asyncio.sleep(PARAMETERS_AFTER)
        manager = self.device.l2cap_channel_manager
        manager.connection_parameters_update_response = None
        with contextlib.suppress(core.BaseBumbleError):
            result = await manager.update_connection_parameters(connection, *STRAP_INTERVAL, 0, STRAP_TIMEOUT)
            is_accepted = result == l2cap.L2CAP_CONNECTION_PARAMETERS_ACCEPTED_RESULT
            self._tell("parameters", accepted=is_accepted)
            if not is_accepted:
                await connection.disconnect(REFUSED)

"""Devices whose services are Bumble's own: an iPhone, a strap, and a Bangle.js.

What Bumble leaves open, as the answers of an iPhone, is the bench's.
"""

import asyncio
import random
from collections.abc import Callable

from bumble import att, gatt, hci
from bumble.core import AdvertisingData
from bumble.device import Connection, Device, DeviceConfiguration
from bumble.host import Host
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.profiles import ams, ancs
from bumble.profiles.heart_rate_service import HeartRateService
from bumble.transport.common import AsyncPipeSink

from lenker_bench.phone.gadgetbridge import RX, SERVICE, TX
from lenker_bench.phone.music import PLAYING, Music
from lenker_bench.phone.notifications import Habits, Notifications
from lenker_bench.phone.phone import FIRMWARE_ADDRESS
from lenker_bench.sensors.road import EvenRoad
from lenker_bench.sensors.sensor import Sensor, SensorChoice
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.chip_kinds import PHONE


class BumblesNotifications(Notifications):
    def __init__(self) -> None:
        super().__init__(Habits(is_there=True))
        self._service = ancs.Ancs()
        self.source = self._service.notification_source_characteristic
        self.data = self._service.data_source_characteristic
        self.control = self._service.control_point_characteristic
        self.control.value = gatt.CharacteristicValue(write=self._on_write)

    @property
    def service(self) -> gatt.Service:
        return self._service

    def _tell(self, connection: Connection, event: int, uid: int, flags: int) -> None:
        shown = self._shown[uid]
        kind = (ancs.EventId(event), ancs.EventFlags(shown.flags | flags), ancs.CategoryId(shown.category))
        self.notify(connection, self.source, bytes(ancs.Notification(*kind, 1, uid)))


class BumblesMusic(Music):
    def __init__(self) -> None:
        super().__init__(PLAYING)
        self._service = ams.Ams()
        self.command = self._service.remote_command_characteristic
        self.update = self._service.entity_update_characteristic
        self.attribute = self._service.entity_attribute_characteristic
        self.command.value = gatt.CharacteristicValue(write=self._on_command)
        self.update.value = gatt.CharacteristicValue(write=self._on_update)
        self.attribute.value = gatt.CharacteristicValue(read=self._whole, write=self._on_choice)

    @property
    def service(self) -> gatt.Service:
        return self._service


Measurement = HeartRateService.HeartRateMeasurement


class BumblesStrap(Sensor):
    """It has a location and a control point, too, and says its energy and intervals."""

    def __init__(self, air: Air, beats: int, rssi: int) -> None:
        self._service = HeartRateService(
            lambda connection: self._now, HeartRateService.BodySensorLocation.CHEST, lambda connection: None
        )
        self.beats = beats
        choice = SensorChoice("heart", rssi=rssi, name="Bumble's")
        super().__init__(air, choice, EvenRoad(1), random.Random(7), lambda event, **fields: None)

    @property
    def _now(self) -> Measurement:
        return Measurement(self.beats, True, energy_expended=12, rr_intervals=(60 / self.beats,))

    def measurement(self) -> gatt.Characteristic:
        return self._service.heart_rate_measurement_characteristic

    def services(self) -> list[gatt.Service]:
        _, battery = super().services()
        return [self._service, battery]

    def measured(self, seconds: float) -> list[bytes]:
        return [bytes(self._now)]


Properties, Permissions = gatt.Characteristic.Properties, gatt.Characteristic.Permissions
PATIENCE = 60.0


class Rider(PairingDelegate):
    def __init__(self, bangle: "Bangle") -> None:
        super().__init__(PairingDelegate.NO_OUTPUT_NO_INPUT)
        self._bangle = bangle

    async def accept(self) -> bool:
        await asyncio.sleep(self._bangle.answer_after)
        return True


class Bangle:
    """A device with the table of 15 handles, made of Bumble's parts: a stand-in for the firmware, on its chip.

    It connects to a phone that it hears, or advertises and is connected to; it keeps the values written to it.
    """

    def __init__(self, air: Air, is_open: bool = True, has_service: bool = True) -> None:
        self.chip = Chip("firmware", air, FIRMWARE_ADDRESS, random.Random(2), kind=PHONE)
        configuration = DeviceConfiguration(name="Lenker", address=hci.Address(FIRMWARE_ADDRESS + "/P"))
        self.device = Device(config=configuration, host=Host(self.chip, AsyncPipeSink(self.chip)))
        self.answer_after = 0.0  # seconds that its rider takes to agree to a pairing
        self.device.pairing_config_factory = lambda connection: PairingConfig(mitm=False, delegate=Rider(self))
        self.device.on(Device.EVENT_CONNECTION, self._on_connection)
        self.writes: list[bytes] = []
        self.refusal: int | None = None
        """The error that each write of a line gets."""
        self.on_write: Callable[[bytes], None] = lambda value: None
        self._heard = asyncio.Event()
        secured = Permissions.READABLE if is_open else Permissions.READABLE | Permissions.WRITE_REQUIRES_ENCRYPTION
        self.tx = gatt.Characteristic(TX, Properties.NOTIFY, secured, b"")
        write = gatt.CharacteristicValue(write=self._on_write)
        self.rx = gatt.Characteristic(RX, Properties.WRITE, Permissions.WRITEABLE, write)
        if has_service:
            self.device.add_service(gatt.Service(SERVICE, [self.rx, self.tx]))
        self.is_open = is_open

    def _on_connection(self, connection: Connection) -> None:
        connection.on(
            Connection.EVENT_SECURITY_REQUEST, lambda request: connection.cancel_on_disconnection(connection.pair())
        )

    def _on_write(self, connection: Connection, value: bytes) -> None:
        if not self.is_open and not connection.is_encrypted:
            raise att.ATT_Error(att.ATT_INSUFFICIENT_AUTHENTICATION_ERROR)
        if self.refusal is not None:
            raise att.ATT_Error(self.refusal)
        self.writes.append(bytes(value))
        self._heard.set()
        self.on_write(value)

    @property
    def lines(self) -> list[str]:
        """The whole lines so far, without what is around each."""
        *whole, _ = b"".join(self.writes).decode("latin-1").split("\n")
        return [line.removeprefix("\x10") for line in whole]

    async def line(self, is_it: Callable[[str], bool]) -> str:
        """The first such line."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for found in self.lines:
                    if is_it(found):
                        return found
                self._heard.clear()
                await self._heard.wait()

    async def say(self, line: str, part: int = 20) -> None:
        """Notifies a line, in parts."""
        content = line.encode() + b"\r\n"
        for start in range(0, len(content), part):
            await self.device.notify_subscribers(self.tx, content[start : start + part])

    async def connect(self, address: hci.Address) -> Connection:
        return await self.device.connect(address, own_address_type=hci.OwnAddressType.PUBLIC, timeout=PATIENCE)

    async def advertise(self) -> None:
        await self.device.start_advertising(
            advertising_data=bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, b"Lenker")])),
            own_address_type=hci.OwnAddressType.PUBLIC,
            advertising_interval_min=20.0,
            advertising_interval_max=20.0,
        )

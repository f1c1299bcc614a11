"""The phone's GATT database: komoot's service among the usual ones, and a server with the habits of the kind."""

import asyncio
import struct
import weakref
from collections.abc import Callable
from dataclasses import dataclass

from bumble import att, gatt, gatt_server
from bumble.core import UUID
from bumble.device import Connection, Device

from . import komoot
from .clock import Clock, check_link
from .kinds import Kind
from .music import Music
from .notifications import Notifications


@dataclass
class _InParts:
    value: bytes
    is_at_end: bool = False


class Reading:
    """The reading of one value that may change in the midst of it, by one central.

    Behind a part that may be cut the central reads on. What it then has may be of two values, so it reads the first
    part again, even if nothing followed that: if it is still the same, the central has the value. Before that the next
    instruction must not come, or nobody ever has this one.
    """

    def __init__(self) -> None:
        self._parts: _InParts | None = None

    def answered(self, value: bytes, offset: int, part: bytes, room: int) -> bool:
        """Whether the central has the value now that it got this part of it; `room` is the most that fits in one."""
        if offset == 0:
            return self._answered_first(value, part, room)
        if self._parts is None or self._parts.value != value:
            self._parts = None
        elif len(part) < room:
            self._parts.is_at_end = offset + len(part) == len(value)
        return False

    def _answered_first(self, value: bytes, part: bytes, room: int) -> bool:
        before, self._parts = self._parts, None
        if before is not None and before.is_at_end and before.value == value:
            return True
        if komoot.may_be_cut(part, room):
            self._parts = _InParts(value)
            return False
        return len(part) == len(value)


READ = gatt.Characteristic.Properties.READ
NOTIFY = gatt.Characteristic.Properties.NOTIFY
INDICATE = gatt.Characteristic.Properties.INDICATE
WRITE = gatt.Characteristic.Properties.WRITE
READABLE = gatt.Characteristic.Permissions.READABLE
WRITEABLE = gatt.Characteristic.Permissions.WRITEABLE

APPEARANCE_PHONE = (0x0040).to_bytes(2, "little")

APPLE_CONTINUITY = UUID("D0611E78-BBB4-4591-A5F8-487910AE4366")
APPLE_CONTINUITY_VALUE = UUID("8667556C-9A37-4C91-84ED-54EE27D90049")
CUSTOM_DESCRIPTOR = UUID("A3C87500-8ED3-4BDF-8A39-A01BEBEDE295")

SUBSCRIBED_TO_NOTIFICATIONS, SUBSCRIBED_TO_INDICATIONS = 0x01, 0x02

WHOLE_DATABASE = (0x0001, 0xFFFF)


def _value(uuid: UUID, value: bytes, properties: gatt.Characteristic.Properties = READ) -> gatt.Characteristic:
    permissions = READABLE | WRITEABLE if properties & WRITE else READABLE
    return gatt.Characteristic(uuid, properties, permissions, value)


def _usual_services(
    kind: Kind, service_changed: gatt.Characteristic, clock: Clock, music: Music, notifications: Notifications
) -> list[gatt.Service]:
    """What a central finds beside komoot's service; 16- and 128-bit UUIDs mixed."""
    access = gatt.Service(
        gatt.GATT_GENERIC_ACCESS_SERVICE,
        [
            _value(gatt.GATT_DEVICE_NAME_CHARACTERISTIC, kind.device_name.encode("utf-8")),
            _value(gatt.GATT_APPEARANCE_CHARACTERISTIC, APPEARANCE_PHONE),
        ],
    )
    attributes = gatt.Service(gatt.GATT_GENERIC_ATTRIBUTE_SERVICE, [service_changed])
    battery = gatt.Service(
        gatt.GATT_BATTERY_SERVICE, [_value(gatt.GATT_BATTERY_LEVEL_CHARACTERISTIC, bytes([80]), READ | NOTIFY)]
    )
    if kind.maker == "android":
        return [attributes, access, battery]
    information = gatt.Service(
        gatt.GATT_DEVICE_INFORMATION_SERVICE,
        [
            _value(gatt.GATT_MANUFACTURER_NAME_STRING_CHARACTERISTIC, b"Apple Inc."),
            _value(gatt.GATT_MODEL_NUMBER_STRING_CHARACTERISTIC, b"iPhone14,5"),
        ],
    )
    continuity = gatt.Service(APPLE_CONTINUITY, [_value(APPLE_CONTINUITY_VALUE, b"", WRITE | NOTIFY)])
    optional = [service for service in (clock.service, music.service, notifications.service) if service is not None]
    return [access, attributes, continuity, battery, *optional, information]


class PhoneServer(gatt_server.Server):
    """Serves the navigation value at once, without a task of its own, and by the kind's rules.

    `read` gives the value or raises `att.ATT_Error`; `on_read` hears of each part that is answered, and
    whether the central has the value now; `on_subscription` of each change; `on_search` of each search for komoot's
    service, and whether it is there.

    komoot's service comes and goes. It never comes back to handles that it had, so no subscription outlives it.
    """

    requests = 0
    """How many requests of centrals there were so far."""

    def __init__(
        self,
        device: Device,
        kind: Kind,
        clock: Clock,
        music: Music,
        notifications: Notifications,
        read: Callable[[], bytes],
        on_read: Callable[[Connection, bool], None],
        on_subscription: Callable[[Connection, bool], None],
        on_search: Callable[[bool], None],
    ) -> None:
        self._last_handle = 0
        super().__init__(device)
        self._kind = kind
        self._clock, self._music, self._notifications = clock, music, notifications
        music.notify = notifications.notify = self._send_notification
        self._read = read
        self._on_read = on_read
        self._readings: weakref.WeakKeyDictionary[Connection, Reading] = weakref.WeakKeyDictionary()
        self._on_subscription = on_subscription
        self._on_search = on_search
        self._service_changed = _value(gatt.GATT_SERVICE_CHANGED_CHARACTERISTIC, bytes(4), INDICATE)
        self.add_services(_usual_services(kind, self._service_changed, clock, music, notifications))
        self._navigation: gatt.Service | None = None
        self._instruction: gatt.Characteristic | None = None
        self.add_navigation()

    # The database

    def next_handle(self) -> int:
        return self._last_handle + 1

    def add_attribute(self, attribute: att.Attribute) -> None:
        super().add_attribute(attribute)
        self._last_handle = attribute.handle

    @property
    def has_navigation(self) -> bool:
        """Whether komoot's service is there."""
        return self._navigation is not None

    def add_navigation(self) -> tuple[int, int]:
        """Adds komoot's service behind all handles that were ever used; its first and last handle."""
        kind = self._kind
        descriptors = [gatt.Descriptor(CUSTOM_DESCRIPTOR, READABLE, b"\x01")] if kind.has_custom_descriptor else []
        value = gatt.CharacteristicValue(read=lambda connection: self._read())
        self._instruction = gatt.Characteristic(komoot.CHARACTERISTIC, READ | NOTIFY, READABLE, value, descriptors)
        self._navigation = gatt.Service(komoot.SERVICE, [self._instruction])
        self.add_service(self._navigation)
        if not kind.has_configuration_descriptor:
            # Bumble adds it to whatever can notify; it is the database's last attribute.
            self.attributes.pop()
            for attribute in self.attributes:
                attribute.end_group_handle = min(attribute.end_group_handle, self.attributes[-1].handle)
        return self._navigation.handle, self._navigation.end_group_handle

    def remove_navigation(self) -> tuple[int, int]:
        """Removes komoot's service, which must be there; the first and last handle that it had."""
        first, last = self._navigation.handle, self._navigation.end_group_handle
        self.services.remove(self._navigation)
        self.attributes = [attribute for attribute in self.attributes if not first <= attribute.handle <= last]
        self.attributes_by_handle.clear()
        self._navigation = self._instruction = None
        return first, last

    def wants_service_changed(self, connection: Connection) -> bool:
        """Whether the central has subscribed to Service Changed on this link."""
        configuration = self.read_cccd(connection, self._service_changed)
        return bool(configuration[0] & SUBSCRIBED_TO_INDICATIONS)

    async def indicate_service_changed(self, connection: Connection, first: int, last: int) -> None:
        """Returns once the central has confirmed it. Raises `TimeoutError`."""
        changed = WHOLE_DATABASE if self._kind.indicates_whole_database else (first, last)
        await self.indicate_subscriber(connection, self._service_changed, struct.pack("<HH", *changed))

    def rename(self, name: str) -> None:
        """Gives the phone another name."""
        for attribute in self.attributes:
            if attribute.type == gatt.GATT_DEVICE_NAME_CHARACTERISTIC:
                attribute.value = name.encode("utf-8")

    def shout_service_changed(self, connection: Connection) -> None:
        """Indicates that anything may have changed, and does not wait for the confirmation as one must."""
        indication = att.ATT_Handle_Value_Indication(self._service_changed.handle, struct.pack("<HH", *WHOLE_DATABASE))
        self.send_gatt_pdu(connection, bytes(indication))

    def _is_instruction(self, handle: int) -> bool:
        return self._instruction is not None and handle == self._instruction.handle

    # Centrals

    def notify(self, connection: Connection, value: bytes) -> None:
        """Sends a notification of the instruction, cut to what one can carry."""
        part = value[: connection.att_mtu - 3]
        self.send_gatt_pdu(connection, bytes(att.ATT_Handle_Value_Notification(self._instruction.handle, part)))

    def _send_notification(self, connection: Connection, characteristic: gatt.Characteristic, value: bytes) -> None:
        if self.read_cccd(connection, characteristic)[0] & SUBSCRIBED_TO_NOTIFICATIONS:
            self.send_gatt_pdu(connection, bytes(att.ATT_Handle_Value_Notification(characteristic.handle, value)))

    def write_cccd(self, connection: Connection, characteristic: gatt.Characteristic, value: bytes) -> None:
        music, notifications = self._music, self._notifications
        confidential = (self._clock.time, music.command, music.update, notifications.source, notifications.data)
        is_confidential = characteristic in confidential
        if is_confidential:
            check_link(connection)
        super().write_cccd(connection, characteristic, value)
        if is_confidential:
            is_on = value[:1] == bytes([SUBSCRIBED_TO_NOTIFICATIONS])
            for telling in (music, notifications):
                change = telling.subscribed if is_on else telling.unsubscribed
                # The write is answered first.
                asyncio.get_running_loop().call_soon(change, connection, characteristic)
        if characteristic is self._instruction and len(value) == 2:
            self._on_subscription(connection, bool(value[0] & SUBSCRIBED_TO_NOTIFICATIONS))

    def on_gatt_pdu(self, connection: Connection, pdu: att.ATT_PDU) -> None:
        if pdu.op_code in att.ATT_REQUESTS:
            self.requests += 1
        super().on_gatt_pdu(connection, pdu)

    def on_att_find_by_type_value_request(
        self, connection: Connection, request: att.ATT_Find_By_Type_Value_Request
    ) -> None:
        if request.attribute_value == komoot.SERVICE.to_bytes():
            self._on_search(self.has_navigation)
        super().on_att_find_by_type_value_request(connection, request)

    def on_att_read_request(self, connection: Connection, request: att.ATT_Read_Request) -> None:
        if not self._is_instruction(request.attribute_handle):
            super().on_att_read_request(connection, request)
            return
        value = self._value_for_reader()
        part = value[: connection.att_mtu - 1]
        self.send_response(connection, att.ATT_Read_Response(part))
        self._answered(connection, value, 0, part)

    def on_att_read_blob_request(self, connection: Connection, request: att.ATT_Read_Blob_Request) -> None:
        if not self._is_instruction(request.attribute_handle):
            super().on_att_read_blob_request(connection, request)
            return
        value = self._value_for_reader()
        offset = request.value_offset
        if offset > len(value) and self._kind.refuses_offset_past_end:
            raise att.ATT_Error(att.ATT_INVALID_OFFSET_ERROR, self._instruction.handle)
        part = value[offset : offset + connection.att_mtu - 1]
        self.send_response(connection, att.ATT_Read_Blob_Response(part))
        self._answered(connection, value, offset, part)

    def _answered(self, connection: Connection, value: bytes, offset: int, part: bytes) -> None:
        reading = self._readings.setdefault(connection, Reading())
        self._on_read(connection, reading.answered(value, offset, part, connection.att_mtu - 1))

    def _value_for_reader(self) -> bytes:
        try:
            return self._read()
        except att.ATT_Error as error:
            error.att_handle = self._instruction.handle
            raise

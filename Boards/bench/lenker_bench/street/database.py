"""A GATT database with something of everything that a program which inspects devices can meet."""

from collections.abc import Callable

from bumble import att, gatt
from bumble.core import UUID
from bumble.device import Connection

Properties, Permissions = gatt.Characteristic.Properties, gatt.Characteristic.Permissions
READABLE, WRITEABLE = Permissions.READABLE, Permissions.WRITEABLE
OnWrite = Callable[[UUID, bytes], None]

CROWNSTONE_SERVICE = UUID("24F30000-7D10-4805-BFC1-7663A01C3BFF")
CROWNSTONE_SWITCH = UUID("24F30002-7D10-4805-BFC1-7663A01C3BFF")
LONGEST = bytes(range(256)) * 2  # as long as an attribute may be; Core Specification, Vol 3, Part F, 3.2.9
APPLICATION_ERROR = 0x80  # the first of the application's own; Vol 3, Part F, 3.4.1.1
PERCENT = bytes.fromhex("0400ad27010000")  # uint8, exponent 0, unit 0x27AD; Vol 3, Part G, 3.3.3.5
RELIABLE_WRITE = bytes.fromhex("0100")  # Vol 3, Part G, 3.3.3.1

REFUSALS = {
    "read not permitted": att.ErrorCode.READ_NOT_PERMITTED,
    "authentication": att.ErrorCode.INSUFFICIENT_AUTHENTICATION,
    "authorization": att.ErrorCode.INSUFFICIENT_AUTHORIZATION,
    "encryption": att.ErrorCode.INSUFFICIENT_ENCRYPTION,
    "an error of the application": APPLICATION_ERROR,
}


def own(number: int) -> UUID:
    """A 128-bit UUID of the bench."""
    return UUID(f"9A7D{number:04X}-2C5B-4E53-8B7F-6C656E6B6572")


def described(text: str) -> gatt.Descriptor:
    """Characteristic User Description (Vol 3, Part G, 3.3.3.2)."""
    return gatt.Descriptor(gatt.GATT_CHARACTERISTIC_USER_DESCRIPTION_DESCRIPTOR, READABLE, text.encode())


class Value(gatt.CharacteristicValue):
    """A value that can be read and written, each unless it is refused; `on_write` is told what was written."""

    def __init__(self, value: bytes, on_write: Callable[[bytes], None], refused: int | None = None) -> None:
        super().__init__(self._give, self._take)
        self._value, self._on_write, self._refused = value, on_write, refused

    def _give(self, connection: Connection) -> bytes:
        if self._refused is not None:
            raise att.ATT_Error(self._refused)
        return self._value

    def _take(self, connection: Connection, value: bytes) -> None:
        self._value = bytes(value)
        self._on_write(self._value)


def characteristic(
    uuid: UUID,
    properties: Properties,
    value: bytes,
    on_write: OnWrite,
    descriptors: tuple[gatt.Descriptor, ...] = (),
    refused: int | None = None,
) -> gatt.Characteristic:
    if refused is None and not properties & Properties.READ:
        refused = att.ErrorCode.READ_NOT_PERMITTED
    kept = Value(value, lambda written: on_write(uuid, written), refused)
    return gatt.Characteristic(uuid, properties, READABLE | WRITEABLE, kept, descriptors)


def services(on_write: OnWrite) -> list[gatt.Service]:
    """Beside those of every device; `on_write` is told what is written to a characteristic."""
    information = gatt.Service(
        gatt.GATT_DEVICE_INFORMATION_SERVICE,
        [
            characteristic(gatt.GATT_MANUFACTURER_NAME_STRING_CHARACTERISTIC, Properties.READ, b"Lenker", on_write),
            characteristic(gatt.GATT_MODEL_NUMBER_STRING_CHARACTERISTIC, Properties.READ, "Straße".encode(), on_write),
        ],
    )
    battery = gatt.Service(
        gatt.GATT_BATTERY_SERVICE,
        [
            characteristic(
                gatt.GATT_BATTERY_LEVEL_CHARACTERISTIC,
                Properties.READ | Properties.NOTIFY,
                bytes([87]),
                on_write,
                (
                    described("of the bench"),
                    gatt.Descriptor(gatt.GATT_CHARACTERISTIC_PRESENTATION_FORMAT_DESCRIPTOR, READABLE, PERCENT),
                ),
            )
        ],
    )
    return [information, battery, _every_property(on_write, battery), _refusing(on_write), _crownstone(on_write)]


def _every_property(on_write: OnWrite, included: gatt.Service) -> gatt.Service:
    """A characteristic for each property, one with all, a long one, an empty one, and one with a 16-bit UUID."""
    each = [
        characteristic(own(1 + number), each, bytes([number]), on_write, (described(each.name.lower()),))
        for number, each in enumerate(Properties)
        if each != Properties.EXTENDED_PROPERTIES
    ]
    whole = characteristic(
        own(0x10),
        Properties(0xFF),
        b"all",
        on_write,
        (gatt.Descriptor(gatt.GATT_CHARACTERISTIC_EXTENDED_PROPERTIES_DESCRIPTOR, READABLE, RELIABLE_WRITE),),
    )
    plain = Properties.READ | Properties.WRITE
    others = [
        characteristic(own(0x11), plain, LONGEST, on_write, (gatt.Descriptor(own(0x12), READABLE, b"own"),)),
        characteristic(own(0x13), plain, b"", on_write),
        characteristic(UUID.from_16_bits(0xFFF1), plain, b"\x01", on_write),
    ]
    return gatt.Service(own(0), [*each, whole, *others], included_services=[included])


def _refusing(on_write: OnWrite) -> gatt.Service:
    return gatt.Service(
        UUID.from_16_bits(0xFFF0),
        [
            characteristic(own(0x21 + number), Properties.READ, b"never", on_write, (described(name),), error)
            for number, (name, error) in enumerate(REFUSALS.items())
        ],
    )


def _crownstone(on_write: OnWrite) -> gatt.Service:
    """The switch of the unencrypted firmware of 2016: a byte, from 0 (off) to 255 (on)."""
    return gatt.Service(
        CROWNSTONE_SERVICE,
        [characteristic(CROWNSTONE_SWITCH, Properties.READ | Properties.WRITE, bytes([255]), on_write)],
    )

"""How phones differ: one value for each kind, one field for each difference."""

from dataclasses import dataclass, replace

from bumble.core import AdvertisingData

from ..wire.parameters import Parameters
from . import komoot


@dataclass(frozen=True)
class Manner:
    """How a kind of phone comes; intervals and timeouts in milliseconds."""

    interval: float
    timeout: int
    gives_up: bool
    """It ends each attempt after a while, and pauses; else the attempt goes on until it is heard."""
    pairs_at_once: bool
    """Without a key it asks to pair as soon as there is a link; else it waits to be asked."""
    scans: bool = False
    """It listens in its pauses, and ends one when it hears the device."""


DEFAULT_ADVERTISEMENT_FLAGS = {"apple": 0x1A, "android": 0x02}

APPLE_COMPANY = bytes.fromhex("4c00")
APPLE_OVERFLOW_AREA = b"\x01"
# Other apps in the background set bits of their own.
OTHER_APPS_BITS = (3, 90)


@dataclass(frozen=True)
class Kind:
    """What one kind of phone does; times in seconds."""

    name: str
    device_name: str
    maker: str
    service_in_advertisement: bool
    name_in_scan_response: bool
    advertising_interval: float
    """In milliseconds."""
    advertises_until_subscribed: bool
    """Else until connected."""
    new_address_at_each_advertising: bool
    notifies_every_subscriber: bool
    """Else only the one that was there first, the registered device."""
    notifies_identifier: bool
    """Else the whole value, cut to MTU - 3."""
    new_identifier_at_each_send: bool
    """Else at each new instruction."""
    refuses_reading_before_start: bool
    """With ATT error 0x0A; else it gives an identifier and zeros."""
    refuses_offset_past_end: bool
    """With ATT error 0x07; else it gives an empty part."""
    has_configuration_descriptor: bool
    has_custom_descriptor: bool
    read_watchdog: float | None
    repeats_while_paused: bool
    asks_for_mtu: bool
    asks_by_link_layer: bool
    """For connection parameters, where the central's controller can be asked so; else by L2CAP."""
    wanted_parameters: Parameters
    parameters_after: float | None
    """How long after the connection it asks for them, if it ever does."""
    indicates_service_changed: bool
    """Else its services come and go in silence."""
    indicates_whole_database: bool
    """As what has changed; else the handles that have."""
    has_public_identity: bool
    """Its identity address is the public one of its chip; else a static random one."""
    comes: Manner | None = None
    """It connects to the firmware by itself, in this manner; else it waits to be found."""

    def advertisement(self) -> bytes:
        """The advertising data, at most 31 bytes."""
        flags = (AdvertisingData.FLAGS, bytes([DEFAULT_ADVERTISEMENT_FLAGS[self.maker]]))
        if not self.service_in_advertisement:
            mask = komoot.overflow_mask(komoot.overflow_bit(komoot.SERVICE), *OTHER_APPS_BITS)
            overflow = APPLE_COMPANY + APPLE_OVERFLOW_AREA + mask
            return _encode(flags, (AdvertisingData.MANUFACTURER_SPECIFIC_DATA, overflow))
        service = (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, komoot.SERVICE.to_bytes())
        if self.name_in_scan_response:
            return _encode(flags, service)
        return _encode(flags, service, self._local_name())

    def usual_advertisement(self) -> bytes:
        """What the phone sends when no app has anything to offer."""
        return _encode((AdvertisingData.FLAGS, bytes([DEFAULT_ADVERTISEMENT_FLAGS[self.maker]])))

    def scan_response(self) -> bytes:
        """The scan response data, at most 31 bytes."""
        return _encode(self._local_name()) if self.name_in_scan_response else b""

    def _local_name(self) -> tuple[int, bytes]:
        return AdvertisingData.COMPLETE_LOCAL_NAME, self.device_name.encode("utf-8")


def _encode(*structures: tuple[int, bytes]) -> bytes:
    return bytes(AdvertisingData(list(structures)))


IOS = Kind(
    name="ios",
    device_name="komoot",
    maker="apple",
    service_in_advertisement=True,
    name_in_scan_response=False,
    advertising_interval=30.0,
    advertises_until_subscribed=True,
    new_address_at_each_advertising=False,
    notifies_every_subscriber=True,
    notifies_identifier=True,
    new_identifier_at_each_send=False,
    refuses_reading_before_start=True,
    refuses_offset_past_end=True,
    has_configuration_descriptor=True,
    has_custom_descriptor=False,
    read_watchdog=5.0,
    repeats_while_paused=True,
    asks_for_mtu=True,
    asks_by_link_layer=False,
    wanted_parameters=Parameters(interval_min=24, interval_max=36, latency=0, timeout=200),
    parameters_after=1.5,
    indicates_service_changed=True,
    indicates_whole_database=False,
    has_public_identity=True,
)

IOS_BACKGROUND = replace(IOS, name="ios-background", service_in_advertisement=False, advertising_interval=1022.5)

ANDROID = Kind(
    name="android",
    device_name="Pixel 7",
    maker="android",
    service_in_advertisement=True,
    name_in_scan_response=True,
    advertising_interval=100.0,
    advertises_until_subscribed=False,
    new_address_at_each_advertising=True,
    notifies_every_subscriber=False,
    notifies_identifier=False,
    new_identifier_at_each_send=True,
    refuses_reading_before_start=False,
    refuses_offset_past_end=False,
    has_configuration_descriptor=True,
    has_custom_descriptor=True,
    read_watchdog=None,
    repeats_while_paused=False,
    asks_for_mtu=False,
    asks_by_link_layer=True,
    wanted_parameters=Parameters(interval_min=80, interval_max=100, latency=2, timeout=500),
    parameters_after=3.0,
    indicates_service_changed=True,
    indicates_whole_database=True,
    has_public_identity=False,
)

# Without a configuration descriptor nobody can subscribe: such a phone is heard by reading alone.
ANDROID_2019 = replace(
    ANDROID,
    name="android-2019",
    device_name="Moto G5",
    has_configuration_descriptor=False,
    has_custom_descriptor=False,
    indicates_service_changed=False,
)

IPHONE_COMES = replace(IOS, name="iphone-comes", comes=Manner(30.0, 720, gives_up=False, pairs_at_once=False))
GADGETBRIDGE = replace(ANDROID, name="gadgetbridge", comes=Manner(50.0, 5000, gives_up=True, pairs_at_once=True))

KINDS = {kind.name: kind for kind in (IOS, IOS_BACKGROUND, ANDROID, ANDROID_2019)}
COMING_KINDS = {kind.name: kind for kind in (IPHONE_COMES, GADGETBRIDGE)}
ALL_KINDS = KINDS | COMING_KINDS

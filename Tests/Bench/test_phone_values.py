"""What each kind of phone notifies and lets one read."""

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bumble import att, hci
from bumble.core import UUID, AdvertisingData

from central import Central, Heard, Report, central_at, hear
from lenker_bench.phone import komoot
from lenker_bench.phone.kinds import KINDS
from lenker_bench.programs.processes import running_phone
from recording import told_apart

LONG_STREET = "Straße des Friedens und der Zusammenarbeit"
HEADER = "milliseconds,direction,distance,street\n"


def decode(value: bytes) -> tuple[int, int, str]:
    direction, distance = struct.unpack_from("<BI", value, 4)
    return direction, distance, value[9:].decode("utf-8")


@pytest.fixture
def a_long_street(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(f"{HEADER}0,5,110,{LONG_STREET}\n6000000,3,0,\n", encoding="utf-8")
    return path


@contextlib.asynccontextmanager
async def subscribed(kind: str, ride: Path, *options: str, mtu: int | None = 517) -> AsyncIterator[Central]:
    """A central that has subscribed to a phone of this kind, which rides."""
    async with running_phone(f"--kind={kind}", "--ride", ride, *options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=mtu)
        await central.subscribe()
        yield central


async def refusal(reading) -> int:
    with pytest.raises(att.ATT_Error) as error:
        await reading
    return error.value.error_code


async def test_an_iphone_refuses_to_be_read_before_the_ride(a_ride):
    async with running_phone("--kind=ios", "--ride", a_ride) as phone, central_at(phone.port) as central:
        await central.connect()
        await central.discover()
        assert await refusal(central.read()) == 0x0A


@pytest.mark.parametrize("kind", ["android", "android-2019"])
async def test_an_android_phone_gives_an_identifier_and_zeros_before_the_ride(a_ride, kind):
    async with running_phone(f"--kind={kind}", "--ride", a_ride) as phone, central_at(phone.port) as central:
        await central.connect()
        await central.discover()
        value = await central.read()
    assert len(value) == 9 and value[:4] != bytes(4) and value[4:] == bytes(5)


async def test_an_iphone_notifies_identifiers_and_now_and_then_whole_values(a_long_street):
    async with subscribed("ios", a_long_street, "--speed=10") as central:
        notifications = [await central.next_notification() for _ in range(18)]
        value = await central.read()
    assert set(notifications) == {value[:4], value}
    assert notifications.count(value) < len(notifications) / 2


async def test_an_android_phone_has_a_new_identifier_at_every_send(a_long_street):
    async with subscribed("android", a_long_street, "--speed=5") as central:
        values = [await central.next_notification() for _ in range(3)]
    assert len({value[:4] for value in values}) == 3
    assert {decode(value) for value in values} == {(5, 110, LONG_STREET)}


async def test_an_android_phone_cuts_its_notifications_to_the_mtu(a_long_street):
    async with subscribed("android", a_long_street, mtu=None) as central:
        notification = await central.next_notification()
    assert len(notification) == 20
    assert notification[4:] == struct.pack("<BI", 5, 110) + LONG_STREET.encode()[:11]


async def read_in_parts(central: Central, mtu: int) -> bytes:
    value = await central.read_once()
    while len(part := await central.read_blob(len(value))) == mtu - 1:
        value += part
    return value + part


@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_a_long_value_is_read_in_parts(a_long_street, kind):
    mtu = 23 if kind == "android" else None
    async with subscribed(kind, a_long_street, "--speed=0.1", mtu=mtu) as central:
        await central.next_notification()
        assert decode(await read_in_parts(central, central.connection.att_mtu)) == (5, 110, LONG_STREET)


@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_the_end_of_a_value_and_what_is_past_it(a_long_street, kind):
    async with subscribed(kind, a_long_street, "--speed=0.1") as central:
        await central.next_notification()
        end = len(await central.read())
        assert await central.read_blob(end) == b""
        if kind == "ios":
            assert await refusal(central.read_blob(end + 1)) == 0x07
        else:
            assert await central.read_blob(end + 1) == b""


CONFIGURATION = "2902"


@pytest.mark.parametrize(
    ("kind", "descriptors"),
    [
        ("ios", [CONFIGURATION]),
        ("android", ["A3C87500-8ED3-4BDF-8A39-A01BEBEDE295", CONFIGURATION]),
        ("android-2019", []),
    ],
)
async def test_the_descriptors_of_each_kind(a_ride, kind, descriptors):
    async with running_phone(f"--kind={kind}", "--ride", a_ride) as phone, central_at(phone.port) as central:
        await central.connect()
        await central.discover()
        found = [descriptor.type.to_hex_str("-") for descriptor in central.characteristic.descriptors]
    assert found == descriptors


async def test_a_phone_without_a_configuration_descriptor_rides_as_fast_as_it_is_read(a_ride):
    options = ("--kind=android-2019", "--ride", a_ride, "--speed=1000")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        await central.discover()
        assert decode(await central.read()) == (0, 0, "")
        for expected in [(2, 0, "Lennéstraße"), (5, 110, "Voßstraße"), (5, 100, "Voßstraße"), (3, 0, "")]:
            told = await phone.log.wait_for("instruction")
            assert (told["direction"], told["distance"], told["listeners"]) == (*expected[:2], 1)
            assert decode(await central.read()) == expected
        await phone.log.wait_for("finished", last_heard=True)
    assert central.notifications.empty()
    assert phone.log.named("unheard") == phone.log.named("subscribed") == []


# 71C1E128-D92F-4FA8-A2B2-0F171DB3436C, least significant byte first, as it goes over the air.
SERVICE_ON_AIR = bytes.fromhex("6c43b31d170fb2a2a84f2fd928e1c171")
COMPLETE_LIST_OF_128_BIT_UUIDS, COMPLETE_LOCAL_NAME, MANUFACTURER_DATA = 0x07, 0x09, 0xFF


def structures(report: Report) -> dict[int, bytes]:
    return dict(AdvertisingData.from_bytes(report.data).ad_structures)


async def test_an_iphone_advertises_the_service_and_a_name(a_ride):
    async with running_phone("--kind=ios", "--ride", a_ride) as phone, central_at(phone.port) as central:
        advertisement, _ = await central.find()
    found = structures(advertisement)
    assert found[COMPLETE_LIST_OF_128_BIT_UUIDS] == SERVICE_ON_AIR
    assert found[COMPLETE_LOCAL_NAME] == b"komoot"


async def test_a_background_iphone_advertises_one_bit_of_the_overflow_area(a_ride):
    async with running_phone("--kind=ios-background", "--ride", a_ride) as phone, central_at(phone.port) as central:
        advertisement, scan_response = await central.find()
    assert SERVICE_ON_AIR not in advertisement.data + scan_response.data
    overflow = structures(advertisement)[MANUFACTURER_DATA]
    assert overflow[:3] == bytes.fromhex("4c0001") and len(overflow) == 19
    assert overflow[3:][5] & 0x08


async def test_an_android_phone_has_its_name_in_the_scan_response(a_ride):
    async with running_phone("--kind=android", "--ride", a_ride) as phone, central_at(phone.port) as central:
        advertisement, scan_response = await central.find()
    assert structures(advertisement)[COMPLETE_LIST_OF_128_BIT_UUIDS] == SERVICE_ON_AIR
    assert COMPLETE_LOCAL_NAME not in structures(advertisement)
    assert structures(scan_response)[COMPLETE_LOCAL_NAME] == b"Pixel 7"


@pytest.mark.parametrize("kind", KINDS)
def test_advertising_data_fit(kind):
    assert len(KINDS[kind].advertisement()) <= 31
    assert len(KINDS[kind].scan_response()) <= 31


@pytest.mark.parametrize(
    ("uuid", "bit"),
    [
        ("71C1E128-D92F-4FA8-A2B2-0F171DB3436C", 44),
        ("B82AB3FC-1595-4F6A-80F0-FE094CC218F9", 7),
        ("17E033D3-490E-4BC9-9FE8-2F567643F4D3", 16),
        ("C1F5983C-FA94-4AC8-8E2E-BB86D6DE9B21", 73),
        ("7A0B8D2E-4C1F-4E6A-9B3D-2F5E8C1A7D10", 117),
        ("3333", 62),
    ],
)
def test_overflow_bits_are_the_measured_ones(uuid, bit):
    assert komoot.overflow_bit(UUID(uuid)) == bit


SUBSCRIBABLE = ["ios", "ios-background", "android"]


@pytest.mark.parametrize("kind", SUBSCRIBABLE)
async def test_every_instruction_of_a_ride_is_heard_in_order(a_ride, kind):
    heard = Heard()
    options = (f"--kind={kind}", "--ride", a_ride, "--speed=1000")
    async with running_phone(*options) as phone:
        async with central_at(phone.port) as central:
            await central.connect(mtu=517)
            await central.subscribe()
            hearing = asyncio.create_task(hear(central, heard))
            await phone.log.wait_for("finished", timeout=120, last_heard=True)
            hearing.cancel()
        assert await phone.wait() == 0
    assert heard.instructions == told_apart(a_ride)


async def test_a_firmware_that_vanishes_is_a_supervision_timeout_and_may_come_back(a_ride):
    async with running_phone("--kind=android", "--ride", a_ride) as phone:
        async with central_at(phone.port) as central:
            await central.connect(mtu=517)
            await central.subscribe()
        await phone.log.wait_for("disconnected", reason=hci.HCI_CONNECTION_TIMEOUT_ERROR)
        await phone.log.wait_for("advertising", state="on")
        async with central_at(phone.port) as central:
            await central.connect(mtu=517)
            await central.subscribe()
            assert len(await central.next_notification()) >= 9


async def test_a_firmware_that_takes_its_leave_is_told_apart(a_ride):
    async with running_phone("--kind=ios", "--ride", a_ride) as phone, central_at(phone.port) as central:
        await central.connect()
        await central.connection.disconnect(hci.HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)
        assert central.reason == hci.HCI_CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR
        await phone.log.wait_for("disconnected", reason=hci.HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)

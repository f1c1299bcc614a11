"""What each kind of phone notifies and lets one read."""

import itertools
import struct

import pytest
from bumble import att

from central import Central, central_at
from lenker_bench.phone.kinds import KINDS
from lenker_bench.programs.processes import running_phone

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
    options = ("--kind=ios", "--ride", a_long_street, "--speed=10")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        await central.subscribe()
        notifications = [await central.next_notification() for _ in range(18)]
        value = await central.read()
    assert set(notifications) == {value[:4], value}
    assert notifications.count(value) < len(notifications) / 2


async def test_an_iphone_repeats_with_the_same_identifier(a_long_street):
    options = ("--kind=ios", "--ride", a_long_street, "--speed=5")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        await central.subscribe()
        identifiers = [(await central.next_notification())[:4] for _ in range(3)]
    assert len(set(identifiers)) == 1


async def test_an_android_phone_has_a_new_identifier_at_every_send(a_long_street):
    options = ("--kind=android", "--ride", a_long_street, "--speed=5")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        await central.subscribe()
        values = [await central.next_notification() for _ in range(3)]
    assert len({value[:4] for value in values}) == 3
    assert {decode(value) for value in values} == {(5, 110, LONG_STREET)}


async def test_an_android_phone_cuts_its_notifications_to_the_mtu(a_long_street):
    options = ("--kind=android", "--ride", a_long_street)
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect()
        await central.subscribe()
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
    options = (f"--kind={kind}", "--ride", a_long_street, "--speed=0.1")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=23 if kind == "android" else None)
        await central.subscribe()
        await central.next_notification()
        assert decode(await read_in_parts(central, central.connection.att_mtu)) == (5, 110, LONG_STREET)


@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_the_end_of_a_value_and_what_is_past_it(a_long_street, kind):
    options = (f"--kind={kind}", "--ride", a_long_street, "--speed=0.1")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        await central.subscribe()
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


@pytest.mark.parametrize("kind", ["ios", "android", "android-2019"])
async def test_the_service_is_one_of_many(a_ride, kind):
    async with running_phone(f"--kind={kind}", "--ride", a_ride) as phone, central_at(phone.port) as central:
        await central.connect()
        services = await central.connection.gatt_client.discover_services()
    uuids = [service.uuid.to_hex_str("-") for service in services]
    assert {"1800", "1801", "180F", "71C1E128-D92F-4FA8-A2B2-0F171DB3436C"} <= set(uuids)
    assert all(one.end_group_handle < next_one.handle for one, next_one in itertools.pairwise(services))


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


@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_every_phone_accepts_the_largest_mtu(a_ride, kind):
    async with running_phone(f"--kind={kind}", "--ride", a_ride) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        assert central.connection.att_mtu == 517


async def test_an_iphone_asks_for_an_mtu(a_ride):
    async with running_phone("--kind=ios", "--ride", a_ride) as phone, central_at(phone.port) as central:
        await central.connect()
        await phone.log.wait_for("mtu", mtu=517)


@pytest.mark.parametrize("kind", KINDS)
async def test_every_phone_asks_who_we_are(a_ride, kind):
    async with running_phone(f"--kind={kind}", "--ride", a_ride) as phone, central_at(phone.port) as central:
        await central.connect()
        await phone.log.wait_for("name", name="Handlebar", appearance=0)

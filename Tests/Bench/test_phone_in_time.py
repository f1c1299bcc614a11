"""When the phone does what: seconds that nobody waits for, and that are exact on the slowest machine."""

import asyncio
import struct

import pytest
from bumble import att, crypto, gatt, hci
from bumble.device import Peer

from central import Central
from lenker_bench.phone import komoot
from lenker_bench.phone.phone import ADDRESS_LIFETIME
from lenker_bench.phone.rides import Step
from virtual_air import on_the_air

pytestmark = pytest.mark.virtual_time

ReportType = hci.HCI_LE_Advertising_Report_Event.EventType
SUBSCRIBABLE = ["ios", "ios-background", "android"]


# Advertising


async def test_the_duplicate_filter_reports_each_phone_once():
    async with on_the_air("android") as scene:
        reports = []
        scene.central.device.host.on("advertising_report", reports.append)
        await scene.central.device.start_scanning(legacy=True, filter_duplicates=True)
        await asyncio.sleep(5)
        assert [report.event_type for report in reports] == [ReportType.ADV_IND, ReportType.SCAN_RSP]


async def test_scan_responses_come_only_when_asked_for():
    async with on_the_air("android") as scene:
        kinds = [
            {report.event_type for report in await scene.central.scan(5, is_active)} for is_active in (False, True)
        ]
    assert kinds == [{ReportType.ADV_IND}, {ReportType.ADV_IND, ReportType.SCAN_RSP}]


async def test_it_changes_its_address_every_15_minutes_and_stays_resolvable():
    async with on_the_air("ios") as scene:
        addresses = []
        for _ in range(3):
            (address,) = {bytes(report.address) for report in await scene.central.scan(1)}
            addresses.append(address)
            await asyncio.sleep(ADDRESS_LIFETIME)
        # Core Specification, Vol 3, Part C, appendix A, and Vol 6, Part B, 1.3.2.3.
        assert ADDRESS_LIFETIME == 900 and len(set(addresses)) == 3
        assert all(crypto.ah(scene.phone.identity.irk, address[3:]) == address[:3] for address in addresses)


async def test_an_iphone_advertises_until_somebody_subscribes():
    async with on_the_air("ios") as scene:
        await scene.central.connect()
        assert await scene.central.scan(1)
        await scene.central.subscribe()
        await scene.log.wait_for("advertising", state="off")
        assert not await scene.central.scan(1)


async def test_an_android_phone_advertises_until_somebody_connects():
    async with on_the_air("android") as scene:
        await scene.central.connect()
        assert not await scene.central.scan(1)


@pytest.mark.parametrize(("kind", "changes"), [("ios", False), ("android", True)])
async def test_an_android_phone_comes_back_with_a_new_address(kind, changes):
    async with on_the_air(kind) as scene:
        await scene.central.connect()
        first = scene.central.connection.peer_address
        await scene.central.subscribe()
        scene.phone.drop()
        await scene.central.disconnected.wait()
        assert scene.central.reason == hci.HCI_CONNECTION_TIMEOUT_ERROR
        advertisement, _ = await scene.central.find()
        assert (advertisement.address != first) == changes
        assert advertisement.address.is_resolvable


async def test_an_iphone_that_is_not_read_for_five_seconds_advertises_again_and_stays_connected():
    async with on_the_air("ios") as scene:
        await scene.central.connect()
        await scene.central.subscribe()
        subscribed = await scene.log.wait_for("subscribed")
        await scene.log.wait_for("advertising", state="off")
        again = await scene.log.wait_for("advertising", state="on")
        assert again["t"] - subscribed["t"] == pytest.approx(5)
        assert await scene.central.scan(1) and not scene.central.disconnected.is_set()
        await scene.central.read()
        await scene.log.wait_for("advertising", state="off")


# Riding


async def test_the_ride_begins_with_the_subscription():
    async with on_the_air("ios") as scene:
        await scene.central.connect()
        await scene.central.discover()
        await asyncio.sleep(5)
        assert scene.log.named("instruction") == []
        await scene.central.subscribe()
        subscribed = await scene.log.wait_for("subscribed")
        first = await scene.log.wait_for("instruction")
        assert (first["direction"], first["distance"], first["street"]) == (2, 0, "Lennéstraße")
        assert first["t"] == pytest.approx(subscribed["t"])


@pytest.mark.parametrize("kind", SUBSCRIBABLE)
async def test_time_goes_on_while_nobody_is_connected(kind):
    async with on_the_air(kind) as scene:
        await scene.central.connect(mtu=517)
        await scene.central.subscribe()
        begun = await scene.log.wait_for("instruction", number=1)
        scene.phone.drop()
        passed = await scene.log.wait_for("instruction", number=4)
        assert passed["listeners"] == 0
        assert passed["t"] - begun["t"] == pytest.approx(3)


async def test_the_next_turn_waits_for_a_central_that_reads_on_behind_what_may_be_cut():
    """However late the ride is, as after a pause of the whole machine."""
    async with on_the_air("ios", [Step(0, 5, 110, "Voßstraße"), Step(1, 3, 0, "")]) as scene:
        await scene.central.connect(mtu=517)
        await scene.central.subscribe()
        await scene.log.wait_for("instruction", number=1)
        street = await scene.central.read_once()
        await asyncio.sleep(1)
        assert len(scene.log.named("instruction")) == 1
        assert await scene.central.read_blob(len(street)) == b""
        assert await scene.central.read_once() == street
        await scene.log.wait_for("instruction", number=2)
        assert scene.log.named("unheard") == []


INDICATING = ["ios", "ios-background", "android"]
# What has changed: the handles that had the service, or the whole database.
WHOLE_DATABASE = (0x0001, 0xFFFF)


async def hear_changes(central: Central) -> asyncio.Queue[tuple[int, int]]:
    """Subscribes to Service Changed; the handle ranges that are indicated."""
    changes: asyncio.Queue[tuple[int, int]] = asyncio.Queue()
    (service,) = await Peer(central.connection).discover_service(gatt.GATT_GENERIC_ATTRIBUTE_SERVICE)
    (changed,) = await service.discover_characteristics([gatt.GATT_SERVICE_CHANGED_CHARACTERISTIC])
    await changed.subscribe(lambda value: changes.put_nowait(struct.unpack("<HH", value)), prefer_notify=False)
    return changes


async def invalid_handle(central: Central) -> bool:
    with pytest.raises(att.ATT_Error) as error:
        await central.read()
    return error.value.error_code == 0x01


@pytest.mark.parametrize("kind", INDICATING)
async def test_the_service_goes_with_the_ride_and_comes_back_elsewhere(kind):
    async with on_the_air(kind, speed=1000, rides=2, pause=10) as scene:
        phone, central = scene.log, scene.central
        await central.connect(mtu=517)
        changes = await hear_changes(central)
        await central.subscribe()
        # Whole values, so that the ride goes on without reads; an iPhone's are rare.
        reading = asyncio.create_task(read_all(central))
        gone = await phone.wait_for("service", 30, state="gone")
        reading.cancel()
        expected = WHOLE_DATABASE if kind == "android" else (gone["first"], gone["last"])
        assert await changes.get() == expected
        await phone.wait_for("confirmed", first=gone["first"])
        assert await invalid_handle(central)
        assert await Peer(central.connection).discover_service(komoot.SERVICE) == []
        assert not await central.scan(5), "and nobody else is to find it"

        back = await phone.wait_for("service", state="back")
        assert back["t"] - gone["t"] == pytest.approx(10)
        assert back["first"] > gone["last"]
        await changes.get()
        assert await invalid_handle(central), "the old handle stays invalid"
        await central.subscribe()
        assert central.characteristic.handle > gone["last"]
        assert (await phone.wait_for("instruction"))["number"] == 1


async def read_all(central: Central) -> None:
    while True:
        await central.next_notification()
        await central.read()


@pytest.mark.parametrize("kind", INDICATING)
async def test_who_has_not_asked_is_not_told_and_subscriptions_are_those_of_the_link(kind):
    async with on_the_air(kind) as scene:
        await scene.central.connect(mtu=517)
        changes = await hear_changes(scene.central)
        scene.phone.move_service()
        await scene.log.wait_for("confirmed")
        assert not changes.empty()
        await scene.central.connection.disconnect()
        await scene.log.wait_for("disconnected")
        await scene.central.connect(mtu=517)
        scene.phone.move_service()
        await asyncio.sleep(60)
        assert len(scene.log.named("confirmed")) == 1

"""When the phone does what: seconds that nobody waits for, and that are exact on the slowest machine."""

import asyncio

import pytest
from bumble import crypto, hci

from hearing import Heard, hear
from lenker_bench.phone.phone import ADDRESS_LIFETIME
from lenker_bench.phone.rides import Step
from virtual_air import RIDE, on_the_air

pytestmark = pytest.mark.virtual_time

ReportType = hci.HCI_LE_Advertising_Report_Event.EventType
SUBSCRIBABLE = ["ios", "ios-background", "android"]


# Advertising


async def test_it_advertises_about_ten_times_a_second():
    async with on_the_air("ios") as scene:
        reports = await scene.central.scan(10, active=False)
    # Every 100 ms and up to 10 ms more: Core Specification, Vol 6, Part B, 4.4.2.2.1.
    assert 90 <= len(reports) <= 100
    strengths = [report.rssi for report in reports]
    assert all(-80 < strength < -40 for strength in strengths) and len(set(strengths)) > 1


async def test_a_slow_scan_hears_a_tenth():
    async with on_the_air("ios") as scene:
        reports = []
        scene.central.device.host.on("advertising_report", reports.append)
        # Ten times for 120 ms, in each of which it advertises once or twice.
        await scene.central.device.start_scanning(legacy=True, active=False, scan_interval=1280, scan_window=120)
        await asyncio.sleep(12.8)
        assert 10 <= len(reports) <= 20


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


async def test_an_address_changes_at_any_moment_of_beginning_to_advertise():
    async with on_the_air("android") as scene:
        for turns in range(20):
            scene.phone.vanish()
            await scene.log.wait_for("advertising", state="off")
            scene.phone.come_back()
            for _ in range(turns):
                await asyncio.sleep(0)
            await scene.phone.change_address()
            advertisement, _ = await scene.central.find()
            assert advertisement.address == scene.phone.device.random_address


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


async def test_reads_keep_an_iphone_quiet():
    async with on_the_air("ios", speed=0.1) as scene:
        await scene.central.connect()
        await scene.central.subscribe()
        for _ in range(4):
            await asyncio.sleep(4.9)
            await scene.central.read()
        assert scene.log.named("silence") == []


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


@pytest.mark.parametrize("kind", SUBSCRIBABLE)
async def test_the_ride_goes_on_after_each_loss(kind):
    async with on_the_air(kind) as scene:
        heard = Heard()

        async def ride_again_and_again() -> None:
            while True:
                await scene.central.connect(mtu=517)
                await scene.central.subscribe()
                hearing = asyncio.create_task(hear(scene.central, heard))
                await scene.central.disconnected.wait()
                assert scene.central.reason == hci.HCI_CONNECTION_TIMEOUT_ERROR
                hearing.cancel()

        riding = asyncio.create_task(ride_again_and_again())
        for _ in range(2):
            await scene.log.wait_for("instruction")
            await asyncio.sleep(0.9)
            scene.phone.drop()
        await scene.log.wait_for("finished", 30, last_heard=True)
        riding.cancel()
        assert len(scene.log.named("dropped")) == 2
        assert {event["reason"] for event in scene.log.named("disconnected")} == {hci.HCI_CONNECTION_TIMEOUT_ERROR}
        assert heard.instructions[0] == (2, 0, "Lennéstraße") and heard.instructions[-1] == (3, 0, "")


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
        await scene.log.wait_for("instruction", number=2)
        assert scene.log.named("unheard") == []


async def test_the_last_instruction_stays_for_three_seconds():
    async with on_the_air("android", RIDE, speed=1000) as scene:
        await scene.central.connect(mtu=517)
        await scene.central.subscribe()
        last = await scene.log.wait_for("instruction", number=4)
        finished = await scene.log.wait_for("finished", last_heard=True)
        assert finished["t"] - last["t"] == pytest.approx(3)

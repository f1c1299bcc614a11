"""The phone's service comes and goes as navigation does, and it tells who wants to hear of it."""

import asyncio
import struct

import pytest
from bumble import att, gatt
from bumble.device import Peer
from central import Central, central_at

from lenker_bench import komoot
from lenker_bench.kinds import KINDS
from lenker_bench.processes import running_phone

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
async def test_the_service_goes_with_the_ride_and_comes_back_elsewhere(a_ride, kind):
    options = (f"--kind={kind}", "--ride", a_ride, "--speed=1000", "--rides=2", "--pause=4")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        changes = await hear_changes(central)
        await central.subscribe()
        # Whole values, so that the ride goes on without reads; an iPhone's are rare.
        reading = asyncio.create_task(read_all(central))
        gone = await phone.log.wait_for("service", state="gone", timeout=30)
        reading.cancel()
        expected = WHOLE_DATABASE if kind == "android" else (gone["first"], gone["last"])
        assert await asyncio.wait_for(changes.get(), 5) == expected
        await phone.log.wait_for("confirmed", first=gone["first"])
        assert await invalid_handle(central)
        assert await Peer(central.connection).discover_service(komoot.SERVICE) == []
        assert not await central.scan(0.3), "and nobody else is to find it"

        back = await phone.log.wait_for("service", state="back")
        assert back["first"] > gone["last"]
        await asyncio.wait_for(changes.get(), 5)
        assert await invalid_handle(central), "the old handle stays invalid"
        await central.subscribe()
        assert central.characteristic.handle > gone["last"]
        assert (await phone.log.wait_for("instruction"))["number"] == 1


async def read_all(central: Central) -> None:
    while True:
        await central.next_notification()
        await central.read()


async def test_an_old_phones_service_goes_in_silence(a_ride):
    options = ("--kind=android-2019", "--ride", a_ride, "--speed=1000", "--move-every=3")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        changes = await hear_changes(central)
        await central.discover()
        await central.read()
        await phone.log.wait_for("service", state="moved")
        assert await invalid_handle(central)
        await central.discover()
        await central.read()
        assert changes.empty()


@pytest.mark.parametrize("kind", INDICATING)
async def test_who_has_not_asked_is_not_told_and_subscriptions_are_those_of_the_link(a_ride, kind):
    options = (f"--kind={kind}", "--ride", a_ride, "--speed=0.1", "--move-every=1")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        changes = await hear_changes(central)
        await phone.log.wait_for("confirmed")
        assert not changes.empty()
        await central.connection.disconnect()
        await phone.log.wait_for("disconnected")
        await central.connect(mtu=517)
        moved = len(phone.log.named("confirmed"))
        await phone.log.wait_for("service", state="moved")
        await phone.log.wait_for("service", state="moved")
        assert len(phone.log.named("confirmed")) == moved


@pytest.mark.parametrize("kind", KINDS)
async def test_the_service_goes_before_the_phone_has_finished(a_ride, kind):
    options = (f"--kind={kind}", "--ride", a_ride, "--speed=1000")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        await (central.discover() if kind == "android-2019" else central.subscribe())
        while not phone.log.named("ended"):
            try:
                await central.read()
            except att.ATT_Error:
                break  # gone already
            await asyncio.sleep(0.05)
        await phone.log.wait_for("finished", last_heard=True)
        order = [event["event"] for event in phone.log.events if event["event"] in ("ended", "service", "finished")]
        assert order == ["ended", "service", "finished"]


@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_a_move_ends_the_subscription(a_ride, kind):
    options = (f"--kind={kind}", "--ride", a_ride, "--speed=0.1", "--move-every=4")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        await central.subscribe()
        await phone.log.wait_for("service", state="moved")
        while not central.notifications.empty():
            central.notifications.get_nowait()
        await asyncio.sleep(1)
        assert central.notifications.empty()
        await central.subscribe()
        await central.next_notification()

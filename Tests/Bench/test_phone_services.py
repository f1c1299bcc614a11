"""The phone's service comes and goes as navigation does, and it tells who wants to hear of it."""

import asyncio
import contextlib
import struct

import pytest
from bumble import att, gatt
from bumble.device import Peer

from central import Central
from lenker_bench.phone import komoot
from lenker_bench.phone.kinds import KINDS
from virtual_air import on_the_air

pytestmark = pytest.mark.virtual_time

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


async def test_an_old_phones_service_goes_in_silence():
    async with on_the_air("android-2019") as scene:
        await scene.central.connect(mtu=517)
        changes = await hear_changes(scene.central)
        await scene.central.discover()
        await scene.central.read()
        scene.phone.move_service()
        assert await invalid_handle(scene.central)
        await scene.central.discover()
        await scene.central.read()
        assert changes.empty()


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


@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_a_move_ends_the_subscription(kind):
    async with on_the_air(kind, speed=0.1) as scene:
        await scene.central.connect(mtu=517)
        await scene.central.subscribe()
        await scene.central.next_notification()
        scene.phone.move_service()
        # The next instruction is told after 10 s, and each is repeated every 20 s.
        with pytest.raises(TimeoutError):
            await scene.central.next_notification(timeout=25)
        assert scene.log.named("instruction")[-1]["listeners"] == 0
        await scene.central.subscribe()
        await scene.central.next_notification()


@pytest.mark.parametrize("kind", KINDS)
async def test_the_service_goes_before_the_phone_has_finished(kind):
    async with on_the_air(kind, speed=1000) as scene:
        phone, central = scene.log, scene.central
        await central.connect(mtu=517)
        await (central.discover() if kind == "android-2019" else central.subscribe())
        while not phone.named("ended"):
            with contextlib.suppress(att.ATT_Error):  # gone while it was asked for
                await central.read()
            await asyncio.sleep(0.05)
        await phone.wait_for("finished", last_heard=True)
        order = [event["event"] for event in phone.events if event["event"] in ("ended", "service", "finished")]
        assert order == ["ended", "service", "finished"]

"""Phones that make the link themselves, and strangers that try to, on the virtual air."""

import asyncio
import random

import pytest
from bumble.device import Connection, Device

from bumbles_devices import Bangle
from lenker_bench.phone.habits import Habit
from lenker_bench.phone.kinds import GADGETBRIDGE, IPHONE_COMES, Kind
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.wire.air import Air
from virtual_air import timed_log

pytestmark = pytest.mark.virtual_time

CENTRAL, PERIPHERAL = "central", "peripheral"


class Scene:
    def __init__(
        self, kind: Kind, pairing: PairingHabits | None = None, is_open: bool = True, **options: object
    ) -> None:
        self.air, (self.log, report) = Air(), timed_log()
        self.bangle = Bangle(self.air, is_open)
        rest = (1.0, random.Random(1), report, pairing or PairingHabits())
        self.phone = Phone(self.air, kind, [], *rest, has_komoot=False, **options)

    async def __aenter__(self) -> "Scene":
        await self.bangle.device.power_on()
        await self.phone.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.phone.stop()

    async def connected(self, role: str) -> dict:
        return await self.log.wait_for("connected", 1000, role=role)


@pytest.mark.parametrize("kind", [IPHONE_COMES, GADGETBRIDGE])
async def test_a_phone_comes_when_it_is_heard_however_late(kind):
    async with Scene(kind) as scene:
        await asyncio.sleep(200)
        assert scene.log.named("connected") == []
        begun = asyncio.get_running_loop().time()
        await scene.bangle.advertise()
        found = await scene.connected(CENTRAL)
        # Gadgetbridge may just pause, for up to 64 s.
        assert found["t"] - begun < (1 if kind is IPHONE_COMES else 65)


async def test_a_phone_that_scans_ends_its_pause_when_the_device_is_heard():
    async with Scene(GADGETBRIDGE, habits=frozenset({Habit.SCANS})) as scene:
        for silence in (31, 100, 300):
            await asyncio.sleep(silence)
            begun = asyncio.get_running_loop().time()
            await scene.bangle.advertise()
            found = await scene.connected(CENTRAL)
            assert found["t"] - begun < 1
            scene.phone.drop()
            await scene.log.wait_for("disconnected")


async def test_it_comes_again_at_once_after_a_loss_but_not_while_it_is_away():
    async with Scene(IPHONE_COMES) as scene:
        for _ in range(3):
            await scene.bangle.advertise()
            await scene.connected(CENTRAL)
            if len(scene.log.named("connected")) < 3:
                scene.phone.drop()
                await scene.log.wait_for("disconnected")
        scene.phone.vanish()
        await scene.log.wait_for("disconnected")
        await scene.bangle.advertise()
        await asyncio.sleep(100)
        assert len(scene.log.named("connected")) == 3
        scene.phone.come_back()
        await scene.connected(CENTRAL)


@pytest.mark.parametrize("kind", [IPHONE_COMES, GADGETBRIDGE])
async def test_it_encrypts_by_itself_what_it_has_paired_and_pairs_once(kind):
    asked = []
    async with Scene(kind, PairingHabits(JUST_WORKS)) as scene:

        def ask(connection: Connection) -> None:
            asked.append(connection)
            connection.request_pairing()

        if kind is IPHONE_COMES:
            scene.bangle.device.once(Device.EVENT_CONNECTION, ask)
        for number in range(2):
            await scene.bangle.advertise()
            await scene.connected(CENTRAL)
            await scene.log.wait_for("encrypted")
            if number == 0:
                await scene.log.wait_for("pairing", state="done")
            scene.phone.drop()
            await scene.log.wait_for("disconnected")
        assert len(scene.log.named("pairing")) == 1
        assert len(asked) == (kind is IPHONE_COMES)

"""The real program with each kind of phone that it can find."""

import struct

import pytest
from bumble import att

from builds import regular_and_armv6
from hostile_phone import hostile_phone
from lenker_bench.phone.kinds import KINDS
from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs.processes import running_phone
from recording import told, told_apart, wait_for_instructions

# Nobody can subscribe to this one.
POLLED = "android-2019"
CYCLING_COMPUTER = 0x0481  # Assigned Numbers, 2.6: cycling 0x12, cycling computer 0x01


def value(distance: int) -> bytes:
    return struct.pack("<IBI", distance, 5, distance) + "Lennéstraße".encode()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_a_phone_that_notifies_is_heard_whole(lenker, kind):
    async with (
        running_phone(f"--kind={kind}", "--ride", OWN_RIDE, "--speed=1000") as phone,
        lenker(phone.port) as firmware,
    ):
        expected = told_apart(OWN_RIDE)
        await wait_for_instructions(firmware.log, len(expected))
        await phone.log.wait_for("finished", timeout=60, last_heard=True)
        assert told(firmware.log.events) == expected
        assert phone.log.named("complaint") == phone.log.named("silence") == []


async def test_central_behaviour_26_a_phone_without_a_configuration_descriptor_is_heard_by_reading(lenker, a_ride):
    async with (
        running_phone(f"--kind={POLLED}", "--ride", a_ride, "--speed=1000") as phone,
        lenker(phone.port) as firmware,
    ):
        # The first reading starts the ride, and is answered before there is an instruction.
        await phone.log.wait_for("finished", timeout=50, last_heard=True)
        assert told(firmware.log.events) == told_apart(a_ride)
        assert phone.log.named("subscribed") == phone.log.named("complaint") == phone.log.named("unheard") == []


def refuse(connection, characteristic, written) -> None:
    raise att.ATT_Error(att.ATT_WRITE_NOT_PERMITTED_ERROR)


async def test_central_behaviour_26_a_phone_that_refuses_the_subscription_is_heard_by_reading(lenker):
    async with hostile_phone(value(1), kind="ios") as phone:
        phone.phone.device.gatt_server.write_cccd = refuse
        async with lenker(phone.port) as firmware:
            for distance in (1, 2, 3):
                phone.script.value = value(distance)
                await firmware.log.wait_for("instruction", 30, distance=distance)
            assert phone.log.named("subscribed") == phone.log.named("complaint") == []


async def test_a_phone_that_takes_the_subscription_and_never_notifies_is_heard_by_reading(lenker):
    """As Android's app does with a device that it has not registered."""
    async with hostile_phone(value(1), kind="android") as phone, lenker(phone.port) as firmware:
        for distance in (1, 2, 3):
            phone.script.value = value(distance)
            await firmware.log.wait_for("instruction", 30, distance=distance)
        assert len(phone.log.named("subscribed")) == 1


@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_central_behaviour_27_a_phone_that_is_read_before_its_first_instruction_is_read_again(lenker, kind):
    """An iPhone refuses with 0x0A, an Android phone has zeros."""
    before = None if kind == "ios" else struct.pack("<IBI", 0x01020304, 0, 0)
    async with hostile_phone(before, kind) as phone, lenker(phone.port) as firmware:
        for _ in range(2):
            await phone.script.next_reading()
        assert firmware.log.named("instruction") == firmware.log.named("error") == []
        phone.script.value = value(7)
        await firmware.log.wait_for("instruction", 30, distance=7)
        assert len(firmware.log.named("instruction")) == 1


@pytest.mark.parametrize("kind", KINDS)
@regular_and_armv6
async def test_central_behaviour_21_the_phone_learns_who_we_are(build, lenker, a_ride, kind):
    """It asks while our own side is still searching and subscribing."""
    async with (
        running_phone(f"--kind={kind}", "--ride", a_ride) as phone,
        lenker(phone.port, "name=Fahrrad") as firmware,
    ):
        await phone.log.wait_for("name", timeout=30, name="Fahrrad", appearance=CYCLING_COMPUTER)
        await firmware.log.wait_for("instruction", timeout=30)
        assert phone.log.named("unanswered") == phone.log.named("complaint") == []


@pytest.mark.parametrize("kind", ["ios", "android", POLLED])
async def test_the_way_to_a_phone_is_told(lenker, a_ride, kind):
    async with running_phone(f"--kind={kind}", "--ride", a_ride) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("instruction", timeout=30)
        advertising = phone.log.named("advertising")[0]
        firmware_side = [
            (event["event"], event.get("state") or event.get("mode"))
            for event in firmware.log.events
            if event["event"] in ("start", "controller", "scan", "phone", "link")
        ]
        assert firmware_side == [
            ("start", None),
            ("controller", None),
            ("scan", "fast"),
            ("phone", None),
            ("scan", "off"),
            ("link", "connecting"),
            ("link", "connected"),
            ("link", "ready"),
        ]
        found = firmware.log.named("phone")[0]
        assert (found["address"].upper(), found["match"]) == (advertising["address"], "service")
        assert -127 <= found["rssi"] <= 20
        controller = firmware.log.named("controller")[0]
        # What the bench's chip says of itself: the address, Bluetooth 4.1 and Broadcom.
        assert controller["address"].upper() == "B8:27:EB:4C:45:4E"
        assert (controller["version"], controller["manufacturer"]) == (7, 15)

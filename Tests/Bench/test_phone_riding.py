"""A ride is heard whole: gates, losses, a firmware that vanishes, and the end."""

import asyncio
import struct

import pytest
from bumble import hci
from central import Central, central_at

from lenker_bench.processes import running_phone
from lenker_bench.rides import read_ride

SUBSCRIBABLE = ["ios", "ios-background", "android"]


async def hear(central: Central, heard: list[tuple[int, int, str]]) -> None:
    """Takes whole values from notifications and reads the others; keeps what differs from the last."""
    while True:
        value = await central.next_notification()
        if not 9 <= len(value) < central.connection.att_mtu - 3:
            value = await central.read()
        direction, distance = struct.unpack_from("<BI", value, 4)
        instruction = direction, distance, value[9:].decode("utf-8")
        if heard[-1:] != [instruction]:
            heard.append(instruction)


def told_apart(path) -> list[tuple[int, int, str]]:
    """The ride's instructions, those that say the same as the one before left out."""
    instructions: list[tuple[int, int, str]] = []
    for step in read_ride(path):
        instruction = step.direction, step.distance, step.street
        if instructions[-1:] != [instruction]:
            instructions.append(instruction)
    return instructions


@pytest.mark.parametrize("kind", SUBSCRIBABLE)
async def test_every_instruction_of_a_ride_is_heard_in_order(a_ride, kind):
    heard: list = []
    options = (f"--kind={kind}", "--ride", a_ride, "--speed=1000")
    async with running_phone(*options) as phone:
        async with central_at(phone.port) as central:
            await central.connect(mtu=517)
            await central.subscribe()
            hearing = asyncio.create_task(hear(central, heard))
            await phone.log.wait_for("finished", last_heard=True)
            hearing.cancel()
        assert await phone.wait() == 0
    assert heard == told_apart(a_ride)


async def test_a_recorded_ride_is_heard_whole(recorded_ride):
    heard: list = []
    options = ("--kind=android", "--ride", recorded_ride, "--speed=60")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        await central.subscribe()
        hearing = asyncio.create_task(hear(central, heard))
        await phone.log.wait_for("finished", timeout=50, last_heard=True)
        hearing.cancel()
    assert heard == told_apart(recorded_ride)


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


async def test_a_firmware_that_resets_its_radio_is_a_supervision_timeout(a_ride):
    async with running_phone("--kind=ios", "--ride", a_ride) as phone, central_at(phone.port) as central:
        await central.connect()
        await central.device.host.send_sync_command(hci.HCI_Reset_Command())
        await phone.log.wait_for("disconnected", reason=hci.HCI_CONNECTION_TIMEOUT_ERROR)


async def test_a_firmware_that_takes_its_leave_is_told_apart(a_ride):
    async with running_phone("--kind=ios", "--ride", a_ride) as phone, central_at(phone.port) as central:
        await central.connect()
        await central.connection.disconnect(hci.HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)
        assert central.reason == hci.HCI_CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR
        await phone.log.wait_for("disconnected", reason=hci.HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)

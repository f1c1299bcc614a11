"""A ride is heard whole: gates, losses, a firmware that vanishes, and the end."""

import asyncio

import pytest
from bumble import hci

from central import central_at
from hearing import Heard, hear
from lenker_bench.programs.processes import running_phone
from recording import told_apart

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


async def test_a_recorded_ride_is_heard_whole(recorded_ride):
    heard = Heard()
    options = ("--kind=android", "--ride", recorded_ride, "--speed=60")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        await central.subscribe()
        hearing = asyncio.create_task(hear(central, heard))
        await phone.log.wait_for("finished", timeout=120, last_heard=True)
        hearing.cancel()
    assert heard.instructions == told_apart(recorded_ride)


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

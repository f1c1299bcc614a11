"""A ride is heard whole: gates, losses, a firmware that vanishes, and the end."""

import asyncio
import itertools
import struct
from collections.abc import Iterable

import pytest
from bumble import hci
from central import Central, central_at
from recording import Instruction, told_apart

from lenker_bench.kinds import KINDS
from lenker_bench.processes import running_phone

SUBSCRIBABLE = ["ios", "ios-background", "android"]


async def hear(central: Central, heard: list[tuple[int, Instruction]]) -> None:
    """Takes whole values from notifications and reads the others: identifiers and what they stand for."""
    while True:
        value = await central.next_notification()
        if not 9 <= len(value) < central.connection.att_mtu - 3:
            value = await central.read()
        identifier, direction, distance = struct.unpack_from("<IBI", value)
        heard.append((identifier, (direction, distance, value[9:].decode("utf-8"))))


def without_repeats(instructions: Iterable[Instruction]) -> list[Instruction]:
    return [instruction for instruction, _ in itertools.groupby(instructions)]


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
    if KINDS[kind].new_identifier_at_each_send:
        assert without_repeats(instruction for _, instruction in heard) == told_apart(a_ride)
    else:
        # What is read may be newer than a notification that is still on its way: the identifier tells.
        told = [dict(heard)[event["id"]] for event in phone.log.named("instruction")]
        assert without_repeats(told) == told_apart(a_ride)


async def test_a_recorded_ride_is_heard_whole(recorded_ride):
    heard: list = []
    options = ("--kind=android", "--ride", recorded_ride, "--speed=60")
    async with running_phone(*options) as phone, central_at(phone.port) as central:
        await central.connect(mtu=517)
        await central.subscribe()
        hearing = asyncio.create_task(hear(central, heard))
        await phone.log.wait_for("finished", timeout=50, last_heard=True)
        hearing.cancel()
    assert without_repeats(instruction for _, instruction in heard) == told_apart(recorded_ride)


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

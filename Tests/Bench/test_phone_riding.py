"""A ride is heard whole: gates, losses, a firmware that vanishes, and the end."""

import asyncio
import struct

import pytest
from bumble import hci

from central import Central, central_at
from lenker_bench.programs.processes import running_phone
from recording import Instruction, told_apart, without_repeats

SUBSCRIBABLE = ["ios", "ios-background", "android"]


class Heard:
    """What a central heard: identifiers as they were notified, and what each of them stands for."""

    def __init__(self) -> None:
        self._identifiers: list[int] = []
        self._meanings: dict[int, Instruction] = {}

    def notify(self, value: bytes) -> None:
        self._identifiers.append(int.from_bytes(value[:4], "little"))

    def take(self, value: bytes) -> None:
        """Takes a whole value. One that was read may be newer than notifications that are still on their way."""
        identifier, direction, distance = struct.unpack_from("<IBI", value)
        self._meanings[identifier] = direction, distance, value[9:].decode("utf-8")

    @property
    def instructions(self) -> list[Instruction]:
        """In the order of their identifiers, those that say the same as the one before left out."""
        found = dict.fromkeys(self._identifiers)
        return without_repeats(self._meanings[identifier] for identifier in found if identifier in self._meanings)


async def hear(central: Central, heard: Heard) -> None:
    """Takes whole values from notifications and reads the others."""
    while True:
        value = await central.next_notification()
        heard.notify(value)
        is_whole = 9 <= len(value) < central.connection.att_mtu - 3
        heard.take(value if is_whole else await central.read())


@pytest.mark.parametrize("kind", SUBSCRIBABLE)
async def test_every_instruction_of_a_ride_is_heard_in_order(a_ride, kind):
    heard = Heard()
    options = (f"--kind={kind}", "--ride", a_ride, "--speed=1000")
    async with running_phone(*options) as phone:
        async with central_at(phone.port) as central:
            await central.connect(mtu=517)
            await central.subscribe()
            hearing = asyncio.create_task(hear(central, heard))
            await phone.log.wait_for("finished", last_heard=True)
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
        await phone.log.wait_for("finished", timeout=50, last_heard=True)
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

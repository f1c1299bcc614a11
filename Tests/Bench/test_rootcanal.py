"""RootCanal as the bench's controller: what it is asked for, what it does beside RootCanal, and that none is left."""

import asyncio
import os
import signal
import struct
from pathlib import Path

import pytest

from hci_wire import (
    CANCEL,
    RESET,
    connect,
    wire_to,
)
from lenker_bench.commands.options import CONTROLLERS, ROOTCANAL
from lenker_bench.programs.events import PATIENCE
from lenker_bench.programs.processes import running_phone
from lenker_bench.programs.rootcanal import MissingError, program

WANTED = "--controller=rootcanal"
READ_BD_ADDR = bytes.fromhex("01091000")
WINDOW_ABOVE_INTERVAL = bytes.fromhex("010b2007 01 1000 1100 00 00")
CONNECTION_TIMEOUT = 0x08
UNSUPPORTED_VALUE, INVALID_PARAMETERS = 0x11, 0x12


@pytest.fixture
def rootcanal() -> None:
    try:
        program()
    except MissingError as error:
        pytest.skip(str(error))


def children_of(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


async def readable(descriptor: int) -> None:
    """Waits until there is something; of a process, until it has ended."""
    happened = asyncio.Event()
    asyncio.get_running_loop().add_reader(descriptor, happened.set)
    try:
        await asyncio.wait_for(happened.wait(), PATIENCE)
    finally:
        asyncio.get_running_loop().remove_reader(descriptor)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
async def test_it_ends_with_the_phone_however_that_ends(how, rootcanal, a_ride):
    async with running_phone(WANTED, f"--ride={a_ride}") as phone:
        (canal,) = children_of(phone.pid)
        process = os.pidfd_open(canal)
        os.kill(phone.pid, how)
        await readable(process)
        os.close(process)


async def test_a_command_that_it_refuses_is_a_complaint_and_one_that_came_too_late_is_none(rootcanal, a_ride):
    async with running_phone(WANTED, f"--ride={a_ride}") as phone, wire_to(phone.port) as firmware:
        assert await firmware.answer(RESET) == b"\0"
        assert (await firmware.answer(CANCEL))[:1] == b"\x0c"
        assert (await firmware.answer(WINDOW_ABOVE_INTERVAL))[:1] == b"\x12"
        await phone.log.wait_for("complaint")
    (complaint,) = phone.log.named("complaint")
    assert complaint["message"].startswith("HCI_LE_SET_SCAN_PARAMETERS_COMMAND was answered with ")


async def test_the_phone_sees_a_firmware_that_goes_as_a_timeout_and_the_next_one_has_its_address(rootcanal, a_ride):
    addresses = []
    async with running_phone(WANTED, "--kind=ios", f"--ride={a_ride}") as phone:
        for _ in range(2):
            async with wire_to(phone.port) as firmware:
                assert await firmware.answer(RESET) == b"\0"
                addresses.append(await firmware.answer(READ_BD_ADDR))
                await connect(firmware)
                await phone.log.wait_for("connected")
            gone = await phone.log.wait_for("disconnected")
            assert gone["reason"] == CONNECTION_TIMEOUT
    assert addresses[0] == addresses[1]


def scan_parameters(interval: int, window: int) -> bytes:
    """LE Set Scan Parameters: active, own public address."""
    return bytes.fromhex("010b200701") + struct.pack("<HHBB", interval, window, 0, 0)


def create(window: int = 0x60, shortest: int = 24, latency: int = 0, timeout: int = 400) -> bytes:
    """LE Create Connection to a random address: scan interval of 60 ms, connection interval of 30 ms."""
    address = bytes.fromhex("0102030405c6")
    return bytes.fromhex("010d2019") + struct.pack(
        "<HHBB6sBHHHHHH", 0x60, window, 0, 1, address, 0, shortest, 24, latency, timeout, 0, 0
    )


FORBIDDEN = {
    "scan window above its interval": scan_parameters(0x10, 0x11),
    "scan interval of 1.875 ms": scan_parameters(3, 3),
    "window of an attempt above its interval": create(window=0x61),
    "shortest interval above the longest": create(shortest=25),
    "interval of 6.25 ms": create(shortest=5),
    "latency of 500 events": create(latency=500),
    "timeout within the latency": create(latency=20, timeout=10),
}
"""By the Core Specification, Vol 4, Part E, 7.8.10 and 7.8.12."""


@pytest.mark.parametrize("controller", CONTROLLERS)
async def test_each_controller_refuses_what_the_specification_forbids_and_takes_what_it_allows(
    controller, request, a_ride
):
    if controller == ROOTCANAL:
        request.getfixturevalue("rootcanal")
    async with running_phone(f"--controller={controller}", f"--ride={a_ride}") as phone, wire_to(phone.port) as wire:
        assert await wire.answer(RESET) == b"\0"
        for name, command in FORBIDDEN.items():
            assert (await wire.answer(command))[0] in (UNSUPPORTED_VALUE, INVALID_PARAMETERS), name
            await phone.log.wait_for("complaint")
        assert await wire.answer(scan_parameters(0x4000, 4)) == b"\0"
        assert await wire.answer(create()) == b"\0"
    assert len(phone.log.named("complaint")) == len(FORBIDDEN)

"""RootCanal as the bench's controller: what it is asked for, what it does beside RootCanal, and that none is left."""

import asyncio
import contextlib
import importlib.util
import os
import platform
import signal
import struct
from pathlib import Path

import pytest
from bumble import hci
from bumble.host import Host

from hci_wire import (
    ACTIVE_SCAN,
    CANCEL,
    EVENT_MASK,
    LE_EVENT_MASK,
    LE_META,
    RESET,
    SCAN_OFF,
    SCAN_ON,
    Wire,
    connect,
    wire_to,
)
from lenker_bench.commands import phone as phone_command
from lenker_bench.commands import run as run_command
from lenker_bench.commands.options import CONTROLLERS, ROOTCANAL
from lenker_bench.programs.events import PATIENCE
from lenker_bench.programs.processes import running_phone
from lenker_bench.programs.rootcanal import MissingError, program, running_rootcanal
from lenker_bench.sensors.sensor import sensors_of
from lenker_bench.wire.h4 import FirmwareServer

WANTED = "--controller=rootcanal"
READ_BD_ADDR = bytes.fromhex("01091000")
WINDOW_ABOVE_INTERVAL = bytes.fromhex("010b2007 01 1000 1100 00 00")
CONNECTION_TIMEOUT = 0x08
UNSUPPORTED_VALUE, INVALID_PARAMETERS = 0x11, 0x12
SHORT = 20.0  # milliseconds between two advertisements
ENOUGH = 10  # advertisements: of two that send as often, both are among them


@pytest.fixture
def rootcanal() -> None:
    try:
        program()
    except MissingError as error:
        pytest.skip(str(error))


def refusal(command, arguments: list[str], capsys) -> str:
    with pytest.raises(SystemExit) as end:
        command.parse(arguments)
    assert end.value.code == 64
    return capsys.readouterr().err


@pytest.mark.parametrize("command", [phone_command, run_command])
def test_without_the_package_it_is_said_what_is_missing_and_what_installs_it(command, monkeypatch, capsys):
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    said = refusal(command, [WANTED], capsys)
    assert "the Python package rootcanal is missing" in said and "Boards/install bench" in said


@pytest.mark.parametrize("command", [phone_command, run_command])
def test_a_machine_that_it_is_not_made_for_is_told_of_the_other_controller(command, monkeypatch, capsys):
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    said = refusal(command, [WANTED], capsys)
    assert "x86-64" in said and "aarch64" in said and "--controller bumble" in said


@pytest.mark.parametrize(
    "other", ["--chip=bcm43430b0", "--links=2", "--street=5", "--beacon=5AD3B0F4-6C1E-4E6A-9C57-3B1F6E0A7D21/1/2@-60"]
)
def test_what_only_bumbles_controller_can_do_is_refused_beside_it(other, capsys):
    assert other.partition("=")[0] in refusal(phone_command, [WANTED, other], capsys)


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


async def test_a_rootcanal_that_ends_is_told(rootcanal, a_ride):
    async with running_phone(WANTED, f"--ride={a_ride}") as phone, wire_to(phone.port) as firmware:
        assert await firmware.answer(RESET) == b"\0"
        (canal,) = children_of(phone.pid)
        os.kill(canal, signal.SIGKILL)
        await phone.log.wait_for("complaint", message="RootCanal has ended")


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


async def test_a_sensor_that_vanishes_is_heard_no_longer(rootcanal):
    async with running_rootcanal(SHORT) as canal, contextlib.AsyncExitStack() as stack:
        gone, other = sensors_of(canal, ["heart", "radar"], [], 1, lambda event, **fields: None)
        for sensor in (gone, other):
            await sensor.start()
            stack.push_async_callback(sensor.stop)
        server = FirmwareServer(canal.radio(), lambda event, **fields: None)
        await server.start("tcp-server:127.0.0.1:0")
        stack.callback(server.close)
        firmware = await stack.enter_async_context(wire_to(server.port))
        for command in (RESET, EVENT_MASK, LE_EVENT_MASK, ACTIVE_SCAN, SCAN_ON):
            assert await firmware.answer(command) == b"\0"
        while await heard(firmware) != bytes(gone.address):
            pass
        gone.vanish()
        # It has been heard once RootCanal answers what comes behind it.
        await gone.device.send_sync_command(hci.HCI_Read_BD_ADDR_Command())
        assert await firmware.answer(SCAN_OFF) == b"\0"
        while not firmware.packets.empty():
            firmware.packets.get_nowait()
        assert await firmware.answer(SCAN_ON) == b"\0"
        assert {await heard(firmware) for _ in range(ENOUGH)} == {bytes(other.address)}


async def test_a_host_that_gives_up_a_command_as_its_answer_comes_is_heard_further(rootcanal):
    """Bumble does so with what it asks of a link that ends."""
    async with running_rootcanal() as canal:
        radio = canal.radio()
        host = Host(radio, radio)
        await host.reset()
        asking = asyncio.create_task(host.send_sync_command(hci.HCI_Read_BD_ADDR_Command()))

        class GivesUp:
            def on_packet(self, packet: bytes) -> None:
                """Cancels the command in the turn of the loop in which the answer comes."""
                radio.set_packet_sink(host)
                asking.cancel()
                host.on_packet(packet)

        radio.set_packet_sink(GivesUp())
        with pytest.raises(asyncio.CancelledError):
            await asking
        await asyncio.wait_for(host.send_sync_command(hci.HCI_Read_BD_ADDR_Command()), PATIENCE)


async def heard(firmware: Wire) -> bytes:
    """The address of the next advertisement."""
    return (await firmware.next(LE_META, hci.HCI_LE_ADVERTISING_REPORT_EVENT))[4:10]


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

"""What the program does when a part of the way to the phone is lost: it goes on by itself."""

import asyncio
import contextlib

from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs.processes import running_phone
from recording import wait_for_instructions
from silent import serving, wire_to

CONNECTION_TIMEOUT = 0x08
LONG = 60.0


async def test_the_ride_goes_on_after_each_loss(lenker):
    options = ("--ride", OWN_RIDE, "--speed=2", "--drop-every=2")
    async with running_phone(*options) as phone, lenker(phone.port) as firmware:
        for _ in range(2):
            await wait_for_instructions(firmware.log, 1)
            lost = await firmware.log.wait_for("link", LONG, state="disconnected")
            assert lost["reason"] == CONNECTION_TIMEOUT
            await firmware.log.wait_for("scan", LONG, mode="fast")
            await firmware.log.wait_for("link", LONG, state="ready")
        await wait_for_instructions(firmware.log, 1)
        assert firmware.log.named("error") == []
        assert phone.log.named("complaint") == []


async def test_a_controller_that_goes_away_is_told_and_found_again(lenker, a_ride):
    async with contextlib.AsyncExitStack() as stack:
        phone = await stack.enter_async_context(running_phone("--ride", a_ride))
        port = phone.port
        async with lenker(port) as firmware:
            await firmware.log.wait_for("instruction", LONG)
            await stack.aclose()  # kills the phone, and with it the controller
            await firmware.log.wait_for("link", LONG, state="disconnected")
            error = await firmware.log.wait_for("error", LONG, source="hci")
            assert error["message"].startswith(f"tcp:127.0.0.1:{port}: ")
            assert "controller" in error["message"]
            async with running_phone(f"--hci=tcp-server:127.0.0.1:{port}", "--ride", OWN_RIDE, "--speed=2"):
                await firmware.log.wait_for("controller", LONG)
                await firmware.log.wait_for("link", LONG, state="ready")
                await firmware.log.wait_for("instruction", LONG)


async def test_a_controller_that_is_late_is_waited_for(lenker, a_ride, closed_port):
    async with lenker(closed_port) as firmware:
        error = await firmware.log.wait_for("error", source="hci")
        assert error["message"] == (
            f"tcp:127.0.0.1:{closed_port}: nobody listens there: start the controller first, or correct the address"
        )
        async with running_phone(f"--hci=tcp-server:127.0.0.1:{closed_port}", "--ride", a_ride):
            await firmware.log.wait_for("controller", LONG)
            await firmware.log.wait_for("instruction", LONG)
            # The same trouble is told once, however often it is tried again.
            assert firmware.log.named("error") == [error]


@contextlib.asynccontextmanager
async def riding(lenker):
    """A firmware on a ride, and the wire to its controller."""
    async with (
        running_phone("--kind=android", "--ride", OWN_RIDE, "--speed=4") as phone,
        wire_to(phone.port) as wire,
        lenker(wire.port) as firmware,
    ):
        await firmware.log.wait_for("instruction", LONG)
        yield firmware, wire


async def test_what_is_no_packet_is_told_and_the_stream_opened_again(lenker):
    async with riding(lenker) as (firmware, wire):
        wire.inject(bytes.fromhex("02ffffffff"))  # ACL data of 65535 bytes
        error = await firmware.log.wait_for("error", LONG, source="hci")
        assert "a packet is too long" in error["message"]
        await firmware.log.wait_for("controller", LONG)
        await firmware.log.wait_for("link", LONG, state="ready")
        await firmware.log.wait_for("instruction", LONG)


async def test_a_packet_that_swallows_others_does_not_end_the_ride(lenker):
    async with riding(lenker) as (firmware, wire):
        wire.inject(bytes.fromhex("040eff"))  # the beginning of an event that swallows the next 255 bytes
        await wait_for_instructions(firmware.log, 5)


async def test_a_controller_that_says_nothing_is_told_and_tried_again(lenker):
    async with serving() as server, lenker(server.port) as firmware:
        first = await asyncio.wait_for(server.requests.get(), LONG)
        # Reset comes first: Core Specification, Vol 4, Part E, 7.3.2.
        assert first.startswith(bytes.fromhex("01030c00"))
        error = await firmware.log.wait_for("error", LONG, source="hci")
        assert "0x0c03" in error["message"].lower()
        assert await asyncio.wait_for(server.requests.get(), LONG) == first
        assert firmware.status is None

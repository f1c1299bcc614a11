"""A phone that loses the link as soon as a turn has come over it, again and again, on RootCanal."""

import asyncio

import pytest

from hci_wire import CANCEL
from lenker_bench.phone import komoot
from lenker_bench.phone.pairing import NONE
from lenker_bench.phone.rides import Step
from recording import CAPTURE
from second_controller import phone_on_rootcanal, refusals

LONG = 60.0
LOSSES = 25
TOO_LATE = ("HCI_LE_CREATE_CONNECTION_CANCEL_COMMAND: COMMAND_DISALLOWED_ERROR", "UNKNOWN_CONNECTION_IDENTIFIER_ERROR")
CONNECTION_TIMEOUT = 0x08
CREATE_CONNECTION = bytes.fromhex("010d20")


@pytest.mark.parametrize(("build", "kind"), [("regular", "ios"), ("armv6", "android")], indirect=["build"])
async def test_the_turn_is_back_after_each_of_many_losses(build, kind, lenker, tmp_path):
    capture = tmp_path / CAPTURE
    async with (
        phone_on_rootcanal(kind, NONE) as phone,
        lenker(phone.port, "pairing=off", f"btsnoop=file:{capture}") as firmware,
    ):
        await firmware.log.wait_for("instruction", LONG)
        for distance in range(1, LOSSES + 1):
            phone.script.value = komoot.encode(distance, Step(0, 5, distance, "Voßstraße"))
            phone.phone.drop()
            lost = await firmware.log.wait_for("link", LONG, state="disconnected")
            assert lost["reason"] == CONNECTION_TIMEOUT
            await firmware.log.wait_for("instruction", LONG, distance=distance)
        assert len(phone.log.named("dropped")) == LOSSES
        assert firmware.log.named("error") == [] and firmware.log.named("recovery") == []
        await firmware.stop()
    # A link may be made at the moment when the attempt at it is called back (Vol 4, Part E, 7.8.13), or be lost when
    # a command about it is on its way.
    assert [refusal for refusal in refusals(capture) if not refusal.endswith(TOO_LATE)] == []


async def test_an_attempt_at_a_phone_that_has_just_gone_is_called_back_and_another_one_made(lenker, tmp_path):
    capture = tmp_path / CAPTURE
    async with phone_on_rootcanal("ios", NONE) as phone:
        radio = phone.server.chip
        carry = radio.on_packet
        called_back, leaving = asyncio.Event(), []

        async def go_first(packet: bytes) -> None:
            phone.phone.vanish()
            await phone.phone.device.stop_advertising()
            carry(packet)

        def hear(packet: bytes) -> None:
            if packet.startswith(CREATE_CONNECTION) and not leaving:
                leaving.append(asyncio.create_task(go_first(packet)))
                return
            carry(packet)
            if packet == CANCEL:
                called_back.set()

        radio.on_packet = hear
        async with lenker(phone.port, "pairing=off", f"btsnoop=file:{capture}") as firmware:
            await asyncio.wait_for(called_back.wait(), LONG)
            await phone.phone.change_address()
            phone.phone.come_back()
            await firmware.log.wait_for("instruction", LONG)
            assert firmware.log.named("error") == []
            await firmware.stop()
    assert refusals(capture) == []

"""A second phone that shares nothing with ours: the Linux kernel's own Bluetooth, in the machine."""

import struct

import pytest

from bonding import INSTRUCTION, LONG, STREET, states
from kernel_phone import KernelPhone, kernel_phone
from lenker_bench.phone import gadgetbridge_lines, komoot
from lenker_bench.phone.rides import Step
from machine import READING_TIME, A, Firmware, Machine

KEYS = ["hci=hci0", "display=pbm:/tmp/glass", "store=/tmp/bond", "buttons=gpio:/dev/gpiochip0", f"button-a={A}"]
WRITE, WRITTEN = 0x12, b"\x13"
RX, CONFIGURATION = 0x0C, 0x0F  # handles of the firmware
PIECE = 20  # bytes of a line at a time


async def pair(pc: Machine, phone: KernelPhone) -> Firmware:
    """Both have compared the number, and the firmware rides."""
    firmware = await pc.start_firmware(*KEYS)
    shown = await firmware.log.wait_for("pairing", LONG, state="confirm")
    assert await phone.asked_number() == shown["number"]
    await pc.press(A, after=READING_TIME)
    await firmware.log.wait_for("link", LONG, state="encrypted")
    await firmware.log.wait_for("bond", LONG, state="saved")
    await firmware.log.first("instruction", LONG, street=STREET)
    return firmware


async def test_the_kernel_is_paired_with_rides_is_known_again_and_may_forget_us(machine):
    async with machine() as pc, kernel_phone(pc, INSTRUCTION) as phone:
        await pc.add_chip()
        firmware = await pair(pc, phone)
        phone.say(komoot.encode(8, Step(0, 3, 20, "Lennéstraße")))
        await firmware.log.first("instruction", LONG, street="Lennéstraße")
        assert await firmware.stop() == 0

        phone.advertise()
        again = await pc.start_firmware(*KEYS)
        await again.log.wait_for("bond", LONG, state="loaded")
        await again.log.wait_for("link", LONG, state="encrypted")
        await again.log.first("instruction", LONG, street="Lennéstraße")

        (controller,) = again.log.named("controller")
        await phone.unpair(controller["address"])
        await again.log.wait_for("link", LONG, state="disconnected")
        phone.advertise()
        await again.log.wait_for("bond", LONG, state="rejected")
        assert states(again.log, "pairing") == []
        assert await again.stop() == 0
        assert firmware.log.named("error") == again.log.named("error") == []


async def subscribe(phone: KernelPhone) -> bytes:
    return await phone.ask(struct.pack("<BHH", WRITE, CONFIGURATION, 1))


async def write_turn(phone: KernelPhone, distance: int) -> None:
    """As Gadgetbridge does, in pieces."""
    turn = {"instr": STREET, "distance": f"{distance}m", "action": "left"}
    content = gadgetbridge_lines.line("nav", turn)
    for start in range(0, len(content), PIECE):
        part = content[start : start + PIECE]
        assert await phone.ask(struct.pack("<BH", WRITE, RX) + part) == WRITTEN


@pytest.mark.thorough
async def test_the_kernel_connects_by_itself_pairs_writes_turns_and_is_known_again(machine):
    async with machine() as pc, kernel_phone(pc, INSTRUCTION, comes=True) as phone:
        await pc.add_chip()
        firmware = await pc.start_firmware(*KEYS, "advertise=on")
        address = (await firmware.log.wait_for("controller", LONG))["address"]
        await phone.come_to(address)
        phone.pair_with(address)
        shown = await firmware.log.wait_for("pairing", LONG, state="confirm")
        assert await phone.asked_number() == shown["number"]
        await pc.press(A, after=READING_TIME)
        await firmware.log.wait_for("bond", LONG, state="saved")
        assert await subscribe(phone) == WRITTEN
        await write_turn(phone, 120)
        await firmware.log.first("instruction", LONG, source="gadgetbridge", distance=120)
        assert await firmware.stop() == 0

        again = await pc.start_firmware(*KEYS, "advertise=on")
        await phone.come_to(address)
        await again.log.wait_for("link", LONG, state="encrypted")
        assert await subscribe(phone) == WRITTEN
        await write_turn(phone, 100)
        await again.log.first("instruction", LONG, source="gadgetbridge", distance=100)
        assert states(again.log, "pairing") == []
        assert firmware.log.named("error") == again.log.named("error") == []
        assert await again.stop() == 0

"""The Pi's radio answers what the kernel's driver and the kernel itself ask at its start, without a machine."""

import asyncio
import random

import pytest

from broadcom import DriverCommands
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.chip_kinds import BCM43430A1, BCM43430B0, ChipKind

RESET, LAUNCH_RAM = "030c 00", "4efc 04 ffffffff"
READ_NAME, READ_ADDRESS, READ_CHIP_ID, READ_VENDOR_FEATURES = "140c 00", "0910 00", "79fc 00", "6efc 00"

# Of hci_init1 to hci_init4 and their LE stages in net/bluetooth/hci_sync.c: what is sent to a chip with this mask and
# these features, and how long the return parameters are with the status.
KERNEL = {
    RESET: 1,
    "0310 00": 1 + 8,
    "0110 00": 1 + 8,
    READ_ADDRESS: 1 + 6,
    "0210 00": 1 + 64,
    "520c f1" + 241 * "00": 1,
    "450c 01 02": 1,
    "580c 00": 1 + 1,
    "0410 01 01": 1 + 1 + 1 + 8,
    "0510 00": 1 + 7,
    "230c 00": 1 + 3,
    READ_NAME: 1 + 248,
    "250c 00": 1 + 2,
    "380c 00": 1 + 1,
    "390c 00": 1 + 1 + 3,
    "160c 02 007d": 1,
    "0320 00": 1 + 8,
    "0220 00": 1 + 3,
    "1c20 00": 1 + 8,
    "010c 08 ffffffffffffffff": 1,
    "0d0c 07 000000000000 01": 1 + 4,
    "0f08 02 0500": 1,
    "1b0c 00": 1 + 4,
    "5a0c 00": 1 + 1,
    "460c 00": 1 + 1,
    "0410 01 02": 1 + 1 + 1 + 8,
    "0120 08 3f00000000000000": 1,
    "0720 00": 1 + 1,
    "0f20 00": 1 + 1,
    "1020 00": 1,
    "6d0c 02 0100": 1,
    "120c 07 000000000000 01": 1 + 2,
    "0b10 00": 1 + 3,
    "0c10 00": 1 + 2,
    "0c14 00": 1 + 1,
}


class Driver:
    """Sends the chip commands, and has their return parameters."""

    def __init__(self, kind: ChipKind) -> None:
        self._chip = Chip("firmware", Air(), "B8:27:EB:00:00:01", random.Random(1), kind=kind)
        self.commands = DriverCommands(self._chip)
        self._chip.set_packet_sink(self)
        self._answers: asyncio.Queue[bytes] = asyncio.Queue()

    def on_packet(self, packet: bytes) -> None:
        self._answers.put_nowait(packet)

    async def answer(self, command: str) -> bytes:
        packet = b"\x01" + bytes.fromhex(command)
        self._chip.on_packet(packet)
        answer = await asyncio.wait_for(self._answers.get(), 5)
        # Command Complete; a Command Status would be a refusal.
        assert answer[:2] == b"\x04\x0e" and answer[4:6] == packet[1:3], command
        return answer[6:]


def test_it_says_what_the_kernel_told_of_real_ones():
    async def ask(kind: ChipKind) -> list[bytes]:
        driver = Driver(kind)
        asked = [READ_CHIP_ID, READ_VENDOR_FEATURES, READ_NAME, READ_ADDRESS, LAUNCH_RAM, READ_NAME]
        return [await driver.answer(command) for command in [RESET, *asked]][1:]

    chip_id, features, before, address, _, after = asyncio.run(ask(BCM43430A1))
    # "BCM: chip id 94", "BCM: features 0x2e"; btbcm.c wants 7 and 9 bytes.
    assert chip_id == bytes([0, 94, 0, 0, 0, 0, 0])
    assert features == bytes([0, 0x2E, 0, 0, 0, 0, 0, 0, 0])
    assert address == b"\0" + bytes.fromhex("4343A1121FAC")[::-1]
    assert before == b"\0" + b"BCM43430A1".ljust(248, b"\0")
    assert after == b"\0" + b"BCM43438A1 37.4MHz Raspberry Pi 3-0043O".ljust(248, b"\0")
    chip_id, _, _, address, _, _ = asyncio.run(ask(BCM43430B0))
    assert chip_id[1] == 115
    assert address == b"\0" + bytes.fromhex("4343B0371FAC")[::-1]


@pytest.mark.parametrize("kind", [BCM43430A1, BCM43430B0], ids=lambda kind: kind.name)
def test_it_answers_all_that_the_kernel_asks_at_its_start(kind):
    async def ask() -> dict[str, bytes]:
        driver = Driver(kind)
        return {command: await driver.answer(command) for command in KERNEL}

    answers = asyncio.run(ask())
    assert {command: answer[0] for command, answer in answers.items() if answer[0] != 0} == {}
    assert {command: len(answer) for command, answer in answers.items()} == KERNEL


def test_an_address_holds_from_the_next_reset_and_is_lost_with_a_new_firmware():
    async def addresses() -> list[bytes]:
        driver = Driver(BCM43430A1)
        steps = ["01fc 06 010203eb27b8", RESET, LAUNCH_RAM, RESET]
        found = []
        for step in steps:
            await driver.answer(step)
            found.append((await driver.answer(READ_ADDRESS))[1:][::-1])
        return found

    shared, own = bytes.fromhex("4343A1121FAC"), bytes.fromhex("B827EB030201")
    assert asyncio.run(addresses()) == [shared, own, own, shared]

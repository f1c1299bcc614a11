"""The Pi Zero W's radio as the kernel's driver meets it, which asks for more than a firmware does.

The driver is drivers/bluetooth/hci_bcm.c with btbcm.c; what it asks a chip for is named there.
"""

import struct
from collections.abc import Callable

from bumble.hci import (
    HCI_COMMAND_PACKET,
    HCI_EVENT_PACKET,
    HCI_READ_LOCAL_NAME_COMMAND,
    HCI_RESET_COMMAND,
    Address,
    LmpFeatureMask,
)

from lenker_bench.wire.chip import Chip

VENDOR = 0xFC00
UPDATE_BAUD_RATE, READ_VERBOSE_CONFIGURATION, READ_FEATURES = 0xFC18, 0xFC79, 0xFC6E
WRITE_RAM, LAUNCH_RAM = 0xFC4C, 0xFC4E
WRITE_ADDRESS = 0xFC01
CHIP_NUMBER = 90  # that of the BCM43430
NAME = b"BCM43430A1"
SHARED_ADDRESS = Address("43:43:A1:12:1F:AC", Address.PUBLIC_DEVICE_ADDRESS)
"""That of every such chip that was not told another."""

ANSWERS = {
    READ_VERBOSE_CONFIGURATION: bytes([CHIP_NUMBER, 0, 0, 0, 0, 0]),
    READ_FEATURES: bytes(8),
    HCI_READ_LOCAL_NAME_COMMAND: NAME.ljust(248, b"\0"),
}


class DriverCommands:
    """Takes the place of a chip's `on_packet`; remembers the vendor's commands.

    An address that it is told holds from the next Reset on, and is lost when it is loaded with its firmware anew.
    """

    def __init__(self, chip: Chip) -> None:
        # The bench's chip has no answer to Read Local Extended Features.
        chip.lmp_features &= ~LmpFeatureMask.EXTENDED_FEATURES
        self.firmware = b""
        """What was written to the chip's memory, one command after the other."""
        self.opcodes: list[int] = []
        self.on_loading: Callable[[], None] = lambda: None
        """Called before each part of the firmware is taken."""
        self._chip = chip
        chip.public_address = self._address = SHARED_ADDRESS
        self._next = chip.on_packet
        chip.on_packet = self.on_packet

    def on_packet(self, packet: bytes) -> None:
        opcode = struct.unpack_from("<H", packet, 1)[0] if packet[0] == HCI_COMMAND_PACKET else 0
        if opcode == HCI_RESET_COMMAND:
            self._chip.public_address = self._address
        if opcode & VENDOR != VENDOR and opcode not in ANSWERS:
            self._next(packet)
            return
        self.opcodes.append(opcode)
        if opcode in (WRITE_RAM, LAUNCH_RAM):
            self.on_loading()
            self.firmware += packet[1:]
            self._address = SHARED_ADDRESS
        if opcode == WRITE_ADDRESS:
            self._address = Address(packet[4:10], Address.PUBLIC_DEVICE_ADDRESS)
        parameters = struct.pack("<BHB", 1, opcode, 0) + ANSWERS.get(opcode, b"")
        if self._chip.hci_sink is not None:
            self._chip.hci_sink.on_packet(bytes([HCI_EVENT_PACKET, 0x0E, len(parameters)]) + parameters)

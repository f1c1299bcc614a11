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
    HCI_Packet,
)

from lenker_bench.wire.chip import Chip

VENDOR = 0xFC00
READ_VERBOSE_CONFIGURATION, READ_FEATURES = 0xFC79, 0xFC6E
WRITE_RAM, LAUNCH_RAM = 0xFC4C, 0xFC4E
WRITE_ADDRESS = 0xFC01
NAME_SIZE = 248


class DriverCommands:
    """Takes the place of a chip's `on_packet`; remembers the vendor's commands.

    An address that it is told holds from the next Reset on, and is lost when it is loaded with its firmware again. What
    it says that it is, is of the chip's kind. One that hangs is silent until it is switched off and on.
    """

    def __init__(self, chip: Chip) -> None:
        self.firmware = b""
        """What was written to the chip's memory, one command after the other."""
        self.opcodes: list[int] = []
        self.on_loading: Callable[[], None] = lambda: None
        """Called before each part of the firmware is taken."""
        self._chip = chip
        self._facts = chip.kind.broadcom
        self._shared_address = Address(self._facts.shared_address, Address.PUBLIC_DEVICE_ADDRESS)
        """That of every such chip that was not told another."""
        chip.public_address = self._address = self._shared_address
        self._next = chip.on_packet
        chip.on_packet = self.on_packet
        self._send = chip.send_hci_packet
        chip.send_hci_packet = self.send
        self._is_silent = False
        self._last_command: int | None = None

    def hang(self, command: int | None = None) -> None:
        """From now on, or from this command on, it is silent."""
        self._last_command = command
        self._is_silent = command is None

    def switch(self, is_on: bool) -> None:
        """Its power goes, and with it all that it has, or comes back."""
        self._is_silent, self._last_command = not is_on, None
        self._address = self._shared_address
        self.firmware = b""
        self.opcodes.clear()
        self._chip.power_cycle()

    def send(self, packet: HCI_Packet) -> None:
        if not self._is_silent:
            self._send(packet)

    def on_packet(self, packet: bytes) -> None:
        opcode = struct.unpack_from("<H", packet, 1)[0] if packet[0] == HCI_COMMAND_PACKET else 0
        if opcode != 0 and opcode == self._last_command:
            self.hang()
        if self._is_silent:
            return
        if opcode == HCI_RESET_COMMAND:
            self._chip.public_address = self._address
        answer = self._answer(opcode)
        if answer is None:
            self._next(packet)
            return
        self.opcodes.append(opcode)
        if opcode in (WRITE_RAM, LAUNCH_RAM):
            self.on_loading()
            self.firmware += packet[1:]
            self._address = self._shared_address
        if opcode == WRITE_ADDRESS:
            self._address = Address(packet[4:10], Address.PUBLIC_DEVICE_ADDRESS)
        parameters = struct.pack("<BHB", 1, opcode, 0) + answer
        if self._chip.hci_sink is not None:
            self._chip.hci_sink.on_packet(bytes([HCI_EVENT_PACKET, 0x0E, len(parameters)]) + parameters)

    def _answer(self, opcode: int) -> bytes | None:
        """The return parameters after the status, unless the bench's chip answers itself."""
        facts = self._facts
        if opcode == HCI_READ_LOCAL_NAME_COMMAND:
            name = self._chip.kind.local_name if LAUNCH_RAM in self.opcodes else facts.rom_name
            return name.encode().ljust(NAME_SIZE, b"\0")
        if opcode == READ_VERBOSE_CONFIGURATION:
            return bytes([facts.chip_id, 0, 0, 0, 0, 0])
        if opcode == READ_FEATURES:
            return bytes([facts.features, 0, 0, 0, 0, 0, 0, 0])
        return b"" if opcode & VENDOR == VENDOR else None

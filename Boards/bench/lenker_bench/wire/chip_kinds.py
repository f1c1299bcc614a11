"""Who a controller is and what it can do: one value for each kind of chip.

What public logs of real chips said is in hexadecimal, as it stood there; what no log said is told as such.
"""

import enum
import struct
from dataclasses import dataclass, replace

from bumble import hci

# What a host asks of a chip of both modes that is not for LE: a kernel does so at its start, a firmware does not. The
# bench has no BR/EDR: settings are the defaults of the Core Specification (Vol 4, Part E, 7.2 to 7.5), and what is
# written is taken and forgotten.
WRITES = (
    0x080F,  # Write Default Link Policy Settings
    0x0C05,  # Set Event Filter
    0x0C16,  # Write Connection Accept Timeout
    0x0C18,  # Write Page Timeout
    0x0C1C,  # Write Page Scan Activity
    0x0C1E,  # Write Inquiry Scan Activity
    0x0C20,  # Write Authentication Enable
    0x0C26,  # Write Voice Setting
    0x0C3A,  # Write Current IAC LAP
    0x0C45,  # Write Inquiry Mode
    0x0C47,  # Write Page Scan Type
    0x0C5B,  # Write Default Erroneous Data Reporting
)

# The return parameters after the status.
READINGS = {
    0x0C0D: struct.pack("<HH", 0, 0),  # Read Stored Link Key: room for none, none stored
    0x0C12: struct.pack("<H", 0),  # Delete Stored Link Key: none deleted
    0x0C1B: struct.pack("<HH", 0x0800, 0x0012),  # Read Page Scan Activity
    0x0C25: struct.pack("<H", 0x0060),  # Read Voice Setting
    0x0C38: b"\x01",  # Read Number Of Supported IAC
    0x0C39: b"\x01" + bytes.fromhex("338b9e"),  # Read Current IAC LAP: the general one
    0x0C46: b"\x00",  # Read Page Scan Type
    0x0C58: b"\x00",  # Read Inquiry Response Transmit Power Level
    0x0C5A: b"\x00",  # Read Default Erroneous Data Reporting
    0x100B: b"\x01\x02\x00",  # Read Local Supported Codecs: CVSD, none of the maker's
    0x100C: b"\x00\x10",  # Read Local Simple Pairing Options: keys of 16 bytes
    0x140C: b"\x00",  # Get MWS Transport Layer Configuration: none
}

BREDR_ANSWERS = READINGS | dict.fromkeys(WRITES, b"")


COMMANDS_SIZE = 64  # Core Specification, Vol 4, Part E, 6.27
DEFAULT_EVENT_MASK = 0x0000_1FFF_FFFF_FFFF  # Vol 4, Part E, 7.3.1: without LE Meta
DEFAULT_LE_EVENT_MASK = 0x1F  # 7.8.1
SHORTEST_PAYLOAD, LONGEST_PAYLOAD = 27, 251  # bytes of a packet on the air; Vol 6, Part B, 2.4

LE = hci.LeFeatureMask
BLUETOOTH_4_1_FEATURES = (
    LE.LE_ENCRYPTION
    | LE.CONNECTION_PARAMETERS_REQUEST_PROCEDURE
    | LE.EXTENDED_REJECT_INDICATION
    | LE.PERIPHERAL_INITIATED_FEATURE_EXCHANGE
)


class State(enum.IntFlag):
    """Bits of LE States that a central lives by, and one that can be connected to (Vol 4, Part E, 7.8.27)."""

    CONNECTABLE = 1 << 2
    CONNECTABLE_AND_PASSIVE = 1 << 10
    CONNECTABLE_AND_ACTIVE = 1 << 14
    INITIATING_AND_PASSIVE = 1 << 22
    INITIATING_AND_ACTIVE = 1 << 23
    PASSIVE_AND_CENTRAL = 1 << 24
    ACTIVE_AND_CENTRAL = 1 << 25
    PASSIVE_AND_PERIPHERAL = 1 << 26
    ACTIVE_AND_PERIPHERAL = 1 << 27
    INITIATING_AND_CENTRAL = 1 << 28
    CONNECTABLE_AND_INITIATING = 1 << 32
    CONNECTABLE_AND_CENTRAL = 1 << 35
    CONNECTABLE_AND_PERIPHERAL = 1 << 38
    INITIATING_AND_PERIPHERAL = 1 << 41


ALL_STATES = State((1 << 42) - 1)


LACKING = {
    "scanning": State.CONNECTABLE_AND_PASSIVE | State.CONNECTABLE_AND_ACTIVE,
    "initiating": State.CONNECTABLE_AND_INITIATING,
    "central": State.CONNECTABLE_AND_CENTRAL,
    "peripheral": State.INITIATING_AND_PERIPHERAL | State.PASSIVE_AND_PERIPHERAL | State.ACTIVE_AND_PERIPHERAL,
    "connectable": State.CONNECTABLE,
}
"""What a chip may not be able to do, by names: to advertise beside that, or at all, or to be a peripheral beside it."""


class LinkRefusal(enum.Enum):
    """How a chip says that it holds no further link (Vol 1, Part F, 2.9 and 2.13)."""

    COMMAND_STATUS = "status"
    """Connection Rejected Due To Limited Resources, in Command Status."""
    CONNECTION_COMPLETE = "complete"
    """Connection Limit Exceeded, in LE Connection Complete."""
    STATES = "states"
    """It tells before that a link is all that it can have: LE States have no bit 28."""


@dataclass(frozen=True)
class Buffers:
    """How many packets of the host a controller takes at a time, and how long each may be."""

    size: int
    count: int


@dataclass(frozen=True)
class Broadcom:
    """What only the driver of a Broadcom chip asks for; see drivers/bluetooth/btbcm.c."""

    chip_id: int
    features: int
    rom_name: str
    """The local name before a firmware was loaded; `ChipKind.local_name` comes with it."""
    shared_address: str
    """That of every such chip that was not told another."""


@dataclass(frozen=True)
class ChipKind:
    """One kind of controller, as it answers when it is asked."""

    name: str
    version: int
    """Of HCI and of the link manager."""
    hci_revision: int
    lmp_subversion: int
    manufacturer: int
    local_name: str
    commands: bytes
    """The mask of Read Local Supported Commands."""
    lmp_features: bytes
    le_features: hci.LeFeatureMask
    acl: Buffers
    synchronous: Buffers
    le: Buffers
    """Of size 0 where LE shares the buffers of BR/EDR."""
    states: State
    """Which of the link layer's states go together."""
    link_limit: int
    link_refusal: LinkRefusal
    accept_list_size: int
    broadcom: Broadcom | None = None

    def holding(self, links: int, refusal: LinkRefusal) -> "ChipKind":
        """The same chip with room for so many links."""
        states = self.states
        if refusal == LinkRefusal.STATES:
            # The complement of a flag has the named bits only.
            states ^= states & State.INITIATING_AND_CENTRAL
        return replace(self, states=states, link_limit=links, link_refusal=refusal)

    def lacking(self, *names: str) -> "ChipKind":
        """The same chip without these states of `LACKING`."""
        states = int(self.states)
        for name in names:
            states &= ~LACKING[name]
        return replace(self, states=State(states))

    def supports(self, opcode: int) -> bool:
        """Whether the mask has a command; that which reads the mask is known anyway."""
        if opcode == hci.HCI_READ_LOCAL_SUPPORTED_COMMANDS_COMMAND:
            return True
        return bool(int.from_bytes(self.commands, "little") & hci.HCI_SUPPORTED_COMMANDS_MASKS.get(opcode, 0))

    @property
    def data_buffers(self) -> Buffers:
        """Those that the host's LE packets go to."""
        return self.le if self.le.size > 0 else self.acl

    def with_commands(self, *opcodes: int) -> bytes:
        """Its mask with these commands, too."""
        return (int.from_bytes(self.commands, "little") | _mask(*opcodes)).to_bytes(COMMANDS_SIZE, "little")


def _mask(*opcodes: int) -> int:
    found = 0
    for opcode in opcodes:
        found |= hci.HCI_SUPPORTED_COMMANDS_MASKS[opcode]
    return found


DATA_LENGTH_COMMANDS = (
    hci.HCI_LE_SET_DATA_LENGTH_COMMAND,
    hci.HCI_LE_READ_SUGGESTED_DEFAULT_DATA_LENGTH_COMMAND,
    hci.HCI_LE_WRITE_SUGGESTED_DEFAULT_DATA_LENGTH_COMMAND,
    hci.HCI_LE_READ_MAXIMUM_DATA_LENGTH_COMMAND,
)

BCM43430A1 = ChipKind(
    name="bcm43430a1",
    version=hci.HCI_VERSION_BLUETOOTH_CORE_4_1,
    hci_revision=0x01FC,
    lmp_subversion=0x2209,
    manufacturer=0x000F,
    local_name="BCM43438A1 37.4MHz Raspberry Pi 3-0043O",
    commands=bytes.fromhex(
        "ffffff03ccffefffffffec1ff20fe8fe3ff78fff1c00040061f7ffff7ff8ffffff3f0000000000000008"
    ).ljust(COMMANDS_SIZE, b"\0"),
    lmp_features=bytes.fromhex("bffecffedbff7b87"),
    # No log has these two: they are those of the BCM4339, a relative of the same generation.
    le_features=BLUETOOTH_4_1_FEATURES,
    le=Buffers(27, 15),
    acl=Buffers(1021, 8),
    synchronous=Buffers(64, 1),
    broadcom=Broadcom(94, 0x2E, "BCM43430A1", "43:43:A1:12:1F:AC"),
    # The README of fliclib-linux-hci has both of a Raspberry Pi 3's BCM43438, which is this chip.
    link_limit=10,
    accept_list_size=128,
    # No log has its states: they are those of its relatives BCM4354 and BCM4377. How it refuses is a guess.
    states=ALL_STATES,
    link_refusal=LinkRefusal.COMMAND_STATUS,
)
"""The chip of the Pi Zero W, and of the Zero 2 W as "43436s". No data length extension, no P-256, no resolving list."""

BCM43430B0 = replace(
    BCM43430A1,
    name="bcm43430b0",
    version=hci.HCI_VERSION_BLUETOOTH_CORE_4_2,
    hci_revision=0x005C,
    lmp_subversion=0x410C,
    local_name="BCM4343B0 37.4MHz wlbga_iLNA_iTR [Baseline: 0092]",
    acl=Buffers(1021, 7),
    # No log has its mask, its features and its LE buffers, but that some Zero 2 W have the data length extension.
    commands=BCM43430A1.with_commands(*DATA_LENGTH_COMMANDS),
    le_features=BLUETOOTH_4_1_FEATURES | LE.LE_DATA_PACKET_LENGTH_EXTENSION,
    le=Buffers(LONGEST_PAYLOAD, 15),
    broadcom=Broadcom(115, BCM43430A1.broadcom.features, "BCM43430B0", "43:43:B0:37:1F:AC"),
)
"""The other chip that is sold as Zero 2 W, "43436"."""

KINDS = {kind.name: kind for kind in (BCM43430A1, BCM43430B0)}

PHONE = ChipKind(
    name="phone",
    version=hci.HCI_VERSION_BLUETOOTH_CORE_4_1,
    hci_revision=0,
    lmp_subversion=0x2209,
    manufacturer=0x000F,
    local_name="",
    commands=_mask(
        hci.HCI_DISCONNECT_COMMAND,
        hci.HCI_READ_REMOTE_VERSION_INFORMATION_COMMAND,
        hci.HCI_SET_EVENT_MASK_COMMAND,
        hci.HCI_RESET_COMMAND,
        hci.HCI_READ_LOCAL_VERSION_INFORMATION_COMMAND,
        hci.HCI_READ_LOCAL_SUPPORTED_FEATURES_COMMAND,
        hci.HCI_READ_BUFFER_SIZE_COMMAND,
        hci.HCI_READ_BD_ADDR_COMMAND,
        hci.HCI_READ_RSSI_COMMAND,
        hci.HCI_SET_EVENT_MASK_PAGE_2_COMMAND,
        hci.HCI_LE_SET_EVENT_MASK_COMMAND,
        hci.HCI_LE_READ_BUFFER_SIZE_COMMAND,
        hci.HCI_LE_READ_LOCAL_SUPPORTED_FEATURES_COMMAND,
        hci.HCI_LE_SET_RANDOM_ADDRESS_COMMAND,
        hci.HCI_LE_SET_ADVERTISING_PARAMETERS_COMMAND,
        hci.HCI_LE_READ_ADVERTISING_PHYSICAL_CHANNEL_TX_POWER_COMMAND,
        hci.HCI_LE_SET_ADVERTISING_DATA_COMMAND,
        hci.HCI_LE_SET_SCAN_RESPONSE_DATA_COMMAND,
        hci.HCI_LE_SET_ADVERTISING_ENABLE_COMMAND,
        hci.HCI_LE_SET_SCAN_PARAMETERS_COMMAND,
        hci.HCI_LE_SET_SCAN_ENABLE_COMMAND,
        hci.HCI_LE_CREATE_CONNECTION_COMMAND,
        hci.HCI_LE_CREATE_CONNECTION_CANCEL_COMMAND,
        hci.HCI_LE_READ_FILTER_ACCEPT_LIST_SIZE_COMMAND,
        hci.HCI_LE_CLEAR_FILTER_ACCEPT_LIST_COMMAND,
        hci.HCI_LE_ADD_DEVICE_TO_FILTER_ACCEPT_LIST_COMMAND,
        hci.HCI_LE_REMOVE_DEVICE_FROM_FILTER_ACCEPT_LIST_COMMAND,
        hci.HCI_LE_CONNECTION_UPDATE_COMMAND,
        hci.HCI_LE_REMOTE_CONNECTION_PARAMETER_REQUEST_REPLY_COMMAND,
        hci.HCI_LE_REMOTE_CONNECTION_PARAMETER_REQUEST_NEGATIVE_REPLY_COMMAND,
        hci.HCI_LE_READ_REMOTE_FEATURES_COMMAND,
        hci.HCI_LE_ENCRYPT_COMMAND,
        hci.HCI_LE_RAND_COMMAND,
        hci.HCI_LE_ENABLE_ENCRYPTION_COMMAND,
        hci.HCI_LE_LONG_TERM_KEY_REQUEST_REPLY_COMMAND,
        hci.HCI_LE_LONG_TERM_KEY_REQUEST_NEGATIVE_REPLY_COMMAND,
        hci.HCI_LE_READ_SUPPORTED_STATES_COMMAND,
    ).to_bytes(COMMANDS_SIZE, "little"),
    # LE only, and able to do so.
    lmp_features=bytes.fromhex("0000000060000000"),
    le_features=BLUETOOTH_4_1_FEATURES | LE.LE_DATA_PACKET_LENGTH_EXTENSION,
    acl=Buffers(27, 64),
    synchronous=Buffers(0, 0),
    le=Buffers(27, 8),
    states=ALL_STATES,
    link_limit=7,
    link_refusal=LinkRefusal.COMMAND_STATUS,
    accept_list_size=8,
)
"""The phone's own, which is LE only; its link layer has the features of real phones."""

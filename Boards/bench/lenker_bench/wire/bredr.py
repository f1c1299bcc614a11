"""What a host asks of a chip of both modes that is not for LE: a kernel does so at its start, a firmware does not.

The bench has no BR/EDR: settings are the defaults of the Core Specification (Vol 4, Part E, 7.2 to 7.5), and what is
written is taken and forgotten.
"""

import struct

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

"""A controller that takes no time: what it says to the program's host, and what a phone over a link.

Core Specification, Vol 4, Part E. It has one link at a time, and does at once what it is told.
"""

from lenker_bench.phone import komoot

OWN = bytes.fromhex("665544332211 00")  # an address as f5 and f6 have it: least significant byte first, then the type
HANDLE = bytes.fromhex("4000")
RETURNED = {
    0x1001: bytes.fromhex("07 0000 07 0f00 0922"),
    0x1002: bytes.fromhex("00" * 25 + "a0 03 00 06" + "00" * 35),  # the commands that a peripheral needs, too
    0x1009: OWN[:6],
    0x1005: bytes.fromhex("fd 03 40 08 00 01 00"),
    0x2002: bytes.fromhex("fb00 08"),
    0x2003: bytes(8),
    0x200F: b"\x80",
    0x201A: HANDLE,
    0x201B: HANDLE,
    0x201C: bytes.fromhex("ffff3fffff030000"),
}
WITH_STATUS = 0x0406, 0x200D, 0x2013, 0x2019  # commands of which only the status is said at once
SAID = {0x0406: "ends the link", 0x2019: "encrypts", 0x201A: "gives a key", 0x201B: "has no key"}
SUCCESS, KEY_MISSING, DISALLOWED, PEER_ENDED, HOST_ENDED, MIC_FAILURE = 0x00, 0x06, 0x0C, 0x13, 0x16, 0x3D
ADVERTISEMENT = bytes.fromhex("020106 1107") + bytes(komoot.SERVICE)


class Chip:
    """A controller with one link; what the host says over it goes to `hear` of the subclass."""

    address = b""  # of the device that is near, or at the other end of the link
    wanted = b""  # the address that the host connects to
    begun: bytes | None = None  # the key with which one end has begun to encrypt
    queue = b""  # for the host
    is_scanning = is_advertising = is_linked = is_encrypted = False

    def __init__(self, is_central: bool) -> None:
        self.is_central = is_central
        self.said: list[str] = []  # what the host did with the link, for the outputs

    # What happens outside

    def advertise(self) -> None:
        """The central hears a phone that offers komoot's service. To the peripheral a phone comes without."""
        if self.is_central and self.is_scanning and not self.wanted:
            head = bytes([2, 1, 0, self.address[6], *self.address[:6], len(ADVERTISEMENT)])
            self._event(0x3E, head + ADVERTISEMENT + b"\xc4")

    def connect(self) -> None:
        """If the host wants that, or allows it."""
        if self.address == self.wanted or self.is_advertising:
            self.wanted = b"" if self.is_central else self.wanted
            self.is_linked, self.is_advertising, self.is_encrypted = True, False, False
            self.said.append("linked")
            peer = bytes([not self.is_central, self.address[6], *self.address[:6]])
            self._event(0x3E, b"\x01\x00" + HANDLE + peer + bytes.fromhex("1800 0000 9001 00"))

    def send(self, channel: int, payload: bytes) -> None:
        frame = len(payload).to_bytes(2, "little") + bytes([channel, 0]) + payload
        self.queue += b"\x02\x40\x20" + len(frame).to_bytes(2, "little") + frame

    def end(self, reason: int = PEER_ENDED) -> None:
        self.is_linked, self.begun = False, None
        self._event(0x05, b"\x00" + HANDLE + bytes([reason]))

    def encrypt(self, key: bytes | None, is_host: bool = False) -> None:
        """The central's end begins with this key, or the other end answers with its own; `None`: it has none."""
        begun, self.begun = self.begun, None
        if is_host == self.is_central:
            self.begun = key
            if not is_host:
                self._event(0x3E, b"\x05" + HANDLE + bytes(10))
        elif begun is None:
            pass  # there is nothing to answer
        elif key is None:
            self._event(0x08, bytes([KEY_MISSING]) + HANDLE + bytes([self.is_encrypted]))
        elif key != begun:
            self.end(MIC_FAILURE)
        else:
            self.said.append("encrypted")
            self._event(*((0x30, b"\x00" + HANDLE) if self.is_encrypted else (0x08, b"\x00" + HANDLE + b"\x01")))
            self.is_encrypted = True

    # What the host wants

    def take(self, packets: bytes) -> None:
        while packets:
            begin = 4 if packets[0] == 1 else 5
            size = begin + int.from_bytes(packets[3:begin], "little")
            if packets[0] == 1:
                self._command(int.from_bytes(packets[1:3], "little"), packets[4:size])
            else:
                self._event(0x13, b"\x01" + HANDLE + b"\x01\x00")
                if self.is_linked:
                    self.hear(packets[7], packets[9:size])
            packets = packets[size:]

    def _command(self, opcode: int, fields: bytes) -> None:
        status = DISALLOWED if opcode == 0x200E and not self.wanted else SUCCESS
        if opcode in WITH_STATUS:
            self._event(0x0F, b"\x00\x01" + opcode.to_bytes(2, "little"))
        else:
            self._event(0x0E, b"\x01" + opcode.to_bytes(2, "little") + bytes([status]) + RETURNED.get(opcode, b""))
        self.said += [SAID[opcode]] if opcode in SAID else []
        match opcode:
            case 0x0406:  # Disconnect
                self.end(HOST_ENDED)
            case 0x200A:  # LE Set Advertising Enable
                self.is_advertising = fields[0] == 1
            case 0x200C:  # LE Set Scan Enable
                self.is_scanning = fields[0] == 1
            case 0x200D:  # LE Create Connection
                self.wanted = fields[6:12] + fields[5:6]
            case 0x200E if status == SUCCESS:  # its end
                self.wanted = b""
                self._event(0x3E, b"\x01\x02" + bytes(17))
            case 0x2019:  # LE Enable Encryption
                self.encrypt(fields[12:], is_host=True)
            case 0x201A:  # LE Long Term Key Request Reply
                self.encrypt(fields[2:], is_host=True)

    def _event(self, code: int, fields: bytes) -> None:
        self.queue += bytes([4, code, len(fields)]) + fields

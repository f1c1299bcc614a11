"""A controller that takes no time: what it says to the program's host, and what a peer over a link.

Core Specification, Vol 4, Part E. It has one link at a time, and does at once what it is told.
"""

from collections.abc import Callable

from lenker_bench.phone import komoot

OWN = bytes.fromhex("665544332211 00")  # an address as f5 and f6 have it: least significant byte first, then the type
HANDLE = bytes.fromhex("4000")
COMMANDS = bytes.fromhex("00" * 25 + "a0 03 00 06" + "00" * 35)  # those that a peripheral needs, too
RETURNED = {
    0x1001: bytes.fromhex("07 0000 07 0f00 0922"),
    0x1002: COMMANDS,
    0x1009: OWN[:6],
    0x1005: bytes.fromhex("fd 03 40 08 00 01 00"),
    0x2002: bytes.fromhex("fb00 08"),
    0x2003: bytes(8),
    0x200F: b"\x80",
    0x201C: bytes.fromhex("ffff3fffff030000"),
}
SUCCESS, KEY_MISSING, PEER_ENDED, HOST_ENDED, MIC_FAILURE = 0x00, 0x06, 0x13, 0x16, 0x3D
ADVERTISEMENT = bytes.fromhex("020106 1107") + bytes(komoot.SERVICE)


class Chip:
    def __init__(self) -> None:
        self.queue = b""  # for the host
        self.said: list[str] = []  # what the host did with the link, for the outputs
        self.deliver: Callable[[int, bytes], None] = lambda channel, payload: None
        self.is_scanning = self.is_advertising = False
        self.wanted = b""  # the address that the host connects to
        self.peer = b""  # the address at the other end of the link
        self.asked_key: bytes | None = None  # with which the host encrypts, as the central
        self.tried_key: bytes | None = None  # with which the peer does, as the central
        self._frame = b""

    # What happens outside

    def advertise(self, address: bytes) -> None:
        """A phone that offers komoot's service is heard once."""
        if self.is_scanning and not self.wanted:
            data = bytes([1, 0, address[6], *address[:6], len(ADVERTISEMENT)]) + ADVERTISEMENT + b"\xc4"
            self._event(0x3E, b"\x02" + data)

    def connect_wanted(self, address: bytes) -> None:
        if self.wanted == address:
            self.wanted = b""
            self._link(0, address)

    def come(self, address: bytes) -> None:
        """A phone connects by itself, if that is allowed."""
        if self.is_advertising:
            self.is_advertising = False
            self._link(1, address)

    def send(self, channel: int, payload: bytes) -> None:
        frame = len(payload).to_bytes(2, "little") + bytes([channel, 0]) + payload
        self.queue += b"\x02\x40\x20" + len(frame).to_bytes(2, "little") + frame

    def end(self, reason: int = PEER_ENDED) -> None:
        self.peer, self.asked_key, self.tried_key = b"", None, None
        self._event(0x05, b"\x00" + HANDLE + bytes([reason]))

    def encrypt(self, key: bytes | None) -> None:
        """The peer encrypts with this key, or answers the host's encryption with it; `None`: it has none."""
        if self.asked_key is not None:
            asked, self.asked_key = self.asked_key, None
            self._encrypted(KEY_MISSING if key is None else SUCCESS if key == asked else MIC_FAILURE)
        elif self.is_central is False and key is not None and self.tried_key is None:
            self.tried_key = key
            self._event(0x3E, b"\x05" + HANDLE + bytes(10))

    def _encrypted(self, status: int) -> None:
        if status == MIC_FAILURE:
            return self.end(MIC_FAILURE)
        if status == SUCCESS:
            self.said.append("encrypted")
            if self.is_encrypted:
                return self._event(0x30, b"\x00" + HANDLE)
        self.is_encrypted = self.is_encrypted or status == SUCCESS
        return self._event(0x08, bytes([status]) + HANDLE + bytes([self.is_encrypted]))

    def _link(self, role: int, address: bytes) -> None:
        self.peer, self.is_central, self.is_encrypted = address, role == 0, False
        facts = bytes([role, address[6], *address[:6]]) + bytes.fromhex("1800 0000 9001 00")
        self._event(0x3E, b"\x01\x00" + HANDLE + facts)

    # What the host wants

    def take(self, packets: bytes) -> None:
        while packets:
            if packets[0] == 1:
                size = 4 + packets[3]
                self._command(int.from_bytes(packets[1:3], "little"), packets[4:size])
            else:
                size = 5 + int.from_bytes(packets[3:5], "little")
                self._data(packets[2] >> 4 & 3, packets[5:size])
            packets = packets[size:]

    def _data(self, boundary: int, piece: bytes) -> None:
        self._event(0x13, b"\x01" + HANDLE + b"\x01\x00")
        self._frame = self._frame + piece if boundary == 1 else piece
        if self.peer and len(self._frame) == 4 + int.from_bytes(self._frame[:2], "little"):
            self.deliver(self._frame[2], self._frame[4:])

    def _command(self, opcode: int, fields: bytes) -> None:
        match opcode:
            case 0x0406:  # Disconnect
                self._status(opcode)
                self.said.append("ends the link")
                self.end(HOST_ENDED)
            case 0x200D:  # LE Create Connection
                self._status(opcode)
                self.wanted = fields[6:12] + fields[5:6]
            case 0x200E:  # its end
                self._complete(opcode, b"\x00" if self.wanted else b"\x0c")
                if self.wanted:
                    self.wanted = b""
                    self._event(0x3E, b"\x01\x02" + bytes(17))
            case 0x2013:  # LE Connection Update
                self._status(opcode)
            case 0x2019:  # LE Enable Encryption
                self._status(opcode)
                self.said.append("encrypts")
                self.asked_key = fields[12:]
            case 0x201A | 0x201B:  # LE Long Term Key Request Reply, and the negative one
                self._complete(opcode, b"\x00" + HANDLE)
                tried, self.tried_key = self.tried_key, None
                self.said.append("gives a key" if opcode == 0x201A else "has no key")
                if opcode == 0x201A:
                    self._encrypted(SUCCESS if fields[2:] == tried else MIC_FAILURE)
            case _:
                if opcode == 0x200A:
                    self.is_advertising = fields[0] == 1
                if opcode == 0x200C:
                    self.is_scanning = fields[0] == 1
                self._complete(opcode, b"\x00" + RETURNED.get(opcode, b""))

    def _event(self, code: int, fields: bytes) -> None:
        self.queue += bytes([4, code, len(fields)]) + fields

    def _complete(self, opcode: int, fields: bytes) -> None:
        self._event(0x0E, b"\x01" + opcode.to_bytes(2, "little") + fields)

    def _status(self, opcode: int) -> None:
        self._event(0x0F, b"\x00\x01" + opcode.to_bytes(2, "little"))

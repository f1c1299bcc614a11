"""A phone, or a stranger, as a set of letters: what it says next is the test's to choose, in any order.

The values are right as far as there are any: each one follows from what was said before on the link. Core
Specification, Vol 3, Part H, 2.3.5.6; the functions are Bumble's.
"""

from bumble import crypto

from chip import OWN, Chip
from lenker_bench.phone import komoot
from lenker_bench.phone.rides import Step

ATT, SMP = 4, 6
SECRET = crypto.EccKey.from_private_key_bytes(bytes(31) + b"\x07")
PUBLIC = SECRET.x[::-1] + SECRET.y[::-1]
NONCE = bytes(range(16))
IRK = bytes(range(16, 32))
FEATURES = bytes.fromhex("01 00 0d 10 02 02")  # DisplayYesNo, with protection against a man in the middle, IdKey
COMMANDS = {
    "key": b"\x0c" + PUBLIC,
    "random": b"\x04" + NONCE,
    "identity": b"\x08" + IRK,
    "address": bytes.fromhex("09 01 0100000000c0"),
    "failed": bytes.fromhex("05 08"),
    "security": bytes.fromhex("0b 0d"),
}
WRONG_KEY = bytes(15) + b"\x01"
RANDOM, PUBLIC_KEY = 0x04, 0x0C
ASSUMED = {RANDOM: bytes(16), PUBLIC_KEY: PUBLIC}  # until the host has said its own
ANSWERS = {
    b"\x02": (0xFFFF, bytes.fromhex("03 1700")),
    b"\x06\x00\x28" + bytes(komoot.SERVICE): (0x20, bytes.fromhex("07 2000 2f00")),
    b"\x08\x03\x28": (0x21, bytes.fromhex("09 15 2100 12 2200") + bytes(komoot.CHARACTERISTIC)),
    b"\x04": (0x24, bytes.fromhex("05 01 2400 0229")),
    b"\x12": (0xFFFF, b"\x13"),
    b"\x0a": (0x22, b""),
}
"""To a request without its handles: the last handle that has it, and the answer; none is the next turn."""


class Phone(Chip):
    """What is at the other end of the links, with the memory of a phone that keeps its keys.

    What it knows is never changed in place, so that a shallow copy is one.
    """

    kept: bytes | None = None  # the key of the bond
    count = 0  # of links and turns
    line = b""  # what is still to be written

    def come(self, is_stranger: bool) -> None:
        """At a new address: a private one of the phone's, or any of a stranger's."""
        self.is_stranger = is_stranger
        self.count += 1
        random = bytes([self.count, 0, 0x40])
        self.address = (random + random[:2] + b"\xc1" if is_stranger else crypto.ah(IRK, random) + random) + b"\x01"
        self.theirs = ASSUMED  # the commands that were heard on this link, by their codes

    def do(self, letter: str) -> None:
        match letter:
            case "features":
                self.send(SMP, bytes([2 if self.is_central else 1]) + FEATURES)
            case "confirm":
                self.send(SMP, b"\x03" + crypto.f4(PUBLIC[:32], self.theirs[PUBLIC_KEY][:32], NONCE, b"\x00"))
            case "check" | "wrong check":
                key, said = self._secrets()[0], (NONCE, self.theirs[RANDOM], bytes(16), FEATURES[:3])
                check = crypto.f6(key, *said, self.address, OWN)
                self.send(SMP, bytes([0x0D, check[0] ^ (letter != "check")]) + check[1:])
            case "right key":
                self.encrypt(self.key() or WRONG_KEY)
            case "wrong key" | "no key":
                self.encrypt(WRONG_KEY if letter == "wrong key" else None)
            case "turn":
                self._turn()
            case "link ends":
                self.end()
            case _:
                self.send(SMP, COMMANDS[letter])

    def _secrets(self) -> tuple[bytes, bytes]:
        """MacKey and key."""
        key = self.theirs[PUBLIC_KEY]
        order = -1 if self.is_central else 1  # the initiator's first
        nonces, addresses = (NONCE, self.theirs[RANDOM])[::order], (self.address, OWN)[::order]
        return crypto.f5(SECRET.dh(key[31::-1], key[:31:-1])[::-1], *nonces, *addresses)

    def key(self) -> bytes | None:
        """The one of this link's pairing, as soon as it can be known, or else the one that is kept."""
        if self.theirs[RANDOM] != ASSUMED[RANDOM]:
            return self._secrets()[1]
        return None if self.is_stranger else self.kept

    def hear(self, channel: int, payload: bytes) -> None:
        code = payload[0]
        if channel == SMP:
            self.theirs = {**self.theirs, code: payload[1:]}
            self.said.append(f"{code:02X}:{payload[1]:02X}" if code == 0x05 else f"{code:02X}")
        elif channel == ATT and code & 1 == 0:
            self.send(ATT, self._answer(payload))
        elif channel == ATT and code == 0x13 and self.line:
            self._write()
        elif channel == ATT:
            self.said.append("taken" if code == 0x13 else f"refused:{payload[4]:02X}")

    def _answer(self, asked: bytes) -> bytes:
        """Of a server that shows all to everybody: whether to believe it is the host's decision."""
        last, answer = ANSWERS.get(asked[:1] + asked[5:], (0, b""))
        if self.is_central and int.from_bytes(asked[1:3], "little") <= last:
            return answer or b"\x0b" + self._value()
        return bytes([0x01, *asked[:3], 0x0A])  # a phone that has come by itself only writes

    def _value(self) -> bytes:
        return komoot.encode(self.count, Step(0, 2, 100 + self.count, "A"))

    def _turn(self) -> None:
        """The next turn: notified, or, by a phone that came by itself, written piece by piece."""
        self.count += 1
        if self.is_central:
            self.send(ATT, b"\x1b\x22\x00" + self._value())
        else:
            self.line = b'\x10GB({"t":"nav","instr":"A","distance":"%dm","action":"left"})\n' % (100 + self.count)
            self._write()

    def _write(self) -> None:
        """To Gadgetbridge's characteristic: `ServerTable.swift` in Sources/Link."""
        self.send(ATT, b"\x12\x0c\x00" + self.line[:20])
        self.line = self.line[20:]

"""A phone, or a stranger, as a set of letters: what it says next is the test's to choose, in any order.

The values are right as far as there are any: each one follows from what was said before on the link. Core
Specification, Vol 3, Part H, 2.3.5.6; the functions are Bumble's.
"""

from bumble import crypto

from chip import OWN, Chip
from lenker_bench.phone import komoot
from lenker_bench.phone.rides import Step

KEY = crypto.EccKey.from_private_key_bytes(bytes(31) + b"\x07")
X, Y = KEY.x[::-1], KEY.y[::-1]
NONCE = bytes(range(16))
IRK = bytes(range(16, 32))
IDENTITY = bytes.fromhex("0100000000c0 01")
FEATURES = bytes.fromhex("01 00 0d 10 02 02")  # DisplayYesNo, with protection against a man in the middle, IdKey
SMP, ATT = 6, 4
REQUEST, RESPONSE, CONFIRM, RANDOM, FAILED = 1, 2, 3, 4, 5
IRK_IS, ADDRESS_IS, SECURITY, PUBLIC_KEY, CHECK = 8, 9, 11, 12, 13
UART_RX = 12  # the handle: Sources/Link/ServerTable.swift
SERVICE, VALUE, CONFIGURATION = 0x20, 0x22, 0x24


class Peer:
    """What is at the other end of the links, with the memory of a phone that keeps its keys."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        chip.deliver = self._hear
        self.kept: bytes | None = None  # the key of the bond
        self.is_stranger = False
        self.links = self.turns = 0

    def comes(self, is_stranger: bool) -> bytes:
        """A new address: a private one of the phone's, or any of a stranger's."""
        self.is_stranger = is_stranger
        self.links += 1
        self.turns += 1
        random = bytes([self.links, 0, 0x40])
        self.address = (crypto.ah(IRK, random) + random if not is_stranger else random + random[:2] + b"\xc1") + b"\x01"
        self.theirs: dict[int, bytes] = {}  # the commands that were heard on this link, by their codes
        self.pieces: list[bytes] = []
        return self.address

    # The Security Manager

    def say(self, code: int) -> None:
        """The command of that code, as right as can be."""
        fields = {
            CONFIRM: lambda: crypto.f4(X, self._their_key()[:32], NONCE, b"\x00"),
            RANDOM: lambda: NONCE,
            FAILED: lambda: b"\x08",
            IRK_IS: lambda: IRK,
            ADDRESS_IS: lambda: IDENTITY[6:] + IDENTITY[:6],
            SECURITY: lambda: b"\x0d",
            PUBLIC_KEY: lambda: X + Y,
            CHECK: self._check,
        }.get(code, lambda: FEATURES)()
        self.chip.send(SMP, bytes([code]) + fields)

    def say_wrong_check(self) -> None:
        right = self._check()
        self.chip.send(SMP, bytes([CHECK, right[0] ^ 1]) + right[1:])

    @property
    def _is_initiator(self) -> bool:
        return not self.chip.is_central

    def _their_key(self) -> bytes:
        return self.theirs.get(PUBLIC_KEY, X + Y)

    def _secrets(self) -> tuple[bytes, bytes]:
        """MacKey and key."""
        key = self._their_key()
        secret = KEY.dh(key[31::-1], key[:31:-1])[::-1]
        theirs = self.theirs.get(RANDOM, bytes(16))
        nonces, addresses = (NONCE, theirs), (self.address, OWN)
        order = 1 if self._is_initiator else -1
        return crypto.f5(secret, *nonces[::order], *addresses[::order])

    def _check(self) -> bytes:
        theirs = self.theirs.get(RANDOM, bytes(16))
        return crypto.f6(self._secrets()[0], NONCE, theirs, bytes(16), FEATURES[:3], self.address, OWN)

    def key(self) -> bytes | None:
        """The one of this link's pairing, as soon as it can be known, or else the one that is kept."""
        if PUBLIC_KEY in self.theirs and RANDOM in self.theirs:
            return self._secrets()[1]
        return None if self.is_stranger else self.kept

    # What the host says

    def _hear(self, channel: int, payload: bytes) -> None:
        if channel == SMP:
            self.theirs[payload[0]] = payload[1:]
            reason = f":{payload[1]:02X}" if payload[0] == FAILED else ""
            self.chip.said.append(f"{payload[0]:02X}{reason}")
        elif channel == ATT and payload[0] & 1 == 0:
            self.chip.send(ATT, self._answer(payload))
        elif channel == ATT and payload[0] == 0x13 and self.pieces:
            self._write_piece()
        elif channel == ATT:
            self.chip.said.append("taken" if payload[0] == 0x13 else f"refused:{payload[4]:02X}")

    def _answer(self, asked: bytes) -> bytes:
        """Of a server that shows all to everybody: whether to believe it is the host's decision."""
        start = int.from_bytes(asked[1:3], "little")
        match asked[0]:
            case _ if not self.chip.is_central:
                pass  # such a phone writes
            case 0x02:
                return b"\x03\x17\x00"
            case 0x06 if asked[7:] == bytes(komoot.SERVICE) and start <= SERVICE:
                return bytes([0x07, SERVICE, 0, SERVICE + 15, 0])
            case 0x08 if asked[5:] == b"\x03\x28" and start < VALUE:
                return bytes([0x09, 21, VALUE - 1, 0, 0x12, VALUE, 0]) + bytes(komoot.CHARACTERISTIC)
            case 0x04 if start <= CONFIGURATION:
                return bytes([0x05, 1, CONFIGURATION, 0, 0x02, 0x29])
            case 0x12:
                return b"\x13"
            case 0x0A if start == VALUE:
                return b"\x0b" + self._value()
        return bytes([0x01, asked[0], asked[1], asked[2], 0x0A])

    def _value(self) -> bytes:
        return komoot.encode(self.turns, Step(0, 2, 100 + self.turns, "A"))

    def turn(self) -> None:
        """The next turn: notified, or, by a phone that came by itself, written line by line."""
        self.turns += 1
        if self.chip.is_central:
            return self.chip.send(ATT, bytes([0x1B, VALUE, 0]) + self._value())
        line = b'\x10GB({"t":"nav","instr":"A","distance":"%dm","action":"left"})\n' % (100 + self.turns)
        self.pieces = [line[index : index + 20] for index in range(0, len(line), 20)]
        return self._write_piece()

    def _write_piece(self) -> None:
        self.chip.send(ATT, bytes([0x12, UART_RX, 0]) + self.pieces.pop(0))

"""Phones that pair as no honest one does, and the reason with which they must be turned away.

Each is Bumble's honest side of a pairing whose commands are twisted on their way out.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bumble import smp

from lenker_bench.phone.pairing import PhoneSession

Response, PublicKey = smp.SMP_Pairing_Response_Command, smp.SMP_Pairing_Public_Key_Command
Confirm, Random = smp.SMP_Pairing_Confirm_Command, smp.SMP_Pairing_Random_Command
Check = smp.SMP_Pairing_DHKey_Check_Command
Identity = smp.SMP_Identity_Information_Command

AUTHENTICATION, CONFIRM_FAILED, UNSPECIFIED = 0x03, 0x04, 0x08
INVALID_PARAMETERS, CHECK_FAILED = 0x0A, 0x0B
# The specification demands that such a key ends the pairing (Vol 3, Part H, 2.3.5.6.1), and leaves the reason open.
BAD_KEY = {INVALID_PARAMETERS, CHECK_FAILED}

Twist = Callable[["HostileSession", smp.SMP_Command], list[bytes]]


class HostileSession(PhoneSession):
    """Sends what the twist makes of each command."""

    twist: Twist

    def send_command(self, command: smp.SMP_Command) -> None:
        if self.completed:
            return
        for pdu in type(self).twist(self, command):
            self.connection.send_l2cap_pdu(smp.SMP_CID, pdu)


def honest(command: smp.SMP_Command) -> list[bytes]:
    return [bytes(command)]


def _flipped(value: bytes) -> bytes:
    return bytes([value[0] ^ 1]) + value[1:]


def changing(kind: type[smp.SMP_Command], change: Callable[[HostileSession, smp.SMP_Command], list[bytes]]) -> Twist:
    """All is honest but the commands of one kind."""
    return lambda session, command: change(session, command) if isinstance(command, kind) else honest(command)


def wrong(kind: type[smp.SMP_Command]) -> Twist:
    """One bit of the first byte of that command is wrong."""
    return changing(kind, lambda _, command: [bytes(command)[:1] + _flipped(bytes(command)[1:])])


def twice(kind: type[smp.SMP_Command]) -> Twist:
    return changing(kind, lambda _, command: honest(command) * 2)


def short(kind: type[smp.SMP_Command]) -> Twist:
    return changing(kind, lambda _, command: [bytes(command)[:-1]])


def keyed(change: Callable[[HostileSession, bytes, bytes], tuple[bytes, bytes]]) -> Twist:
    """Another public key than the phone's own."""

    def changed(session: HostileSession, command: PublicKey) -> list[bytes]:
        return honest(PublicKey(*change(session, command.public_key_x, command.public_key_y)))

    return changing(PublicKey, changed)


def off_the_curve(session: HostileSession, x: bytes, y: bytes) -> tuple[bytes, bytes]:
    return x, _flipped(y)


def reflected(session: HostileSession, x: bytes, y: bytes) -> tuple[bytes, bytes]:
    return session.peer_public_key_x, session.peer_public_key_y


def legacy(session: HostileSession, command: Response) -> list[bytes]:
    pdu = bytearray(bytes(command))
    pdu[3] &= ~smp.AuthReq.SC
    return [bytes(pdu)]


@dataclass(frozen=True)
class Hostility:
    """What the phone does, and with which of these reasons it must be refused."""

    name: str
    twist: Twist
    reasons: frozenset[int]

    def session(self) -> type[HostileSession]:
        return type("Twisted", (HostileSession,), {"twist": staticmethod(self.twist)})


def _hostility(name: str, twist: Twist, reasons: set[int]) -> Hostility:
    return Hostility(name, twist, frozenset(reasons))


# Each other wrong command, at each other step, is for `HostilePairingTests` of the module SMP.
HOSTILITIES = [
    _hostility("key-off-the-curve", keyed(off_the_curve), BAD_KEY),
    _hostility("our-own-key", keyed(reflected), BAD_KEY),
    _hostility("wrong-confirm", wrong(Confirm), {CONFIRM_FAILED}),
    _hostility("wrong-check", wrong(Check), {CHECK_FAILED}),
    _hostility("legacy-only", changing(Response, legacy), {AUTHENTICATION}),
    _hostility("random-twice", twice(Random), {UNSPECIFIED}),
    _hostility("short-identity", short(Identity), {INVALID_PARAMETERS}),
]


class Recorder:
    """Remembers the commands of one pairing and says them again in the next."""

    def __init__(self) -> None:
        self._said: dict[type[smp.SMP_Command], bytes] = {}

    def record(self, session: HostileSession, command: smp.SMP_Command) -> list[bytes]:
        self._said[type(command)] = bytes(command)
        return honest(command)

    def replay(self, session: HostileSession, command: smp.SMP_Command) -> list[bytes]:
        return [self._said.get(type(command), bytes(command))]

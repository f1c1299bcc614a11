"""How the phone pairs: who it is, what it can show and ask, and what its rider answers.

Core Specification, Vol 3, Part H. Bumble does the work; where it is more lenient than a real phone, it is corrected.
"""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bumble import core, crypto, hci, keys, smp
from bumble.device import Connection, Device
from bumble.pairing import PairingConfig, PairingDelegate

from .kinds import Kind

NONE, JUST_WORKS, COMPARE = MODES = ("none", "just-works", "compare")
YES, NO, NEVER = ANSWERS = ("yes", "no", "never")

APPLE_ADDRESSES = bytes.fromhex("f099b6")


class KeysError(Exception):
    """A file that does not hold bonds."""


@dataclass(frozen=True)
class Identity:
    """Who a phone is, whatever address it uses on the air."""

    irk: bytes
    public_address: hci.Address
    static_address: hci.Address

    @classmethod
    def drawn(cls, random_source: random.Random) -> "Identity":
        """Draws an identity: the same one for the same random numbers."""
        irk = random_source.randbytes(16)
        public = random_source.randbytes(3) + APPLE_ADDRESSES[::-1]
        static = bytearray(random_source.randbytes(6))
        static[5] |= 0xC0  # Vol 6, Part B, 1.3.2.1
        return cls(
            irk,
            hci.Address(public, hci.Address.PUBLIC_DEVICE_ADDRESS),
            hci.Address(bytes(static), hci.Address.RANDOM_DEVICE_ADDRESS),
        )

    def private_address(self, random_source: random.Random) -> hci.Address:
        """A new resolvable private address (Core Specification, Vol 6, Part B, 1.3.2.2)."""
        random_part = bytearray(random_source.randbytes(3))
        random_part[2] = random_part[2] & 0x3F | 0x40
        return hci.Address(crypto.ah(self.irk, bytes(random_part)) + bytes(random_part))

    def address_type(self, kind: Kind) -> PairingConfig.AddressType:
        return PairingConfig.AddressType.PUBLIC if kind.has_public_identity else PairingConfig.AddressType.RANDOM

    def address(self, kind: Kind) -> hci.Address:
        """The identity address that the phone gives away in a pairing."""
        return self.public_address if kind.has_public_identity else self.static_address


def new_bonds() -> keys.KeyStore:
    """Bonds that are remembered while the process runs."""
    return keys.MemoryKeyStore()


async def bonds_in(path: Path, owner: str) -> keys.KeyStore:
    """That phone's bonds in a file, which need not exist yet. Raises `KeysError`."""
    bonds = keys.JsonKeyStore(owner, str(path))
    try:
        await bonds.get_all()
    except (OSError, ValueError, AttributeError, TypeError, KeyError) as error:
        raise KeysError(f"--keys {path}: cannot be read as bonds ({error})") from error
    return bonds


@dataclass
class PairingHabits:
    """How a phone pairs; `answer` is what its rider says when asked whether two numbers are the same."""

    mode: str = NONE
    answer: str = YES
    answer_after: float = 0.0  # seconds
    asked_for: float = 0.0
    """How long a notification asks the rider before a request is answered at all, in seconds."""
    bonds: keys.KeyStore = field(default_factory=new_bonds)


class Rider(PairingDelegate):
    """The rider's answers on the phone."""

    def __init__(self, habits: PairingHabits, report: Callable[..., None]) -> None:
        can_compare = habits.mode == COMPARE
        super().__init__(
            PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT if can_compare else PairingDelegate.NO_OUTPUT_NO_INPUT,
            local_initiator_key_distribution=PairingDelegate.KeyDistribution.DISTRIBUTE_IDENTITY_KEY,
            local_responder_key_distribution=PairingDelegate.KeyDistribution.DISTRIBUTE_IDENTITY_KEY,
        )
        self._habits = habits
        self._report = report

    async def accept(self) -> bool:
        if self._habits.asked_for > 0:
            self._report("pairing", state="asked")
            await asyncio.sleep(self._habits.asked_for)
        return self._habits.mode != NONE

    async def compare_numbers(self, number: int, digits: int) -> bool:
        self._report("pairing", state="confirm", number=f"{number:0{digits}}")
        if self._habits.answer == NEVER:
            await asyncio.get_running_loop().create_future()
        await asyncio.sleep(self._habits.answer_after)
        return self._habits.answer == YES


class PhoneSession(smp.Session):
    """One pairing. Unlike Bumble's, it gives away no key before the key was checked, nor after a failure."""

    def __init__(self, *arguments, **options) -> None:
        super().__init__(*arguments, **options)
        self.ltk = None
        self._is_checked = False

    def get_long_term_key(self, rand: bytes, ediv: int) -> bytes | None:
        return super().get_long_term_key(rand, ediv) if self._is_checked or not self.sc else None

    def send_pairing_dhkey_check_command(self) -> None:
        self._is_checked = True
        super().send_pairing_dhkey_check_command()

    def on_pairing_failure(self, reason: smp.ErrorCode) -> None:
        if not self.completed:
            self._is_checked = False
            self.ltk = self.stk = None
        super().on_pairing_failure(reason)

    def prompt_user_for_numeric_comparison(self, code: int, next_steps: Callable[[], None]) -> None:
        async def prompt() -> None:
            is_same = await self.pairing_config.delegate.compare_numbers(code, digits=6)
            if self.completed:
                return
            if is_same:
                next_steps()
            else:
                # Bumble gives the reason of a wrong confirm value.
                self.send_pairing_failed(smp.ErrorCode.NUMERIC_COMPARISON_FAILED)

        self.connection.cancel_on_disconnection(prompt())


class SecurityManager(smp.Manager):
    """Pairs on a link as often as asked, each time with a new key pair."""

    def __init__(self, device: Device, kind: Kind, identity: Identity, habits: PairingHabits, report: Callable) -> None:
        address_type = identity.address_type(kind)
        rider = Rider(habits, report)
        can_compare = habits.mode == COMPARE
        super().__init__(
            device,
            lambda connection: PairingConfig(mitm=can_compare, delegate=rider, identity_address_type=address_type),
        )
        self.session_proxy = PhoneSession
        self._bonds = habits.bonds
        self._report = report
        device.keystore = habits.bonds
        device.host.long_term_key_provider = self._long_term_key

    @property
    def ecc_key(self) -> crypto.EccKey:
        return crypto.EccKey.generate()

    def attend(self, connection: Connection) -> None:
        """Reports what happens to pairing and encryption on this link."""
        report = self._report
        connection.on(Connection.EVENT_PAIRING, lambda keys: report("pairing", state="done"))
        connection.on(
            Connection.EVENT_PAIRING_FAILURE, lambda reason: report("pairing", state="failed", reason=int(reason))
        )
        for change in (
            Connection.EVENT_CONNECTION_ENCRYPTION_CHANGE,
            Connection.EVENT_CONNECTION_ENCRYPTION_KEY_REFRESH,
        ):
            connection.on(change, lambda: report("encrypted"))

    async def forget(self) -> None:
        """The rider removes every device from the phone's list."""
        await self._bonds.delete_all()
        for session in list(self.sessions.values()):
            self._close(session)
        self._report("forgotten")

    def on_smp_pdu(self, connection: Connection, pdu: bytes) -> None:
        session = self.sessions.get(connection.handle)
        if session is not None and session.completed and pdu[:1] == bytes([smp.CommandCode.PAIRING_REQUEST]):
            self._close(session)
        try:
            super().on_smp_pdu(connection, pdu)
        except (core.BaseBumbleError, ValueError, IndexError):
            self._report("complaint", message=f"SMP PDU that does not parse: {pdu.hex()}")

    def is_pairing(self, connection: Connection) -> bool:
        """Whether a pairing is under way on this link."""
        session = self.sessions.get(connection.handle)
        return session is not None and not session.completed

    def _close(self, session: smp.Session) -> None:
        session.on_disconnection(0)

    async def _long_term_key(self, handle: int, rand: bytes, ediv: int) -> bytes | None:
        key = await self.device.get_long_term_key(handle, rand, ediv)
        if key is None:
            self._report("keyless")
        return key

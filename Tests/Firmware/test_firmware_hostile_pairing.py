"""Phones that pair as no honest one does get no bond and no key, and the next honest pairing works.

Each is Bumble's honest side, of which one command is twisted. Each other wrong command, at each step, is for
`HostilePairingTests` of the module SMP.
"""

from collections.abc import Callable

import pytest
from bumble import smp

from bonding import LONG, is_remembered, pair, riders_phone, search_again, states
from lenker_bench.phone.pairing import PhoneSession

AUTHENTICATION, INVALID_PARAMETERS, CHECK_FAILED = 0x03, 0x0A, 0x0B


def flipped(pdu: bytes, at: int) -> bytes:
    return pdu[:at] + bytes([pdu[at] ^ 1]) + pdu[at + 1 :]


def legacy(pdu: bytes) -> bytes:
    return pdu[:3] + bytes([pdu[3] & ~smp.AuthReq.SC]) + pdu[4:]


def twisted(kind: type[smp.SMP_Command], twist: Callable[[bytes], bytes]) -> type[PhoneSession]:
    """A session that sends what the twist makes of commands of this kind."""

    class Twisted(PhoneSession):
        def send_command(self, command: smp.SMP_Command) -> None:
            if not self.completed:
                pdu = twist(bytes(command)) if isinstance(command, kind) else bytes(command)
                self.connection.send_l2cap_pdu(smp.SMP_CID, pdu)

    return Twisted


# The specification demands that such a key ends the pairing (Vol 3, Part H, 2.3.5.6.1), and leaves the reason open.
HOSTILITIES = {
    "key-off-the-curve": (
        twisted(smp.SMP_Pairing_Public_Key_Command, lambda pdu: flipped(pdu, 33)),
        {INVALID_PARAMETERS, CHECK_FAILED},
    ),
    "wrong-check": (twisted(smp.SMP_Pairing_DHKey_Check_Command, lambda pdu: flipped(pdu, 1)), {CHECK_FAILED}),
    "legacy-only": (twisted(smp.SMP_Pairing_Response_Command, legacy), {AUTHENTICATION}),
}


@pytest.mark.parametrize("build", ["regular", "armv6"], indirect=True)
@pytest.mark.parametrize("name", HOSTILITIES)
async def test_central_behaviour_37_a_hostile_pairing_is_refused_and_an_honest_one_works(build, lenker, tmp_path, name):
    session, reasons = HOSTILITIES[name]
    # Where pairing is required the phone is left after each failure, whatever the reason.
    async with riders_phone(kind="ios") as phone, lenker(phone.port, "pairing=required") as firmware:
        phone.phone.security.session_proxy = session
        # The rider is asked only once there are digits.
        expected = ["confirm", "failed"] if name == "wrong-check" else ["failed"]
        for state in expected:
            await firmware.log.wait_for("pairing", LONG, state=state)
            if state == "confirm":
                firmware.press("a")
        told = await phone.log.wait_for("pairing", LONG, state="failed")
        assert told["reason"] in reasons and states(firmware.log, "pairing") == expected
        assert firmware.log.named("bond") == [] and not is_remembered(tmp_path, phone)
        assert phone.script.readings == 0
        phone.phone.security.session_proxy = PhoneSession
        await search_again(firmware)
        await pair(firmware, phone)
        assert firmware.log.named("error") == phone.log.named("complaint") == []

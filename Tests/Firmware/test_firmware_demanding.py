"""A phone that tells its instructions over encrypted links only, with the real program."""

from collections.abc import Callable

from bumble import att
from bumble.device import Connection

from bonding import INSTRUCTION, LONG, pair, states
from hostile_phone import hostile_phone
from lenker_bench.phone.pairing import COMPARE, NONE, PairingHabits
from lenker_bench.phone.phone import Phone

REFUSALS = {
    "authentication": att.ATT_INSUFFICIENT_AUTHENTICATION_ERROR,
    "encryption": att.ATT_INSUFFICIENT_ENCRYPTION_ERROR,
    "key-size": att.ATT_INSUFFICIENT_ENCRYPTION_KEY_SIZE_ERROR,
}


def demanding(refusal: int, requests: list[str]) -> type[Phone]:
    """A phone that answers its characteristic's requests on an open link with this error, and keeps a list of them."""

    class Demanding(Phone):
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)
            server = self.device.gatt_server
            for name in ("on_att_read_request", "on_att_write_request"):
                setattr(server, name, self._demand(name, getattr(server, name)))

        def _demand(self, name: str, answer: Callable) -> Callable:
            def answer_if_encrypted(connection: Connection, request: att.ATT_PDU) -> object:
                requests.append(f"{name} {'encrypted' if connection.is_encrypted else 'open'}")
                if not connection.is_encrypted:
                    raise att.ATT_Error(refusal, request.attribute_handle)
                return answer(connection, request)

            return answer_if_encrypted

    return Demanding


def demanding_phone(refusal: str, mode: str, requests: list[str]):
    return hostile_phone(INSTRUCTION, pairing=PairingHabits(mode), make=demanding(REFUSALS[refusal], requests))


async def test_central_behaviour_29_the_link_is_encrypted_and_the_request_repeated_once(lenker):
    requests: list[str] = []
    async with (
        demanding_phone("authentication", COMPARE, requests) as phone,
        lenker(phone.port, "pairing=preferred") as firmware,
    ):
        await pair(firmware, phone)
        await firmware.log.wait_for("instruction", LONG)
        assert requests.count("on_att_write_request open") == 1
        assert "on_att_read_request open" not in requests
        assert requests.index("on_att_write_request encrypted") == 1
        assert phone.log.named("complaint") == firmware.log.named("error") == []


async def test_central_behaviour_145_a_phone_that_cannot_pair_either_is_left(lenker):
    requests: list[str] = []
    async with (
        demanding_phone("encryption", NONE, requests) as phone,
        lenker(phone.port, "pairing=preferred") as firmware,
    ):
        await firmware.log.wait_for("pairing", LONG, state="failed")
        await firmware.log.wait_for("link", LONG, state="disconnected")
        assert states(firmware.log, "pairing") == ["failed"]
        assert [*firmware.log.named("instruction"), *firmware.log.named("bond")] == []

"""How the virtual phone pairs, remembers and forgets: seen by a Bumble central."""

import asyncio
import contextlib

import pytest
from bumble import crypto, hci
from bumble.core import ProtocolError
from bumble.keys import KeyStore, MemoryKeyStore, PairingKeys
from bumble.pairing import PairingConfig, PairingDelegate

from central import Central, central_at
from hostile_phone import hostile_phone
from lenker_bench.phone.pairing import PairingHabits
from lenker_bench.programs.events import PATIENCE
from lenker_bench.programs.processes import PhoneProcess, running_phone

NOT_SUPPORTED = 0x05
KEY_MISSING, INTEGRITY_FAILURE = 0x06, 0x3D


class Panel(PairingDelegate):
    """Our side of a comparison, and which number it showed."""

    def __init__(self, answer: bool = True) -> None:
        super().__init__(PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT)
        self.answer = answer
        self.numbers: list[str] = []

    async def compare_numbers(self, number: int, digits: int) -> bool:
        self.numbers.append(f"{number:06}")
        return self.answer


@contextlib.asynccontextmanager
async def pairing_central(port: int, bonds: KeyStore | None = None, panel: Panel | None = None):
    """A central that is connected, with what it remembers of phones."""
    async with central_at(port) as central:
        central.device.keystore = bonds or MemoryKeyStore()
        await central.device.refresh_resolving_list()
        delegate = panel or Panel()
        central.device.pairing_config_factory = lambda connection: PairingConfig(delegate=delegate)
        await central.connect()
        yield central


async def only_bond(bonds: KeyStore) -> tuple[str, PairingKeys]:
    ((name, keys),) = await bonds.get_all()
    return name, keys


async def pair(central: Central, phone: PhoneProcess) -> None:
    """Both sides remember it then."""
    await central.connection.pair()
    await phone.log.wait_for("pairing", state="done")


async def reason_of_failure(central: Central) -> int:
    with pytest.raises(ProtocolError) as failure:
        await central.connection.pair()
    return failure.value.error_code


async def reason_without_key(central: Central) -> int:
    with pytest.raises(hci.HCI_Error) as failure:
        await central.connection.encrypt()
    return failure.value.error_code


async def test_by_default_it_refuses_every_pairing_and_goes_on():
    async with running_phone() as phone, pairing_central(phone.port) as central:
        for _ in range(2):
            assert await reason_of_failure(central) == NOT_SUPPORTED
            await phone.log.wait_for("pairing", state="failed", reason=NOT_SUPPORTED)
        await central.subscribe()
        assert not central.connection.is_encrypted and phone.log.named("encrypted") == []


@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_just_works_asks_nobody_and_encrypts(kind):
    bonds = MemoryKeyStore()
    options = ("--pairing=just-works", f"--kind={kind}")
    async with running_phone(*options) as phone, pairing_central(phone.port, bonds) as central:
        await central.connection.pair()
        await phone.log.wait_for("encrypted", phone="rider")
        await phone.log.wait_for("pairing", state="done", phone="rider")
        assert central.connection.is_encrypted
        assert [event["state"] for event in phone.log.named("pairing")] == ["done"]
    _, keys = await only_bond(bonds)
    assert not keys.ltk.authenticated and len(keys.ltk.value) == 16


@pytest.mark.parametrize(("kind", "is_public"), [("ios", True), ("ios-background", True), ("android", False)])
async def test_it_gives_away_who_it_is(kind, is_public):
    """The key resolves the address that it advertises with, and its identity is the same again."""
    names = set()
    for _ in range(2):
        bonds = MemoryKeyStore()
        options = ("--pairing=compare", f"--kind={kind}")
        async with running_phone(*options) as phone, pairing_central(phone.port, bonds) as central:
            address = bytes(central.connection.peer_address)
            await central.connection.pair()
        name, keys = await only_bond(bonds)
        assert crypto.ah(keys.irk.value, address[3:]) == address[:3]
        identity = hci.Address(name)
        assert identity.is_public if is_public else identity.is_static
        assert keys.address_type == identity.address_type
        names.add(name)
    assert len(names) == 1
    async with running_phone("--pairing=compare", f"--kind={kind}", "--seed=2") as phone:
        async with pairing_central(phone.port, bonds := MemoryKeyStore()) as central:
            await central.connection.pair()
    assert (await only_bond(bonds))[0] not in names


async def test_both_sides_show_the_same_six_digits():
    panel, bonds = Panel(), MemoryKeyStore()
    async with running_phone("--pairing=compare") as phone:
        async with pairing_central(phone.port, bonds, panel) as central:
            await central.connection.pair()
            shown = await phone.log.wait_for("pairing", state="confirm")
            await phone.log.wait_for("pairing", state="done")
    assert panel.numbers == [shown["number"]] and len(shown["number"]) == 6
    assert (await only_bond(bonds))[1].ltk.authenticated


async def test_a_bond_survives_the_phone_in_a_file_until_it_is_forgotten(tmp_path):
    bonds, options = MemoryKeyStore(), ("--pairing=compare", "--keys", tmp_path / "bonds.json")
    async with running_phone(*options) as phone, pairing_central(phone.port, bonds) as central:
        await pair(central, phone)
    async with running_phone(*options) as phone, pairing_central(phone.port, bonds) as central:
        await central.connection.encrypt()
        await phone.log.wait_for("encrypted")
        assert central.connection.is_encrypted and phone.log.named("pairing") == []
    async with running_phone(*options, "--forget") as phone, pairing_central(phone.port, bonds) as central:
        assert await reason_without_key(central) == KEY_MISSING
        await phone.log.wait_for("keyless")
        assert phone.log.named("encrypted") == []
    async with running_phone(*options) as phone, pairing_central(phone.port, bonds) as central:
        assert await reason_without_key(central) == KEY_MISSING, "it was forgotten in the file too"


async def test_a_wrong_key_ends_the_link(tmp_path):
    bonds, path = MemoryKeyStore(), tmp_path / "bonds.json"
    options = ("--pairing=compare", "--keys", path)
    async with running_phone(*options) as phone, pairing_central(phone.port, bonds) as central:
        await pair(central, phone)
    _, keys = await only_bond(bonds)
    text = path.read_text("utf-8")
    path.write_text(text.replace(keys.ltk.value.hex(), bytes(16).hex()), "utf-8")
    assert path.read_text("utf-8") != text
    async with running_phone(*options) as phone, pairing_central(phone.port, bonds) as central:
        encrypting = asyncio.create_task(central.connection.encrypt())
        await asyncio.wait_for(central.disconnected.wait(), PATIENCE)
        assert central.reason == INTEGRITY_FAILURE
        encrypting.cancel()
        await phone.log.wait_for("disconnected", reason=INTEGRITY_FAILURE)
        assert phone.log.named("encrypted") == []


async def test_it_forgets_in_mid_link():
    bonds = MemoryKeyStore()
    habits = PairingHabits("just-works")
    async with hostile_phone(b"", pairing=habits) as phone, pairing_central(phone.port, bonds) as central:
        await central.connection.pair()
        await phone.phone.security.forget()
        assert await habits.bonds.get_all() == []
        pending = asyncio.create_task(central.connection.encrypt())
        # A link that was encrypted cannot go back to what it was before.
        await asyncio.wait_for(central.disconnected.wait(), PATIENCE)
        assert central.reason == KEY_MISSING
        pending.cancel()
        await asyncio.wait({pending})

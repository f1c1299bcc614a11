"""How the virtual phone pairs, remembers and forgets: seen by a Bumble central."""

import asyncio
import contextlib
import json
import subprocess
import sys

import pytest
from bumble import crypto, hci, smp
from bumble.core import ProtocolError
from bumble.keys import KeyStore, MemoryKeyStore, PairingKeys
from bumble.pairing import PairingConfig, PairingDelegate

from central import Central, central_at
from hostile_phone import hostile_phone
from lenker_bench.phone.pairing import PairingHabits, Rider
from lenker_bench.programs.events import PATIENCE
from lenker_bench.programs.processes import PACKAGES, PhoneProcess, running_phone

NOT_SUPPORTED, COMPARISON_FAILED = 0x05, 0x0C
KEY_MISSING, INTEGRITY_FAILURE = 0x06, 0x3D
PIXEL = "--kind=android"  # with a random identity, and seen by its events alone until somebody connects


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


async def test_the_digits_are_six_even_of_a_small_number():
    shown = []
    rider = Rider(PairingHabits("compare"), lambda event, **fields: shown.append(fields["number"]))
    assert await rider.compare_numbers(42, digits=6)
    assert shown == ["000042"]


async def test_its_rider_says_no():
    async with running_phone("--pairing=compare", "--answer=no") as phone, pairing_central(phone.port) as central:
        assert await reason_of_failure(central) == COMPARISON_FAILED
        await phone.log.wait_for("pairing", state="failed", reason=COMPARISON_FAILED)
        assert phone.log.named("encrypted") == []


async def test_its_rider_never_answers():
    async with running_phone("--pairing=compare", "--answer=never") as phone, pairing_central(phone.port) as central:
        pairing = asyncio.create_task(central.connection.pair())
        await phone.log.wait_for("pairing", state="confirm")
        done, _ = await asyncio.wait({pairing}, timeout=2)
        assert not done
        pairing.cancel()


async def test_its_rider_takes_time():
    async with running_phone("--pairing=compare", "--answer-after=1") as phone:
        async with pairing_central(phone.port) as central:
            await central.connection.pair()
            asked = await phone.log.wait_for("pairing", state="confirm")
            done = await phone.log.wait_for("pairing", state="done")
            assert done["t"] - asked["t"] >= 0.99


async def test_a_pairing_that_failed_can_be_tried_again_on_the_same_link():
    panel, bonds = Panel(answer=False), MemoryKeyStore()
    async with running_phone("--pairing=compare") as phone:
        async with pairing_central(phone.port, bonds, panel) as central:
            await reason_of_failure(central)
            await phone.log.wait_for("pairing", state="failed")
            assert await bonds.get_all() == []
            panel.answer = True
            await central.connection.pair()
            await phone.log.wait_for("pairing", state="done")
    assert len(set(panel.numbers)) == 2


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


async def test_without_a_file_a_bond_lasts_as_long_as_the_phone():
    bonds = MemoryKeyStore()
    async with running_phone("--pairing=compare") as phone:
        async with pairing_central(phone.port, bonds) as central:
            await central.connection.pair()
        async with pairing_central(phone.port, bonds) as central:
            await central.connection.encrypt()
            assert central.connection.is_encrypted
    async with running_phone("--pairing=compare") as phone, pairing_central(phone.port, bonds) as central:
        assert await reason_without_key(central) == KEY_MISSING


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


class Hasty(smp.Session):
    """A central that encrypts without having shown that it has the key."""

    def send_pairing_dhkey_check_command(self) -> None:
        self.start_encryption(self.ltk)


async def test_it_has_no_key_before_that_was_checked():
    async with running_phone("--pairing=just-works") as phone, pairing_central(phone.port) as central:
        central.device.smp_session_proxy = Hasty
        pairing = asyncio.create_task(central.connection.pair())
        await phone.log.wait_for("keyless")
        assert phone.log.named("encrypted") == []
        pairing.cancel()


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


async def test_addresses_change_as_often_as_wanted_and_a_link_stays():
    bonds = MemoryKeyStore()
    options = ("--pairing=just-works", "--kind=ios", "--address-lifetime=0.3")
    async with running_phone(*options) as phone, pairing_central(phone.port, bonds) as central:
        await central.connection.pair()
        addresses: set[bytes] = set()
        # An iPhone advertises until somebody subscribes.
        while len(addresses) < 3:
            addresses |= {bytes(report.address) for report in await central.scan(0.5)}
        key = (await only_bond(bonds))[1].irk.value
        assert all(crypto.ah(key, address[3:]) == address[:3] for address in addresses)
        assert await central.connection.gatt_client.request_mtu(100) and not central.disconnected.is_set()


async def test_a_stranger_is_nearer_and_somebody_else():
    bonds = MemoryKeyStore()
    async with running_phone("--pairing=just-works", "--stranger", PIXEL) as phone, central_at(phone.port) as central:
        for name in ("rider", "stranger"):
            await phone.log.wait_for("advertising", phone=name, state="on")
        strengths: dict[bytes, list[int]] = {}
        while len(strengths) < 2:
            for report in await central.scan(1):
                strengths.setdefault(bytes(report.address), []).append(report.rssi)
        weaker, stronger = sorted(strengths, key=lambda address: max(strengths[address]))
        assert min(strengths[stronger]) > max(strengths[weaker])
    async with running_phone("--pairing=just-works", PIXEL) as phone, pairing_central(phone.port, bonds) as central:
        await central.connection.pair()
    key = (await only_bond(bonds))[1].irk.value
    assert crypto.ah(key, weaker[3:]) == weaker[:3], "the rider's phone is the same with a stranger as without"
    assert crypto.ah(key, stronger[3:]) != stronger[:3]


@pytest.mark.parametrize("content", ["", "[]", "no json", '{"phone 1": {"a": 5}}'])
def test_a_file_that_holds_no_bonds_is_refused(tmp_path, content):
    path = tmp_path / "bonds.json"
    path.write_text(content, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "lenker_bench.commands.phone", "--keys", path],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGES)},
        check=False,
    )
    assert done.returncode == 64 and str(path) in done.stderr and "Traceback" not in done.stderr


async def test_a_bond_file_belongs_to_the_phone_of_that_seed(tmp_path):
    path = tmp_path / "bonds.json"
    for seed in (1, 2):
        options = ("--pairing=just-works", "--keys", path, f"--seed={seed}")
        async with running_phone(*options) as phone, pairing_central(phone.port) as central:
            await pair(central, phone)
    assert list(json.loads(path.read_text("utf-8"))) == ["phone 1", "phone 2"]

"""Only my phone: strangers, impostors and thieves of addresses get nothing, and keys are shown to nobody."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bonding import (
    LONG,
    QUIET,
    STREET,
    bond_of,
    make_pair,
    pair,
    paired,
    riders_phone,
    states,
)
from hostile_phone import HostilePhone
from lenker_bench.phone import komoot
from lenker_bench.phone.kinds import KINDS
from lenker_bench.phone.pairing import JUST_WORKS, Identity, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.rides import Step
from lenker_bench.phone.strangers import NEARER, STRANGERS_STREET
from lenker_trials.hostile.pairing import giving_irk
from lenker_trials.hostile.phones import FixedAddress
from lenker_trials.sessions.script import Script

STRANGE_INSTRUCTION = komoot.encode(9, Step(0, 8, 50, STRANGERS_STREET))
SEED = "somebody else"
ENABLE_ENCRYPTION = bytes.fromhex("1920 1c")  # LE Enable Encryption, 28 bytes, of which 16 are the key


@contextlib.asynccontextmanager
async def another_phone(
    phone: HostilePhone, name: str, make: type[Phone] = Phone, mode: str = JUST_WORKS
) -> AsyncIterator[Phone]:
    """Another komoot phone on the same air, nearer than the rider's, with instructions of its own."""
    habits = PairingHabits(mode)
    other = make(phone.air, KINDS["android"], [], 1.0, random.Random(SEED), phone.report, habits, name=name)
    other.chip.signal_strength = NEARER
    other.navigation = Script(STRANGE_INSTRUCTION)
    await other.start()
    try:
        yield other
    finally:
        await other.stop()


def of(phone: HostilePhone, event: str, name: str) -> list[dict]:
    """That phone's events of that name."""
    return [found for found in phone.log.named(event) if found["phone"] == name]


def streets(firmware) -> set[str]:
    return {event["street"] for event in firmware.log.named("instruction")}


async def test_a_nearer_stranger_is_never_connected_to_while_there_is_a_bond(lenker, tmp_path):
    async with riders_phone() as phone:
        await make_pair(lenker, phone, tmp_path)
        async with another_phone(phone, "stranger"), lenker(phone.port, "pairing=preferred") as firmware:
            await firmware.log.wait_for("link", LONG, state="encrypted")
            await firmware.log.first("instruction", LONG, street=STREET)
            for _ in range(3):
                phone.phone.drop()
                await firmware.log.wait_for("link", LONG, state="disconnected")
                await firmware.log.wait_for("link", LONG, state="ready")
            assert of(phone, "connected", "stranger") == [] and streets(firmware) == {STREET}
            assert {found["match"] for found in firmware.log.named("phone")} == {"bond"}


class Impostor(FixedAddress):
    """Advertises with whatever address a test has overheard."""


async def test_an_impostor_with_the_phones_old_address_is_never_ready(lenker, tmp_path):
    async with riders_phone() as phone:
        await make_pair(lenker, phone, tmp_path)
        Impostor.address = phone.phone.device.random_address
        await phone.leave()
        async with another_phone(phone, "impostor", Impostor), lenker(phone.port, "pairing=preferred") as firmware:
            await firmware.log.wait_for("bond", LONG, state="rejected")
            await firmware.log.wait_for("link", LONG, state="disconnected")
            await asyncio.sleep(QUIET)
            assert of(phone, "keyless", "impostor") and not of(phone, "pairing", "impostor")
            assert "ready" not in states(firmware.log, "link") and streets(firmware) == set()
        await phone.arrive()
        (tmp_path / "events.jsonl").unlink()
        async with lenker(phone.port, "pairing=preferred") as firmware:
            await firmware.log.wait_for("link", LONG, state="encrypted")
            await firmware.log.wait_for("instruction", LONG, street=STREET)


async def test_central_behaviour_34_a_key_that_resolves_anothers_address_opens_nothing(lenker, tmp_path):
    """The phone gave the stranger's key for its own: the stranger is taken for it, and then has no long-term key."""
    irk = Identity.drawn(random.Random(SEED)).irk
    async with riders_phone(JUST_WORKS) as phone, lenker(phone.port, "pairing=preferred") as firmware:
        phone.phone.security.session_proxy = giving_irk(irk)
        await pair(firmware, phone)
        async with another_phone(phone, "stranger"):
            await phone.leave()
            await firmware.log.wait_for("phone", LONG, match="bond")
            await firmware.log.wait_for("bond", LONG, state="rejected")
            await asyncio.sleep(QUIET)
            assert of(phone, "encrypted", "stranger") == of(phone, "pairing", "stranger") == []
            assert STRANGERS_STREET not in streets(firmware)


def files_with(folder: Path, key: bytes) -> list[str]:
    """The files, the store excepted, that have the key in them: as bytes or as text, either end first."""
    raw = (key, key[::-1])
    texts = [text.encode() for order in raw for text in (order.hex(), order.hex(" "), order.hex(":"))]

    def has_key(content: bytes) -> bool:
        return any(order in content for order in raw) or any(text in content.lower() for text in texts)

    files = [path for path in folder.iterdir() if path.is_file() and path.name != "bond"]
    return [path.name for path in files if has_key(path.read_bytes())]


@pytest.mark.parametrize("build", ["armv6"], indirect=True)
async def test_keys_are_in_no_output(build, lenker, tmp_path):
    snoops = [f"btsnoop=file:{tmp_path / name}" for name in ("first.btsnoop", "second.btsnoop")]
    async with riders_phone() as phone:
        async with paired(lenker, phone, snoops[0]) as firmware:
            await firmware.stop()
        (tmp_path / "events.jsonl").rename(tmp_path / "events-0.jsonl")
        (tmp_path / "firmware.log").rename(tmp_path / "firmware-0.log")
        async with lenker(phone.port, "pairing=preferred", snoops[1]) as firmware:
            await firmware.log.wait_for("link", LONG, state="encrypted")
            await firmware.log.first("instruction", LONG, street=STREET)
            await firmware.stop()
        keys = await bond_of(phone)
        secrets = [keys.ltk.value, phone.phone.identity.irk]
    store = (tmp_path / "bond").read_bytes()
    assert all(key in store or key[::-1] in store for key in secrets), "what is searched for is what there is"
    for snoop in ("first.btsnoop", "second.btsnoop"):
        capture = (tmp_path / snoop).read_bytes()
        assert ENABLE_ENCRYPTION in capture and STREET.encode() in capture, "the capture has all but the keys"
    assert {path: key.hex() for key in secrets for path in files_with(tmp_path, key)} == {}

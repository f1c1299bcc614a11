"""A bond on the real program: it outlives both sides, is not given up lightly, and ends when the rider wants it."""

import pytest

from bonding import (
    LONG,
    STREET,
    bond_of,
    change_key,
    compare,
    is_remembered,
    make_pair,
    pair,
    paired,
    riders_phone,
    set_aside,
    states,
    stays_quiet,
)
from builds import regular_and_armv6
from lenker_bench.phone.pairing import JUST_WORKS
from lenker_bench.phone.phone import Phone


async def encrypted_ride(firmware) -> None:
    """The link was encrypted before anything else was asked of the phone."""
    await firmware.log.wait_for("link", LONG, state="encrypted")
    await firmware.log.wait_for("link", LONG, state="ready")
    await firmware.log.first("instruction", LONG, street=STREET)
    assert firmware.log.named("pairing") == []


@regular_and_armv6
async def test_central_behaviour_32_a_firmware_that_starts_again_encrypts_with_its_bond(build, lenker, tmp_path):
    async with riders_phone() as phone:
        await make_pair(lenker, phone, tmp_path)
        async with lenker(phone.port) as firmware:
            loaded = await firmware.log.wait_for("bond", LONG, state="loaded")
            assert loaded["name"] == "Pixel 7"
            await firmware.log.wait_for("phone", LONG, match="bond")
            await encrypted_ride(firmware)
        assert phone.log.named("complaint") == []


@pytest.mark.parametrize("kind", ["ios", "ios-background", "android-2019"])
async def test_central_behaviour_34_a_bonded_phone_is_known_again_by_its_new_address(lenker, tmp_path, kind):
    async with riders_phone(JUST_WORKS, kind) as phone, paired(lenker, phone) as firmware:
        before = firmware.log.named("phone")[-1]["address"]
        for _ in range(2):
            await phone.phone.change_address()
            phone.phone.drop()
            await firmware.log.wait_for("link", LONG, state="disconnected")
            found = await firmware.log.wait_for("phone", LONG, match="bond")
            assert found["address"] != before
            before = found["address"]
            await firmware.log.wait_for("link", LONG, state="encrypted")
            await firmware.log.wait_for("link", LONG, state="ready")
        assert states(firmware.log, "pairing") == ["done"]


async def test_central_behaviour_34_a_bonded_phone_that_was_away_is_known_again(lenker):
    async with riders_phone(JUST_WORKS) as phone, paired(lenker, phone) as firmware:
        await phone.leave()
        await firmware.log.wait_for("link", LONG, state="disconnected")
        await phone.arrive()
        await firmware.log.wait_for("link", LONG, state="encrypted")
        await firmware.log.wait_for("link", LONG, state="ready")


@regular_and_armv6
async def test_central_behaviour_35_a_phone_that_forgot_us_is_not_paired_again_unasked(build, lenker, tmp_path):
    async with riders_phone() as phone:
        await make_pair(lenker, phone, tmp_path)
        await phone.phone.security.forget()
        async with lenker(phone.port) as firmware:
            await firmware.log.wait_for("bond", LONG, state="rejected")
            await firmware.log.wait_for("link", LONG, state="disconnected")
            assert await stays_quiet(phone.log, "pairing")
            assert "ready" not in states(firmware.log, "link") and firmware.log.named("instruction") == []
            assert is_remembered(tmp_path, phone), "it may be an impostor, so the bond stays"
            firmware.press("p")
            await pair(firmware, phone)
            await firmware.log.first("instruction", LONG, street=STREET)


@pytest.mark.parametrize("key", [bytes(16), bytes(range(16))], ids=["zeros", "other"])
async def test_central_behaviour_35_a_wrong_key_is_no_key(lenker, tmp_path, key):
    async with riders_phone() as phone:
        await make_pair(lenker, phone, tmp_path)
        await change_key(phone, key)
        async with lenker(phone.port) as firmware:
            await firmware.log.wait_for("bond", LONG, state="rejected")
            await firmware.log.wait_for("link", LONG, state="disconnected")
            assert await stays_quiet(phone.log, "pairing")
            assert "ready" not in states(firmware.log, "link") and firmware.log.named("instruction") == []


async def test_central_behaviour_35_a_phone_that_forgot_us_is_asked_ever_more_rarely(lenker, tmp_path):
    async with riders_phone(JUST_WORKS) as phone:
        await make_pair(lenker, phone, tmp_path)
        await phone.phone.security.forget()
        async with lenker(phone.port) as firmware:
            await firmware.log.wait_for("bond", LONG, state="rejected")
            await stays_quiet(phone.log, "connected", 10)
            assert len(phone.log.named("keyless")) <= 3


async def test_central_behaviour_33_the_old_bond_stays_until_the_new_one_is_complete(lenker, tmp_path):
    async with riders_phone() as phone:
        await make_pair(lenker, phone, tmp_path)
        old = await bond_of(phone)
        await phone.phone.security.forget()
        async with lenker(phone.port) as firmware:
            await firmware.log.wait_for("bond", LONG, state="rejected")
            await firmware.log.wait_for("link", LONG, state="disconnected")
            firmware.press("p")
            await compare(firmware, phone)
            firmware.press("u")
            await firmware.log.wait_for("pairing", LONG, state="failed")
            await firmware.log.wait_for("link", LONG, state="disconnected")
            await firmware.stop()
        set_aside(tmp_path)
        # The phone finds its old bond again, say from its backup.
        await phone.pairing.bonds.update("B8:27:EB:4C:45:4E/P", old)
        async with lenker(phone.port) as firmware:
            await firmware.log.wait_for("bond", LONG, state="loaded")
            await encrypted_ride(firmware)


async def forgets(firmware, folder, phone: Phone) -> None:
    """A long press erases the bond, and nobody is looked for until the rider asks."""
    firmware.press("U")
    await firmware.log.wait_for("bond", LONG, state="erased")
    assert not is_remembered(folder, phone)


async def stays_idle(firmware, phone) -> None:
    """Nobody is searched for until a press, which pairs again."""
    assert firmware.log.named("scan")[-1]["mode"] == "off"
    assert await stays_quiet(firmware.log, "scan")
    firmware.press("p")
    await firmware.log.wait_for("scan", LONG, mode="fast")
    await pair(firmware, phone)


@regular_and_armv6
async def test_unpaired_while_connected_it_erases_first_and_leaves(build, lenker, tmp_path):
    async with riders_phone(JUST_WORKS) as phone, paired(lenker, phone) as firmware:
        await forgets(firmware, tmp_path, phone)
        await firmware.log.wait_for("link", LONG, state="disconnected")
        await firmware.log.wait_for("scan", LONG, mode="off")
        await phone.log.wait_for("disconnected", LONG)
        await stays_idle(firmware, phone)


async def test_unpaired_while_it_searches(lenker, tmp_path):
    async with riders_phone(JUST_WORKS) as phone, paired(lenker, phone) as firmware:
        await phone.leave()
        await firmware.log.wait_for("link", LONG, state="disconnected")
        await firmware.log.wait_for("scan", LONG, mode="fast")
        await forgets(firmware, tmp_path, phone)
        await firmware.log.wait_for("scan", LONG, mode="off")
        await phone.arrive()
        await stays_idle(firmware, phone)


async def test_unpaired_while_the_phone_is_away_it_is_not_remembered_after_a_restart(lenker, tmp_path):
    async with riders_phone(JUST_WORKS) as phone:
        await make_pair(lenker, phone, tmp_path)
        await phone.leave()
        async with lenker(phone.port) as firmware:
            await firmware.log.wait_for("bond", LONG, state="loaded")
            await firmware.log.wait_for("scan", LONG, mode="fast")
            await forgets(firmware, tmp_path, phone)
            await firmware.stop()
        set_aside(tmp_path)
        await phone.arrive()
        async with lenker(phone.port) as firmware:
            await firmware.log.wait_for("phone", LONG, match="service")
            assert firmware.log.named("bond") == []


async def test_central_behaviour_38_the_identity_key_that_it_gives_is_its_own_and_new_with_each_pairing(
    lenker, tmp_path
):
    """A phone that was forgotten cannot follow the device by its key."""
    keys = set()
    async with riders_phone(JUST_WORKS) as phone, paired(lenker, phone) as firmware:
        keys.add((await bond_of(phone)).irk.value)
        await forgets(firmware, tmp_path, phone)
        await firmware.log.wait_for("link", LONG, state="disconnected")
        await firmware.log.wait_for("scan", LONG, mode="off")
        await stays_idle(firmware, phone)
        keys.add((await bond_of(phone)).irk.value)
    assert len(keys) == 2 and bytes(16) not in keys

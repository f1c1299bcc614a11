"""The first pairing with a phone: the rider compares two numbers, on the real program."""

import asyncio
import contextlib

import pytest

from bonding import (
    INSTRUCTION,
    LONG,
    STREET,
    FixedAddress,
    bond_of,
    compare,
    is_remembered,
    pair,
    paired,
    riders_phone,
    search_again,
    set_aside,
    states,
)
from builds import regular_and_armv6
from hostile_phone import hostile_phone
from lenker_bench.phone.pairing import JUST_WORKS, NEVER, NO, NONE, PairingHabits

COMPARISON_FAILED, NOT_SUPPORTED = 0x0C, 0x05
LEFT_BY_US = 0x13, 0x05  # Remote User Terminated Connection, Authentication Failure


@regular_and_armv6
async def test_central_behaviour_32_the_rider_sees_the_same_number_and_says_yes(build, lenker, tmp_path):
    async with riders_phone() as phone, paired(lenker, phone) as firmware:
        assert states(firmware.log, "pairing") == ["confirm", "done"]
        assert states(firmware.log, "bond") == ["saved"]
        assert firmware.log.named("bond")[0]["name"] == "Pixel 7"
        assert states(phone.log, "pairing") == ["confirm", "done"]
        assert (await bond_of(phone)).ltk.authenticated
        assert is_remembered(tmp_path, phone)
        assert (tmp_path / "bond").stat().st_mode & 0o777 == 0o600
        assert phone.log.named("complaint") == firmware.log.named("error") == []


@pytest.mark.parametrize("kind", ["ios", "ios-background", "android-2019"])
async def test_central_behaviour_32_every_kind_of_phone_can_be_paired(lenker, kind):
    async with riders_phone(kind=kind) as phone, paired(lenker, phone):
        assert phone.log.named("complaint") == []


@regular_and_armv6
async def test_central_behaviour_32_the_rider_says_no_on_the_device(build, lenker, tmp_path):
    async with riders_phone(kind="ios") as phone, lenker(phone.port) as firmware:
        first = await compare(firmware, phone)
        firmware.press("u")
        await phone.log.wait_for("pairing", LONG, state="failed", reason=COMPARISON_FAILED)
        assert (await phone.log.wait_for("disconnected", LONG))["reason"] in LEFT_BY_US
        await firmware.log.wait_for("pairing", LONG, state="failed")
        assert "encrypted" not in states(firmware.log, "link") and not is_remembered(tmp_path, phone)
        await search_again(firmware)
        assert await compare(firmware, phone) != first
        firmware.press("p")
        await firmware.log.wait_for("bond", LONG, state="saved")


async def test_central_behaviour_32_the_rider_says_no_on_the_phone(lenker, tmp_path):
    async with riders_phone(kind="ios", answer=NO) as phone, lenker(phone.port) as firmware:
        await compare(firmware, phone)
        await firmware.log.wait_for("pairing", LONG, state="failed")
        assert phone.log.named("encrypted") == [] and not is_remembered(tmp_path, phone)
        phone.pairing.answer = "yes"
        await search_again(firmware)
        await pair(firmware, phone)


async def test_central_behaviour_32_a_no_is_not_undone_by_a_new_address(lenker):
    """An Android phone has one at each return. It is asked again, or left, but not followed as if nothing was."""
    async with riders_phone() as phone, lenker(phone.port) as firmware:
        await compare(firmware, phone)
        firmware.press("u")
        await phone.log.wait_for("disconnected", LONG)
        refused = phone.script.readings
        with contextlib.suppress(TimeoutError):
            await firmware.log.wait_for("pairing", 10, state="confirm")
            return
        assert phone.script.readings == refused


async def test_central_behaviour_32_an_early_no_of_the_phone_ends_the_question(lenker, tmp_path):
    """The page button is a page button again then."""
    async with riders_phone(answer=NO) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("pairing", LONG, state="failed")
        firmware.press("u")
        await firmware.log.wait_for("button", LONG, name="unpair")
        assert states(firmware.log, "pairing").count("failed") == 1


@pytest.mark.timeout(200)
@pytest.mark.parametrize("ours", ["p", ""], ids=["yes-here", "no-answer-here"])
async def test_central_behaviour_32_after_30_s_without_an_answer_it_is_over(lenker, tmp_path, ours):
    async with riders_phone(answer=NEVER) as phone, lenker(phone.port) as firmware:
        await compare(firmware, phone)
        if ours:
            firmware.press(ours)
        asked = firmware.log.named("pairing")[-1]["t"]
        failed = await firmware.log.wait_for("pairing", 100, state="failed")
        # 30 s from our last command, which was some time before the question if the phone was slow.
        assert 20 <= failed["t"] - asked <= 60
        await firmware.log.wait_for("link", LONG, state="disconnected")
        assert "encrypted" not in states(firmware.log, "link") and not is_remembered(tmp_path, phone)


@regular_and_armv6
async def test_central_behaviour_32_a_phone_that_cannot_show_a_number_just_works(build, lenker):
    async with riders_phone(JUST_WORKS) as phone, paired(lenker, phone) as firmware:
        assert states(firmware.log, "pairing") == states(phone.log, "pairing") == ["done"]
        assert not (await bond_of(phone)).ltk.authenticated


async def test_where_pairing_is_required_nothing_is_read_before_the_link_is_encrypted(lenker):
    async with riders_phone() as phone, lenker(phone.port, "pairing=required") as firmware:
        await compare(firmware, phone)
        assert phone.script.readings == 0 and firmware.log.named("instruction") == []
        firmware.press("p")
        encrypted = await firmware.log.wait_for("link", LONG, state="encrypted")
        instruction = await firmware.log.first("instruction", LONG, street=STREET)
        assert instruction["t"] >= encrypted["t"]


@regular_and_armv6
async def test_where_pairing_is_required_a_phone_that_refuses_is_left(build, lenker, tmp_path):
    async with riders_phone(NONE) as phone, lenker(phone.port, "pairing=required") as firmware:
        await phone.log.wait_for("pairing", LONG, state="failed", reason=NOT_SUPPORTED)
        assert (await phone.log.wait_for("disconnected", LONG))["reason"] in LEFT_BY_US
        await firmware.log.wait_for("pairing", LONG, state="failed")
        await firmware.log.wait_for("link", LONG, state="disconnected")
        assert phone.script.readings == 0 and firmware.log.named("instruction") == []
        assert not is_remembered(tmp_path, phone)


@regular_and_armv6
async def test_where_pairing_is_preferred_it_rides_with_a_phone_that_refuses_and_forgets_it(build, lenker, tmp_path):
    async with riders_phone(NONE) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("pairing", LONG, state="failed")
        await firmware.log.first("instruction", LONG, street=STREET)
        phone.script.say(INSTRUCTION.replace(b"stra", b"STRA"))
        await firmware.log.first("instruction", LONG, street=STREET.replace("stra", "STRA"))
        assert "disconnected" not in states(firmware.log, "link")
        assert firmware.log.named("bond") == [] and not is_remembered(tmp_path, phone)


async def test_where_pairing_is_preferred_a_fixed_address_is_remembered(lenker, tmp_path):
    async with hostile_phone(INSTRUCTION, pairing=PairingHabits(NONE), make=FixedAddress) as phone:
        async with lenker(phone.port) as firmware:
            await firmware.log.wait_for("bond", LONG, state="saved")
            await firmware.stop()
        set_aside(tmp_path)
        async with lenker(phone.port) as firmware:
            await firmware.log.wait_for("bond", LONG, state="loaded")
            await firmware.log.wait_for("phone", LONG, match="bond", address=phone.phone.address.to_string(False))
            await firmware.log.wait_for("instruction", LONG, street=STREET)


async def test_where_pairing_is_off_nobody_is_paired_or_remembered(lenker, tmp_path):
    async with riders_phone() as phone, lenker(phone.port, "pairing=off") as firmware:
        await firmware.log.wait_for("instruction", LONG, street=STREET)
        (connection,) = phone.phone.device.connections.values()
        phone.phone.device.request_pairing(connection)
        phone.script.say(INSTRUCTION.replace(b"stra", b"STRA"))
        await firmware.log.wait_for("instruction", LONG, street=STREET.replace("stra", "STRA"))
        assert phone.log.named("pairing") == firmware.log.named("pairing") == firmware.log.named("bond") == []
        assert not is_remembered(tmp_path, phone)


@pytest.mark.timeout(200)
async def test_unpaired_it_searches_for_30_s_and_then_only_when_asked(lenker):
    async with riders_phone(JUST_WORKS) as phone:
        await phone.leave()
        async with lenker(phone.port) as firmware:
            begun = await firmware.log.wait_for("scan", LONG, mode="fast")
            ended = await firmware.log.wait_for("scan", 100, mode="off")
            assert 29 <= ended["t"] - begun["t"] <= 60
            await phone.arrive()
            await asyncio.sleep(2)
            assert firmware.log.named("phone") == [], "nobody is looked for"
            firmware.press("p")
            await firmware.log.wait_for("scan", LONG, mode="fast")
            await pair(firmware, phone)


@pytest.mark.timeout(200)
async def test_where_pairing_is_off_it_searches_for_ever(lenker):
    async with riders_phone() as phone:
        await phone.leave()
        async with lenker(phone.port, "pairing=off") as firmware:
            await firmware.log.wait_for("scan", LONG, mode="fast")
            await firmware.log.wait_for("scan", 100, mode="slow")
            await phone.arrive()
            await firmware.log.wait_for("instruction", LONG, street=STREET)

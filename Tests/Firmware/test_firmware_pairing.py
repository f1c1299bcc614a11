"""The first pairing with a phone: the rider compares two numbers, on the real program."""

from bonding import (
    INSTRUCTION,
    LONG,
    STREET,
    bond_of,
    compare,
    is_remembered,
    pair,
    paired,
    riders_phone,
    search_again,
    states,
)
from builds import regular_and_armv6
from lenker_bench.phone.pairing import JUST_WORKS, NO, NONE

AUTHENTICATION_REQUIREMENTS, NOT_SUPPORTED, COMPARISON_FAILED = 0x03, 0x05, 0x0C
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


async def test_central_behaviour_32_the_rider_says_no_on_the_device(lenker, tmp_path):
    async with riders_phone(kind="ios") as phone, lenker(phone.port, "pairing=preferred") as firmware:
        first = await compare(firmware, phone)
        firmware.press("b")
        await phone.log.wait_for("pairing", LONG, state="failed", reason=COMPARISON_FAILED)
        assert (await phone.log.wait_for("disconnected", LONG))["reason"] in LEFT_BY_US
        await firmware.log.wait_for("pairing", LONG, state="failed")
        assert "encrypted" not in states(firmware.log, "link") and not is_remembered(tmp_path, phone)
        await search_again(firmware)
        assert await compare(firmware, phone) != first
        firmware.press("a")
        await firmware.log.wait_for("bond", LONG, state="saved")


async def test_central_behaviour_32_the_rider_says_no_on_the_phone(lenker, tmp_path):
    async with riders_phone(kind="ios", answer=NO) as phone, lenker(phone.port, "pairing=preferred") as firmware:
        await compare(firmware, phone)
        await firmware.log.wait_for("pairing", LONG, state="failed")
        assert phone.log.named("encrypted") == [] and not is_remembered(tmp_path, phone)
        phone.pairing.answer = "yes"
        await search_again(firmware)
        await pair(firmware, phone)


async def test_central_behaviour_41_a_phone_that_cannot_show_a_number_just_works_if_the_rider_agrees(lenker):
    async with riders_phone(JUST_WORKS) as phone, paired(lenker, phone) as firmware:
        assert states(firmware.log, "pairing") == ["ask", "done"]
        assert states(phone.log, "pairing") == ["done"]
        assert not (await bond_of(phone)).ltk.authenticated


async def test_where_pairing_is_required_a_phone_that_refuses_is_left(lenker, tmp_path):
    async with riders_phone(NONE) as phone, lenker(phone.port, "pairing=required") as firmware:
        await phone.log.wait_for("pairing", LONG, state="failed", reason=NOT_SUPPORTED)
        assert (await phone.log.wait_for("disconnected", LONG))["reason"] in LEFT_BY_US
        await firmware.log.wait_for("pairing", LONG, state="failed")
        await firmware.log.wait_for("link", LONG, state="disconnected")
        assert phone.script.readings == 0 and firmware.log.named("instruction") == []
        assert not is_remembered(tmp_path, phone)


async def test_where_pairing_is_required_a_phone_without_a_number_is_refused(lenker, tmp_path):
    async with riders_phone(JUST_WORKS) as phone, lenker(phone.port, "pairing=required") as firmware:
        await phone.log.wait_for("pairing", LONG, state="failed", reason=AUTHENTICATION_REQUIREMENTS)
        await firmware.log.wait_for("link", LONG, state="disconnected")
        assert states(firmware.log, "pairing") == ["failed"]
        assert phone.script.readings == 0 and firmware.log.named("instruction") == []
        assert not is_remembered(tmp_path, phone)


async def test_where_pairing_is_preferred_it_rides_with_a_phone_that_refuses_and_forgets_it(lenker, tmp_path):
    async with riders_phone(NONE) as phone, lenker(phone.port, "pairing=preferred") as firmware:
        await firmware.log.wait_for("pairing", LONG, state="failed")
        await firmware.log.wait_for("pairing", LONG, state="ask")
        assert firmware.log.named("instruction") == [], "the rider has not agreed"
        firmware.press("a")
        await firmware.log.first("instruction", LONG, street=STREET)
        phone.script.say(INSTRUCTION.replace(b"stra", b"STRA"))
        await firmware.log.first("instruction", LONG, street=STREET.replace("stra", "STRA"))
        assert "disconnected" not in states(firmware.log, "link")
        assert firmware.log.named("bond") == [] and not is_remembered(tmp_path, phone)

"""Phones that pair as no honest one does get no bond and no key, and the next honest pairing works."""

import pytest

from bonding import LONG, is_remembered, pair, riders_phone, search_again, states
from lenker_bench.phone.pairing import JUST_WORKS, PhoneSession
from lenker_trials.hostile.pairing import (
    CHECK_FAILED,
    CONFIRM_FAILED,
    HOSTILITIES,
    UNSPECIFIED,
    Hostility,
    Recorder,
)


def assert_nothing_is_kept(firmware, phone, hostility: Hostility, folder) -> None:
    """The phone was told why, once, and has nothing now."""
    reasons = [event["reason"] for event in phone.log.named("pairing") if event["state"] == "failed"]
    assert len(reasons) == 1 and reasons[0] in hostility.reasons
    assert firmware.log.named("bond") == []
    assert not is_remembered(folder, phone)


def assert_refused(firmware, phone, hostility: Hostility, folder) -> None:
    assert_nothing_is_kept(firmware, phone, hostility, folder)
    assert "done" not in states(firmware.log, "pairing")


@pytest.mark.parametrize("hostility", HOSTILITIES, ids=lambda hostility: hostility.name)
async def test_central_behaviour_37_a_hostile_pairing_is_refused_and_an_honest_one_works(lenker, tmp_path, hostility):
    # Where pairing is required the phone is left after each failure, whatever the reason.
    async with riders_phone(kind="ios") as phone, lenker(phone.port, "pairing=required") as firmware:
        phone.phone.security.session_proxy = hostility.session()
        if (await firmware.log.wait_for("pairing", LONG))["state"] == "confirm":
            firmware.press("a")
            await firmware.log.wait_for("pairing", LONG, state="failed")
        await phone.log.wait_for("pairing", LONG, state="failed")
        assert_refused(firmware, phone, hostility, tmp_path)
        assert phone.script.readings == 0
        phone.phone.security.session_proxy = PhoneSession
        await search_again(firmware)
        await pair(firmware, phone)
        assert firmware.log.named("error") == phone.log.named("complaint") == []


@pytest.mark.parametrize("name", ["key-off-the-curve", "wrong-check"])
@pytest.mark.parametrize("build", ["armv6"], indirect=True)
async def test_central_behaviour_37_the_rider_is_asked_about_a_hostile_pairing_only_once_there_are_digits(
    build, lenker, tmp_path, name
):
    (hostility,) = (hostility for hostility in HOSTILITIES if hostility.name == name)
    async with riders_phone(kind="ios") as phone, lenker(phone.port, "pairing=required") as firmware:
        phone.phone.security.session_proxy = hostility.session()
        if name == "wrong-check":
            await firmware.log.wait_for("pairing", LONG, state="confirm")
            firmware.press("a")
        await phone.log.wait_for("pairing", LONG, state="failed")
        await firmware.log.wait_for("pairing", LONG, state="failed")
        assert_refused(firmware, phone, hostility, tmp_path)
        assert ("confirm" in states(firmware.log, "pairing")) == (name == "wrong-check")


async def test_central_behaviour_37_a_pairing_that_is_said_again_is_refused(lenker, tmp_path):
    recorder = Recorder()
    async with riders_phone(JUST_WORKS, "ios") as phone, lenker(phone.port, "pairing=preferred") as firmware:
        phone.phone.security.session_proxy = Hostility("", recorder.record, frozenset()).session()
        await pair(firmware, phone)
        phone.phone.security.session_proxy = Hostility("", recorder.replay, frozenset()).session()
        firmware.press("B")
        await search_again(firmware)
        failed = await phone.log.wait_for("pairing", LONG, state="failed")
        assert failed["reason"] in (CONFIRM_FAILED, CHECK_FAILED, UNSPECIFIED)
        await firmware.log.wait_for("pairing", LONG, state="failed")
        # It is saved once more if the phone's name was heard before the press.
        assert states(firmware.log, "bond") in (["saved", "erased"], ["saved", "saved", "erased"])


async def test_a_phone_that_only_knows_legacy_pairing_is_ridden_with_where_that_is_allowed(lenker, tmp_path):
    (hostility,) = (hostility for hostility in HOSTILITIES if hostility.name == "legacy-only")
    async with riders_phone(JUST_WORKS) as phone:
        phone.phone.security.session_proxy = hostility.session()
        async with lenker(phone.port, "pairing=preferred") as firmware:
            await firmware.log.wait_for("pairing", LONG, state="ask")
            firmware.press("a")
            await firmware.log.first("instruction", LONG)
            await firmware.log.first("pairing", LONG, state="failed")
            await phone.log.first("pairing", LONG, state="failed")
            await phone.script.next_reading()
            assert "disconnected" not in states(firmware.log, "link")
            assert_nothing_is_kept(firmware, phone, hostility, tmp_path)
            assert states(firmware.log, "pairing") == ["failed", "ask", "done"]


async def test_central_behaviour_36_a_security_request_changes_nothing_on_an_encrypted_link(lenker):
    async with riders_phone(JUST_WORKS) as phone, lenker(phone.port, "pairing=preferred") as firmware:
        await pair(firmware, phone)
        (connection,) = phone.phone.device.connections.values()
        for _ in range(3):
            phone.phone.device.request_pairing(connection)
        await phone.script.next_reading()
        assert states(phone.log, "pairing") == ["done"]
        assert states(firmware.log, "pairing") == ["ask", "done"]
        assert len(phone.log.named("encrypted")) == 1 and "disconnected" not in states(firmware.log, "link")

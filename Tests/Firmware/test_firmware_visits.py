"""Phones that connect to the real program by themselves: an iPhone, strangers, and nobody where that is off."""

import asyncio
import functools
import random

import pytest

from bonding import INSTRUCTION, LONG, STREET, make_pair, states, stays_quiet
from builds import regular_and_later_armv6
from hostile_phone import FIRMWARE_ADDRESS, hostile_phone
from lenker_bench.phone.kinds import GADGETBRIDGE, IPHONE_COMES
from lenker_bench.phone.knocking import Knocker
from lenker_bench.phone.music import PLAYING, Music
from lenker_bench.phone.notifications import Habits, Notifications
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.wire.chip import STATES_SIZE
from second_controller import refusals
from visiting import ADVERTISING, commands, pair_as_initiator

KEYS = ["pairing=preferred", "advertise=on"]
STRANGERS = 10
BETWEEN_STRANGERS = 0.5  # seconds
TWO_SECONDS = 2.0
REMOTE_USER_TERMINATED_CONNECTION = 0x13
CALLER = "Anna Erfunden"


def services() -> dict[str, object]:
    return {"notifications": Notifications(Habits(is_there=True)), "music": Music(PLAYING)}


def iphone():
    """One with all of its services, which is found by komoot's."""
    return hostile_phone(
        INSTRUCTION, "ios", pairing=PairingHabits(JUST_WORKS), make=lambda *rest: Phone(*rest, **services())
    )


async def come(phone, kind=IPHONE_COMES) -> None:
    """The same phone, without komoot's service, makes the link from now on."""
    await phone.become(kind, lambda *rest: Phone(*rest, has_komoot=False, **services()))


@regular_and_later_armv6
async def test_peripheral_behaviour_26_komoots_service_appears_on_an_iphones_link_beside_calls(build, lenker, tmp_path):
    async with iphone() as phone:
        await make_pair(lenker, phone, tmp_path)
        await come(phone)
        async with lenker(phone.port, *KEYS, "notifications=calls", "music=on") as firmware:
            await phone.log.wait_for("connected", LONG, role="central")
            await firmware.log.wait_for("link", LONG, state="encrypted")
            await phone.log.wait_for("notification", LONG, listening=True)
            uid = phone.phone.notifications.call(CALLER)
            await phone.log.wait_for("notification", LONG, uid=uid)
            await firmware.log.first("clock", LONG)
            assert phone.phone.music.is_listened_to
            phone.phone.notifications.remove(uid)
            phone.phone.offer_service()
            await firmware.log.first("instruction", LONG, street=STREET)
            assert len(phone.phone.device.connections) == 1
            # The ride ends, and the link stays as it is.
            phone.phone.withdraw_service()
            uid = phone.phone.notifications.call(CALLER)
            await phone.log.wait_for("notification", LONG, uid=uid)
            assert "disconnected" not in states(firmware.log, "link")
            assert firmware.log.named("error") == phone.log.named("complaint") == []


@regular_and_later_armv6
async def test_peripheral_behaviour_25_an_iphone_without_komoot_keeps_its_link(build, lenker, tmp_path):
    async with iphone() as phone:
        await make_pair(lenker, phone, tmp_path)
        await come(phone)
        async with lenker(phone.port, *KEYS, "notifications=calls") as firmware:
            for _ in range(3):
                await phone.log.wait_for("connected", LONG, role="central")
                await phone.log.wait_for("encrypted", LONG)
                await phone.log.wait_for("notification", LONG, listening=True)
                assert await stays_quiet(firmware.log, "link")
                phone.phone.drop()
                await phone.log.wait_for("disconnected", LONG)
            assert {event["role"] for event in phone.log.named("connected")[1:]} == {"central"}
            assert firmware.log.named("error") == phone.log.named("complaint") == []


@regular_and_later_armv6
async def test_peripheral_behaviour_45_a_phone_that_makes_the_link_pairs_where_it_may(build, lenker):
    make = functools.partial(Phone, has_komoot=False)
    async with (
        hostile_phone(None, IPHONE_COMES, pairing=PairingHabits(JUST_WORKS), make=make) as phone,
        lenker(phone.port, *KEYS) as firmware,
    ):
        await pair_as_initiator(firmware, phone)
        phone.phone.drop()
        await phone.log.wait_for("disconnected", LONG)
        await phone.log.wait_for("connected", LONG, role="central")
        await phone.log.wait_for("encrypted", LONG)
        assert len(firmware.log.named("pairing")) == 2
        assert phone.log.named("complaint") == []


@pytest.mark.alone
async def test_peripheral_behaviour_13_strangers_do_not_keep_the_riders_phone_out(lenker, tmp_path):
    async with iphone() as phone:
        await make_pair(lenker, phone, tmp_path)
        await come(phone)
        phone.phone.vanish()
        knocker = Knocker(phone.air, FIRMWARE_ADDRESS, random.Random(13), phone.report, rest=BETWEEN_STRANGERS)
        async with lenker(phone.port, *KEYS) as firmware:
            await knocker.start()
            for _ in range(STRANGERS):
                sent_away = await phone.log.wait_for("knock", LONG)
                assert sent_away["reason"] == REMOTE_USER_TERMINATED_CONNECTION
            phone.phone.come_back()
            begun = asyncio.get_running_loop().time()
            await phone.log.wait_for("encrypted", LONG)
            assert asyncio.get_running_loop().time() - begun < TWO_SECONDS
            await knocker.stop()
            assert firmware.log.named("pairing") == firmware.log.named("error") == []
            assert "rejected" not in states(firmware.log, "bond")


async def test_peripheral_behaviour_22_where_it_is_off_nothing_is_said_and_nobody_let_in(lenker, tmp_path):
    capture = tmp_path / "radio.btsnoop"
    async with iphone() as phone:
        await make_pair(lenker, phone, tmp_path)
        async with lenker(phone.port, "pairing=preferred", f"btsnoop=file:{capture}") as firmware:
            await firmware.log.wait_for("instruction", LONG, street=STREET)
            phone.phone.drop()
            await firmware.log.wait_for("link", LONG, state="disconnected")
            await firmware.log.wait_for("link", LONG, state="ready")
            await come(phone)
            # A chip that advertises though nobody has told it to.
            advertiser = phone.server.chip.le_legacy_advertiser
            advertiser.advertising_interval_min = 0x20
            advertiser.start()
            await phone.log.wait_for("connected", LONG, role="central")
            await phone.log.wait_for("disconnected", LONG, reason=0x13)
            assert phone.log.named("encrypted")[-1]["t"] < phone.log.named("connected")[-1]["t"]
            await firmware.stop()
    assert [opcode for opcode in commands(capture) if opcode in ADVERTISING] == []


async def test_peripheral_behaviour_4_nothing_is_advertised_while_there_is_a_link(lenker, tmp_path):
    capture = tmp_path / "radio.btsnoop"
    make = functools.partial(Phone, has_komoot=False)
    async with hostile_phone(None, GADGETBRIDGE, pairing=PairingHabits(JUST_WORKS), make=make) as phone:
        async with lenker(phone.port, *KEYS, f"btsnoop=file:{capture}") as firmware:
            await pair_as_initiator(firmware, phone)
            assert not phone.server.chip.le_legacy_advertiser.enabled
            assert await stays_quiet(firmware.log, "link")
            assert not phone.server.chip.le_legacy_advertiser.enabled
            await firmware.stop()
    assert set(ADVERTISING) - {0x2007} <= set(commands(capture))


@pytest.mark.parametrize("tells", [True, False], ids=["which-tells", "which-refuses"])
async def test_peripheral_behaviour_7_where_a_chip_cannot_listen_meanwhile_both_take_turns(tells, lenker, tmp_path):
    capture = tmp_path / "radio.btsnoop"
    make = functools.partial(Phone, has_komoot=False)
    async with hostile_phone(None, GADGETBRIDGE, pairing=PairingHabits(JUST_WORKS), make=make) as phone:
        chip = phone.server.chip
        chip.kind = chip.kind.lacking("scanning")
        if tells:
            chip.le_states = chip.kind.states.to_bytes(STATES_SIZE, "little")
        async with lenker(phone.port, *KEYS, f"btsnoop=file:{capture}") as firmware:
            await pair_as_initiator(firmware, phone)
            phone.phone.drop()
            await phone.log.wait_for("disconnected", LONG)
            await phone.log.wait_for("encrypted", LONG)
            assert firmware.log.named("error") == firmware.log.named("recovery") == phone.log.named("complaint") == []
            await firmware.stop()
    # A chip that does not tell what it lacks is asked for it once.
    once = [] if tells else ["HCI_LE_SET_ADVERTISING_ENABLE_COMMAND: COMMAND_DISALLOWED_ERROR"]
    assert refusals(capture) == once

"""Gadgetbridge's turns on the real program: on komoot's link, and on one that the phone makes itself."""

import asyncio

import pytest

from bonding import LONG, pair, stays_quiet
from builds import regular_and_later_armv6
from lenker_bench.phone import komoot
from lenker_bench.phone.gadgetbridge import MTU, Gadgetbridge, Habits
from lenker_bench.phone.navigators import maps, osmand
from lenker_bench.phone.pairing import COMPARE, JUST_WORKS
from lenker_bench.phone.rides import Step
from recording import without_repeats
from visiting import NO_TURN, as_told, pair_as_initiator, phone_with_app, told_by_app

RIDE = [
    Step(0, 5, 120, "Voßstraße"),
    Step(2000, 5, 20, "Voßstraße"),
    Step(4000, 8, 300, "Łódź-Allee"),
    Step(6000, 3, 0, ""),
]
ON = "advertise=on"
KEYS = ["pairing=preferred", ON]


async def ready(firmware, phone, app: Gadgetbridge, is_phones_link: bool) -> None:
    """They are paired, and Gadgetbridge has done what it does with a new link."""
    await (pair_as_initiator if is_phones_link else pair)(firmware, phone)
    async with asyncio.timeout(LONG):
        await app.until_ready()


@pytest.mark.parametrize(
    ("kind", "mode"), [("android", JUST_WORKS), ("gadgetbridge", JUST_WORKS), ("gadgetbridge", COMPARE)]
)
@regular_and_later_armv6
async def test_osmands_turns_are_told_from_the_pairing_to_the_arrival(build, kind, mode, lenker):
    app = Gadgetbridge()
    async with phone_with_app(app, kind, mode=mode) as phone, lenker(phone.port, *KEYS) as firmware:
        await ready(firmware, phone, app, kind == "gadgetbridge")
        said = osmand(RIDE, 1)
        assert await phone.phone.ride_by(said)
        await firmware.log.first("instruction", LONG, distance=0)
        assert told_by_app(firmware.log.events) == without_repeats(as_told(said))
        assert firmware.log.named("error") == phone.log.named("complaint") == []
        assert [answer["line"]["t"] for answer in phone.log.named("answer")][:1] == ["ver"]


async def test_peripheral_behaviour_37_google_maps_turns_go_when_its_notification_does(lenker):
    app = Gadgetbridge(Habits(mtu=MTU))
    async with phone_with_app(app) as phone, lenker(phone.port, *KEYS) as firmware:
        await ready(firmware, phone, app, is_phones_link=False)
        assert await phone.phone.ride_by(maps(RIDE, 1))
        await firmware.log.first("instruction", LONG, action="finish")
        assert [told[0] for told in told_by_app(firmware.log.events)] == ["left", "left", "right", "finish"]
        assert [told[1] for told in told_by_app(firmware.log.events)] == [120, 20, 300, 0]
        assert firmware.log.named("error") == phone.log.named("complaint") == []


@pytest.mark.parametrize("kind", ["android", "gadgetbridge"])
@regular_and_later_armv6
async def test_the_turns_go_on_after_a_loss_and_the_pairing_holds(build, kind, lenker):
    app = Gadgetbridge()
    async with phone_with_app(app, kind) as phone, lenker(phone.port, *KEYS) as firmware:
        await ready(firmware, phone, app, kind == "gadgetbridge")
        assert await app.say("nav", instr="Voßstraße", distance="120m", action="left")
        await firmware.log.first("instruction", LONG, distance=120)
        for distance in (110, 100):
            phone.phone.drop()
            await firmware.log.wait_for("link", LONG, state="disconnected")
            await phone.log.wait_for("gadgetbridge", LONG, state="disconnected")
            await phone.log.wait_for("gadgetbridge", LONG, state="ready")
            assert await app.say("nav", instr="Voßstraße", distance=f"{distance}m", action="left")
            await firmware.log.first("instruction", LONG, distance=distance)
        assert len(firmware.log.named("pairing")) == 2
        assert firmware.log.named("error") == phone.log.named("complaint") == []


@regular_and_later_armv6
async def test_peripheral_behaviour_39_komoots_turns_win_on_one_link_while_they_are_fresh(build, lenker):
    app = Gadgetbridge()
    async with phone_with_app(app) as phone, lenker(phone.port, *KEYS) as firmware:
        await ready(firmware, phone, app, is_phones_link=False)
        assert await app.say("nav", instr="Voßstraße", distance="120m", action="left")
        await firmware.log.first("instruction", LONG, source="gadgetbridge", distance=120)
        phone.script.say(komoot.encode(7, Step(0, 8, 300, "Uferweg")))
        await firmware.log.first("instruction", LONG, source="komoot", distance=300)
        assert await app.say("nav", instr="Voßstraße", distance="110m", action="left")
        assert await stays_quiet(firmware.log, "instruction")
        # komoot navigates no more; from then on the other app's turns count.
        phone.script.say(NO_TURN)
        while told_by_app(firmware.log.events)[-1][1] == 120:
            assert await app.say("nav", instr="Voßstraße", distance="100m", action="left")
            await asyncio.sleep(1)
        assert told_by_app(firmware.log.events)[-1] == ("left", 100, "Voßstraße")


async def test_a_stranger_cannot_write_a_turn(lenker):
    """Without an answer to the question, no line is taken, whatever the phone tries."""
    app = Gadgetbridge()
    async with phone_with_app(app) as phone, lenker(phone.port, *KEYS) as firmware:
        await phone.log.first("gadgetbridge", LONG, state="refused", code=5)
        await firmware.log.wait_for("pairing", LONG, state="ask")
        assert not app.is_ready and await stays_quiet(firmware.log, "instruction")

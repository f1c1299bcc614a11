"""Gadgetbridge's turns on the real program: on komoot's link, and on one that the phone makes itself."""

import asyncio
import contextlib
import random

import pytest

from bonding import LONG, STREET, pair, stays_quiet
from builds import regular_and_later_armv6
from lenker_bench.phone import komoot
from lenker_bench.phone.gadgetbridge import MTU, Gadgetbridge, Habits
from lenker_bench.phone.navigators import maps, osmand
from lenker_bench.phone.pairing import COMPARE, JUST_WORKS
from lenker_bench.phone.rides import Step
from lenker_trials.sessions.glass import Glass
from load import load_dependent
from recording import without_repeats
from seeking import files_with
from visiting import NO_TURN, as_told, pair_as_initiator, phone_with_app, told_by_app

RIDE = [
    Step(0, 5, 120, "Voßstraße"),
    Step(2000, 5, 20, "Voßstraße"),
    Step(4000, 8, 300, "Łódź-Allee"),
    Step(6000, 3, 0, ""),
]
KEYS = ["pairing=preferred", "advertise=on"]
ROAD = "Uferweg"  # without a letter that is written otherwise
CALLER, SENDER, NEWS = "Anna Erfunden", "Ausgedachte Bäckerei", "Das erdachte Brot ist fertig"
REACTION = 1.5  # seconds; a press sooner than one second after a call shows is not for it
GARBAGE = 20_000  # bytes


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
        assert app.piece == 20, "no notification was longer"


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


async def called(firmware, phone, app: Gadgetbridge, press: str, answer: str) -> None:
    """Somebody calls, and the rider presses until the phone hears what to do."""
    app.ring(CALLER)
    while True:
        await asyncio.sleep(REACTION)
        firmware.press(press)
        await firmware.log.wait_for("button", LONG)
        with contextlib.suppress(TimeoutError):
            await phone.log.wait_for("answer", REACTION, line={"t": "call", "n": answer})
            return
        load_dependent("a call that did not show in time: one more press")


@regular_and_later_armv6
async def test_a_call_is_taken_another_one_refused_and_no_file_has_the_caller(build, lenker, tmp_path):
    app = Gadgetbridge()
    keys = [*KEYS, "notifications=all", f"btsnoop=file:{tmp_path}/capture", f"report=file:{tmp_path}/report"]
    async with phone_with_app(app) as phone, lenker(phone.port, *keys) as firmware:
        await ready(firmware, phone, app, is_phones_link=False)
        assert await app.say("nav", instr=ROAD, distance="2000m", action="left")
        await firmware.log.first("instruction", LONG, distance=2000)
        for press, answer in (("a", "ACCEPT"), ("b", "REJECT")):
            await called(firmware, phone, app, press, answer)
            app.stop_ringing()
        assert await app.say("notify", id=7, title=SENDER, body=NEWS)
        firmware.press("r")
        await firmware.log.wait_for("report", LONG, state="saved")
        assert firmware.log.named("error") == phone.log.named("complaint") == []
        await firmware.stop()
    assert {"capture", "report", "events.jsonl"} <= files_with(tmp_path, [ROAD]), "what is there is found"
    assert files_with(tmp_path, [CALLER, SENDER, NEWS]) == set()


@regular_and_later_armv6
async def test_of_two_apps_the_one_in_the_list_shows(build, lenker, tmp_path):
    app, glass = Gadgetbridge(), Glass(tmp_path)
    async with phone_with_app(app) as phone, lenker(phone.port, *KEYS, "notifications=Signal, Chat") as firmware:
        await ready(firmware, phone, app, is_phones_link=False)
        assert await app.say("nav", instr=ROAD, distance="20m", action="left")
        await firmware.log.wait_for("alert", LONG, level="high")
        await firmware.log.wait_for("frame", LONG)
        glass.learn()
        assert await app.say("nav", instr="Am Markt", distance="3000m", action="left")
        await firmware.log.first("instruction", LONG, distance=3000)
        assert await app.notify("Post", SENDER, NEWS)
        await asyncio.sleep(REACTION)
        assert glass.shows_turn()
        assert await app.notify("chat", SENDER, NEWS)
        while glass.shows_turn():
            await firmware.log.wait_for("frame", LONG)
        assert firmware.log.named("error") == phone.log.named("complaint") == []


async def test_peripheral_behaviour_43_garbage_ends_nothing_and_the_next_turn_is_heard(lenker):
    app, source = Gadgetbridge(), random.Random(43)
    async with phone_with_app(app) as phone, lenker(phone.port, *KEYS) as firmware:
        await ready(firmware, phone, app, is_phones_link=False)
        assert await app.say_raw(source.randbytes(GARBAGE))
        assert await app.say_raw(b"\x10GB({" * (GARBAGE // 5))
        while not told_by_app(firmware.log.events):
            assert await app.say("nav", instr=STREET, distance="120m", action="left")
            await asyncio.sleep(REACTION)
        assert told_by_app(firmware.log.events) == [("left", 120, STREET)]
        assert firmware.log.named("error") == phone.log.named("complaint") == []


async def test_a_stranger_cannot_write_a_turn(lenker):
    """Without an answer to the question, no line is taken, whatever the phone tries."""
    app = Gadgetbridge()
    async with phone_with_app(app) as phone, lenker(phone.port, *KEYS) as firmware:
        await phone.log.first("gadgetbridge", LONG, state="refused", code=5)
        await firmware.log.wait_for("pairing", LONG, state="ask")
        assert not app.is_ready and await stays_quiet(firmware.log, "instruction")

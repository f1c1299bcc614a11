"""Phones that connect to the real program by themselves, and Gadgetbridge's turns, on such a link and on komoot's."""

import asyncio
import contextlib

import pytest

from bonding import INSTRUCTION, LONG, STREET, make_pair, pair, states
from builds import regular_and_later_armv6
from hostile_phone import hostile_phone
from lenker_bench.phone.gadgetbridge import Gadgetbridge
from lenker_bench.phone.kinds import IPHONE_COMES
from lenker_bench.phone.music import PLAYING, Music
from lenker_bench.phone.navigators import osmand
from lenker_bench.phone.notifications import Habits, Notifications
from lenker_bench.phone.pairing import COMPARE, JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.rides import Step
from load import load_dependent
from recording import without_repeats
from seeking import files_with
from visiting import as_told, phone_with_app, told_by_app

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


def services() -> dict[str, object]:
    return {"notifications": Notifications(Habits(is_there=True)), "music": Music(PLAYING)}


@regular_and_later_armv6
async def test_peripheral_behaviour_26_komoots_service_appears_on_an_iphones_link_beside_calls(build, lenker, tmp_path):
    """The iPhone is found by that service and paired; then it makes the link itself, without it."""
    habits = PairingHabits(JUST_WORKS)
    async with hostile_phone(
        INSTRUCTION, "ios", pairing=habits, make=lambda *rest: Phone(*rest, **services())
    ) as phone:
        await make_pair(lenker, phone, tmp_path)
        await phone.become(IPHONE_COMES, lambda *rest: Phone(*rest, has_komoot=False, **services()))
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


async def ready(firmware, phone, app: Gadgetbridge) -> None:
    """They are paired, and Gadgetbridge has done what it does with a new link."""
    await pair(firmware, phone)
    async with asyncio.timeout(LONG):
        await app.until_ready()


@pytest.mark.parametrize(("kind", "mode", "language"), [("android", JUST_WORKS, "de"), ("gadgetbridge", COMPARE, "en")])
async def test_osmands_turns_are_told_from_the_pairing_to_the_arrival(kind, mode, language, lenker):
    app = Gadgetbridge()
    async with phone_with_app(app, kind, mode=mode) as phone, lenker(phone.port, *KEYS) as firmware:
        await ready(firmware, phone, app)
        said = osmand(RIDE, 1, language)
        assert await phone.phone.ride_by(said)
        await firmware.log.first("instruction", LONG, distance=0)
        assert told_by_app(firmware.log.events) == without_repeats(as_told(said, {step.street for step in RIDE}))
        assert firmware.log.named("error") == phone.log.named("complaint") == []
        assert [answer["line"]["t"] for answer in phone.log.named("answer")][:1] == ["ver"]
        assert app.piece == 20, "no notification was longer"


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
        await ready(firmware, phone, app)
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

"""Calls and other notifications of an iPhone on the real program, and that no file has their texts."""

import asyncio
import contextlib
import functools

import pytest
from bumble.profiles import ancs

from bonding import INSTRUCTION, LONG, STREET, paired
from builds import regular_and_armv6
from bumbles_iphone import BumblesNotifications
from hostile_phone import hostile_phone
from lenker_bench.phone import komoot
from lenker_bench.phone.notifications import (
    ACCEPT,
    APP,
    MAIL,
    MESSAGE,
    REFUSE,
    TITLE,
    Habits,
    Notification,
    Notifications,
)
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.rides import Step
from lenker_trials.hostile.case import run_case
from lenker_trials.hostile.cases import CASES
from lenker_trials.sessions.fault_cases import quiet_loop
from lenker_trials.sessions.glass import Glass
from load import load_dependent
from seeking import files_with

MARGIN = 0.5  # seconds from the question to the picture
UNHEARD = 1.0  # seconds after a call shows in which no press is for it
ATTEMPT = 1.0  # seconds in which the phone hears of a press
NEAR, FAR = 20, 3000  # metres
CHAT, POST = "org.example.Chat", "org.example.Post"
CALLER, SENDER, NEWS = "Anna Erfunden", "Ausgedachte Bäckerei", "Das erdachte Brot ist fertig"


def iphone(service=None, is_there=True, **habits):
    """One with these habits, and the service unless it is not there yet."""
    make = functools.partial(Phone, notifications=service or Notifications(Habits(is_there=is_there, **habits)))
    return hostile_phone(INSTRUCTION, "ios", pairing=PairingHabits(JUST_WORKS), make=make)


async def answered(firmware, phone, press: str, action: int, uid: int) -> None:
    """Presses until the phone hears what is to be done with the call: before it shows, a press means something else."""
    await asyncio.sleep(UNHEARD + MARGIN)
    while True:
        firmware.press(press)
        await firmware.log.wait_for("button", LONG)
        with contextlib.suppress(TimeoutError):
            await phone.log.first("notification", ATTEMPT, action=action, uid=uid)
            return
        load_dependent(f"a call that did not show within {MARGIN} s: one more press")


@regular_and_armv6
async def test_a_call_is_taken_another_one_refused_and_no_file_has_a_text(build, lenker, tmp_path):
    keys = ["notifications=all", f"btsnoop=file:{tmp_path}/capture", f"report=file:{tmp_path}/report"]
    keys += [f"i2c-trace=file:{tmp_path}/trace"]
    async with iphone(part=3) as phone, paired(lenker, phone, *keys) as firmware:
        told = phone.phone.notifications
        await phone.log.first("notification", LONG, listening=True)
        for press, action in (("a", ACCEPT), ("b", REFUSE)):
            uid = told.call(CALLER)
            await phone.log.wait_for("notification", LONG, asked=[TITLE], uid=uid)
            await answered(firmware, phone, press, action, uid)
        told.add(Notification(MAIL, {TITLE: SENDER, MESSAGE: NEWS}))
        await phone.log.wait_for("notification", LONG, asked=[TITLE, MESSAGE])
        firmware.press("r")
        await firmware.log.wait_for("report", LONG, state="saved")
        assert firmware.log.named("error") == [] and phone.log.named("complaint") == []
        written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    words = {word for text in (CALLER, SENDER, NEWS) for word in text.split() if len(word.encode()) > 3}
    assert len(written) > 4 and STREET.encode() in b"".join(written)
    assert not [word for word in words for content in written if word.encode() in content]


@pytest.mark.parametrize(("press", "action"), [("a", ancs.ActionId.POSITIVE), ("b", ancs.ActionId.NEGATIVE)])
async def test_a_call_of_bumbles_service_is_taken_or_refused(press, action, lenker):
    async with iphone(BumblesNotifications()) as phone, paired(lenker, phone, "notifications=calls") as firmware:
        await phone.log.first("notification", LONG, listening=True)
        uid = phone.phone.notifications.call(CALLER)
        asked = await phone.log.wait_for("notification", LONG, uid=uid)
        assert asked["asked"] == [ancs.NotificationAttributeId.TITLE]
        await answered(firmware, phone, press, action, uid)
        assert firmware.log.named("error") == [] and phone.log.named("complaint") == []


@pytest.mark.parametrize("code", [0x03, 0x05, 0x0E])
async def test_without_permission_the_ride_goes_on_and_one_event_says_what_to_allow(code, lenker):
    async with iphone(refusal=code) as phone, paired(lenker, phone, "notifications=all") as firmware:
        await phone.log.first("notification", LONG, listening=True)
        phone.phone.notifications.call(CALLER)
        error = await firmware.log.first("error", LONG, source="phone")
        assert f"0x{code:02x}" in error["message"] and "allow it" in error["message"]
        phone.script.say(INSTRUCTION[:-1] + b"n")
        await firmware.log.first("instruction", LONG, street=STREET[:-1] + "n")
        assert len(firmware.log.named("error")) == 1 and phone.log.named("complaint") == []


def turn(number: int, metres: int, street: str) -> bytes:
    """To the same side as all others here."""
    return komoot.encode(number, Step(0, 5, metres, street))


WRITTEN = ("events.jsonl", "firmware.log", "i2c.trace", "bond", "capture", "report")


@pytest.mark.parametrize("changes", [False, True], ids=["at-rest", "while-services-change"])
@regular_and_armv6
async def test_each_file_has_what_was_asked_and_none_the_answer(build, changes, lenker, tmp_path):
    keys = ["notifications=all", f"btsnoop=file:{tmp_path}/capture", f"report=file:{tmp_path}/report"]
    async with iphone() as phone, paired(lenker, phone, *keys) as firmware:
        told, server = phone.phone.notifications, phone.phone.device.gatt_server

        def answer(uid: int, wanted: dict[int, int]) -> bytes:
            for connection in told.listeners if changes else []:
                server.shout_service_changed(connection)
            return told.answer(uid, wanted)

        told.encode = answer
        await phone.log.first("notification", LONG, listening=True)
        uid = told.add(Notification(MAIL, {TITLE: SENDER, MESSAGE: NEWS}))
        await phone.log.wait_for("notification", LONG, asked=[TITLE, MESSAGE], uid=uid)
        if changes:
            await phone.log.wait_for("notification", LONG, listening=True)
        told.encode = told.answer
        # Its answer comes behind that to the first one, which is over by then.
        uid = told.call(CALLER)
        await answered(firmware, phone, "a", ACCEPT, uid)
        firmware.press("r")
        await firmware.log.wait_for("report", LONG, state="saved")
        assert firmware.log.named("error") == [] and phone.log.named("complaint") == []
        await firmware.stop()
    assert {name for name in WRITTEN if not (tmp_path / name).is_file()} == set()
    question = bytes([0]) + uid.to_bytes(4, "little") + bytes([TITLE])
    assert all(question in (tmp_path / name).read_bytes() for name in ("capture", "report"))
    assert {"capture", "report", "events.jsonl"} <= files_with(tmp_path, [STREET]), "what is there is found"
    assert files_with(tmp_path, [CALLER, SENDER, NEWS]) == set()


@regular_and_armv6
@pytest.mark.parametrize("link", ["the-next-link", "service-changed"])
async def test_a_service_that_comes_later_is_found(build, link, lenker):
    async with iphone(is_there=False) as phone, paired(lenker, phone, "notifications=calls") as firmware:
        told, server = phone.phone.notifications, phone.phone.device.gatt_server
        told.habits.is_there = True
        server.add_service(told.service)
        if link == "service-changed":
            for connection in phone.phone.device.connections.values():
                server.shout_service_changed(connection)
        else:
            phone.phone.drop()
        await phone.log.first("notification", LONG, listening=True)
        uid = told.call(CALLER)
        await answered(firmware, phone, "a", ACCEPT, uid)
        assert firmware.log.named("error") == [] and phone.log.named("complaint") == []


@regular_and_armv6
async def test_service_changed_in_the_middle_of_a_question_is_no_end(build, lenker_command):
    (case,) = (case for case in CASES if case.name == "service-changed-in-mid-request")
    with quiet_loop():
        found = await run_case(case, lenker_command, 1)
    assert found.is_held, found.did


@regular_and_armv6
async def test_a_call_that_rings_while_a_turn_is_due_shows_behind_it(build, lenker, tmp_path):
    async with iphone() as phone, paired(lenker, phone, "notifications=calls") as firmware:
        glass, told = Glass(tmp_path), phone.phone.notifications
        await phone.log.first("notification", LONG, listening=True)
        phone.script.say(turn(8, NEAR, STREET))
        await firmware.log.wait_for("alert", LONG, level="high")
        await firmware.log.wait_for("frame", LONG)
        glass.learn()
        uid = told.call(CALLER)
        await phone.log.wait_for("notification", LONG, asked=[TITLE], uid=uid)
        phone.script.say(turn(9, NEAR - 10, STREET))
        await firmware.log.first("instruction", LONG, distance=NEAR - 10)
        await firmware.log.wait_for("frame", LONG)
        assert glass.shows_turn()
        phone.script.say(turn(10, FAR, "Uferweg"))
        while glass.shows_turn():
            await firmware.log.wait_for("frame", LONG)
        firmware.press("a")
        await phone.log.first("notification", LONG, action=ACCEPT, uid=uid)


@regular_and_armv6
async def test_of_two_apps_the_one_in_the_list_shows_and_only_the_store_has_their_names(build, lenker, tmp_path):
    keys = [f"notifications=org.example.other, {CHAT.upper()}"]
    keys += [f"btsnoop=file:{tmp_path}/capture", f"report=file:{tmp_path}/report"]
    async with iphone(part=3) as phone, paired(lenker, phone, *keys) as firmware:
        glass, told = Glass(tmp_path), phone.phone.notifications
        await phone.log.first("notification", LONG, listening=True)
        phone.script.say(turn(8, NEAR, STREET))
        await firmware.log.wait_for("alert", LONG, level="high")
        await firmware.log.wait_for("frame", LONG)
        glass.learn()
        phone.script.say(turn(9, FAR, "Uferweg"))
        await firmware.log.first("instruction", LONG, distance=FAR)
        uid = told.add(Notification(MAIL, {APP: POST, TITLE: SENDER, MESSAGE: NEWS}))
        await phone.log.first("notification", LONG, asked=[APP, TITLE, MESSAGE], uid=uid)
        await asyncio.sleep(MARGIN)
        assert glass.shows_turn()
        uid = told.add(Notification(MAIL, {APP: CHAT, TITLE: SENDER, MESSAGE: NEWS}))
        await phone.log.first("notification", LONG, asked=[APP, TITLE, MESSAGE], uid=uid)
        while glass.shows_turn():
            await firmware.log.wait_for("frame", LONG)
        firmware.press("r")
        await firmware.log.wait_for("report", LONG, state="saved")
        assert firmware.log.named("error") == [] and phone.log.named("complaint") == []
        await firmware.stop()
    assert {"capture", "report"} <= files_with(tmp_path, [STREET]), "what is there is found"
    assert files_with(tmp_path, [SENDER, NEWS]) == set()
    assert files_with(tmp_path, [POST]) == {"bond"}, "for --check"
    assert files_with(tmp_path, [CHAT]) <= {"bond"}

"""Calls, notifications, music and the time of an iPhone on the real program, and that no file has their texts."""

import asyncio
import contextlib
import functools

from bumble.profiles import ams, ancs

from bonding import INSTRUCTION, LONG, STREET, paired
from builds import regular_and_armv6
from bumbles_devices import BumblesMusic, BumblesNotifications
from hostile_phone import hostile_phone
from lenker_bench.phone.music import NEXT, PLAYING, SONGS, Music
from lenker_bench.phone.notifications import ACCEPT, MAIL, MESSAGE, REFUSE, TITLE, Habits, Notification, Notifications
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone
from load import load_dependent
from seeking import files_with

MARGIN = 0.5  # seconds from the question to the picture
UNHEARD = 1.0  # seconds after a call shows in which no press is for it
ATTEMPT = 1.0  # seconds in which the phone hears of a press
CALLER, SENDER, NEWS = "Anna Erfunden", "Ausgedachte Bäckerei", "Das erdachte Brot ist fertig"
WRITTEN = ("events.jsonl", "firmware.log", "i2c.trace", "bond", "capture", "report")


def iphone(notifications: Notifications, music: Music):
    make = functools.partial(Phone, notifications=notifications, music=music)
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


async def first_command(firmware, phone) -> int:
    """Goes from page to page, and presses B on each, until the phone hears something of it."""
    while not phone.log.named("music"):
        # The first press takes away which phone it is.
        firmware.press("aab")
        await firmware.log.wait_for("button", LONG, name="b")
    return phone.log.named("music")[0]["command"]


@regular_and_armv6
async def test_calls_notifications_and_music_are_answered_by_presses_and_no_file_has_a_text(build, lenker, tmp_path):
    keys = ["notifications=all", "music=on", f"btsnoop=file:{tmp_path}/capture", f"report=file:{tmp_path}/report"]
    told = Notifications(Habits(is_there=True, part=3))
    async with iphone(told, Music(PLAYING)) as phone, paired(lenker, phone, *keys) as firmware:
        await phone.log.first("notification", LONG, listening=True)
        await firmware.log.first("clock", LONG)
        assert await first_command(firmware, phone) == NEXT
        for press, action in (("a", ACCEPT), ("b", REFUSE)):
            uid = told.call(CALLER)
            await phone.log.wait_for("notification", LONG, asked=[TITLE], uid=uid)
            await answered(firmware, phone, press, action, uid)
        told.add(Notification(MAIL, {TITLE: SENDER, MESSAGE: NEWS}))
        await phone.log.wait_for("notification", LONG, asked=[TITLE, MESSAGE])
        firmware.press("r")
        await firmware.log.wait_for("report", LONG, state="saved")
        assert firmware.log.named("error") == [] and phone.log.named("complaint") == []
        await firmware.stop()
    assert {name for name in WRITTEN if not (tmp_path / name).is_file()} == set()
    assert {"capture", "report", "events.jsonl"} <= files_with(tmp_path, [STREET]), "what is there is found"
    titles = [word for song in SONGS for text in song for word in text.split() if len(word.encode()) > 5]
    assert files_with(tmp_path, [CALLER, SENDER, NEWS, *titles]) == set()


async def test_bumbles_services_of_calls_and_music_hear_the_presses(lenker):
    told = BumblesNotifications()
    async with (
        iphone(told, BumblesMusic()) as phone,
        paired(lenker, phone, "notifications=calls", "music=on") as firmware,
    ):
        assert await first_command(firmware, phone) == ams.RemoteCommandId.NEXT_TRACK
        await phone.log.first("notification", LONG, listening=True)
        for press, action in (("a", ancs.ActionId.POSITIVE), ("b", ancs.ActionId.NEGATIVE)):
            uid = told.call(CALLER)
            asked = await phone.log.wait_for("notification", LONG, uid=uid)
            assert asked["asked"] == [ancs.NotificationAttributeId.TITLE]
            await answered(firmware, phone, press, action, uid)
        assert firmware.log.named("error") == [] and phone.log.named("complaint") == []

"""Calls and other notifications of an iPhone on the real program, and that no file has their texts."""

import contextlib
import functools

import pytest
from bumble.profiles import ancs

from bonding import INSTRUCTION, LONG, STREET, paired
from builds import regular_and_armv6
from bumbles_iphone import BumblesNotifications
from hostile_phone import hostile_phone
from lenker_bench.phone.notifications import ACCEPT, MAIL, MESSAGE, REFUSE, TITLE, Habits, Notification, Notifications
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone

ATTEMPT = 1.0  # seconds until a press is tried again
CALLER, SENDER, NEWS = "Anna Erfunden", "Ausgedachte Bäckerei", "Das erdachte Brot ist fertig"


def iphone(service=None, **habits):
    """One with the service, and these habits."""
    make = functools.partial(Phone, notifications=service or Notifications(Habits(is_there=True, **habits)))
    return hostile_phone(INSTRUCTION, "ios", pairing=PairingHabits(JUST_WORKS), make=make)


async def answered(firmware, phone, press: str, action: int, uid: int) -> None:
    """Presses until the phone hears what is to be done with the call: before it shows, a press means something else."""
    wanted = {"action": action, "uid": uid}
    while not any(wanted.items() <= event.items() for event in phone.log.named("notification")):
        firmware.press(press)
        await firmware.log.wait_for("button", LONG)
        with contextlib.suppress(TimeoutError):
            await phone.log.first("notification", ATTEMPT, **wanted)


@regular_and_armv6
async def test_a_call_is_taken_another_one_refused_and_no_file_has_a_text(build, lenker, tmp_path):
    keys = ["notifications=all", f"btsnoop=file:{tmp_path}/capture", f"report=file:{tmp_path}/report"]
    keys += [f"i2c-trace=file:{tmp_path}/trace"]
    async with iphone(part=3) as phone, paired(lenker, phone, *keys) as firmware:
        told = phone.phone.notifications
        await phone.log.first("notification", LONG, listening=True)
        for press, action in (("p", ACCEPT), ("u", REFUSE)):
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


@pytest.mark.parametrize(("press", "action"), [("p", ancs.ActionId.POSITIVE), ("u", ancs.ActionId.NEGATIVE)])
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

"""The real program with phones that have the habits of phones elsewhere."""

import functools

from bonding import INSTRUCTION, LONG, STREET, compare, make_pair, paired, riders_phone, stays_quiet
from hostile_phone import hostile_phone
from lenker_bench.phone.habits import Habit
from lenker_bench.phone.music import NEXT, PLAYING, Music
from lenker_bench.phone.notifications import ACCEPT, TITLE, Habits, Notifications
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.view.pbm import read_picture
from lenker_bench.view.sheet import expected_picture

CALLER = "Anna Erfunden"
UNHEARD = 1.5  # seconds after a call shows in which no press is for it
CLOSE = 50.0  # ms between connection events


def iphone(*habits: Habit, music: str | None = None):
    """One with these habits, which notifies, or plays."""
    strange = frozenset(habits)
    make = functools.partial(
        Phone,
        notifications=Notifications(Habits(is_there=music is None), strange),
        music=Music(music, strange) if music else None,
        habits=strange,
    )
    return hostile_phone(INSTRUCTION, "ios", pairing=PairingHabits(JUST_WORKS), make=make)


async def test_central_behaviour_89_a_call_that_comes_again_is_one_call_and_taken_by_its_new_number(lenker):
    async with iphone(Habit.CALL_MOVES) as phone, paired(lenker, phone, "notifications=calls") as firmware:
        told = phone.phone.notifications
        await phone.log.first("notification", LONG, listening=True)
        uid = told.call(CALLER)
        await phone.log.wait_for("notification", LONG, asked=[TITLE], uid=uid)
        moved = await phone.log.wait_for("notification", LONG, moved=uid)
        await phone.log.wait_for("notification", LONG, listening=True)
        assert await stays_quiet(phone.log, "notification", UNHEARD), "nobody asks who it is once more"
        firmware.press("a")
        await phone.log.wait_for("notification", LONG, action=ACCEPT, uid=moved["uid"])
        assert firmware.log.named("error") == [] and phone.log.named("complaint") == []


async def test_central_behaviour_90_nobody_asks_who_calls_silently(lenker):
    async with iphone(Habit.SILENT_CALLS) as phone, paired(lenker, phone, "notifications=calls") as firmware:
        await phone.log.first("notification", LONG, listening=True)
        phone.phone.notifications.call(CALLER)
        assert await stays_quiet(phone.log, "notification")
        assert firmware.log.named("error") == []


async def test_central_behaviour_91_subscriptions_that_are_deaf_hear_after_thirty_seconds(lenker):
    async with iphone(Habit.DEAF_SUBSCRIPTIONS) as phone, paired(lenker, phone, "notifications=calls") as firmware:
        phone.phone.notifications.call(CALLER)
        await phone.log.first("notification", LONG, listening=True)
        await phone.log.first("notification", LONG, asked=[TITLE])
        assert firmware.log.named("error") == [] and phone.log.named("complaint") == []


async def test_central_behaviour_92_the_next_title_is_played_though_it_is_not_listed(lenker):
    async with iphone(Habit.SHORT_COMMAND_LIST, music=PLAYING) as phone, paired(lenker, phone, "music=on") as firmware:
        while not phone.log.named("music"):
            # The first press takes away which phone it is.
            firmware.press("aab")
            await firmware.log.wait_for("button", LONG, name="b")
        assert phone.log.named("music")[0]["command"] == NEXT
        assert firmware.log.named("error") == []


async def test_central_behaviour_93_a_phone_that_asks_by_a_notification_is_waited_for(lenker):
    async with riders_phone(asked_for=4.0) as phone, lenker(phone.port, "pairing=preferred") as firmware:
        await phone.log.wait_for("pairing", LONG, state="asked")
        await firmware.log.wait_for("frame", LONG)
        await compare(firmware, phone)
        firmware.press("a")
        await firmware.log.wait_for("pairing", LONG, state="done")


async def test_central_behaviour_94_a_link_that_was_lost_while_relaxed_stays_close(lenker):
    async with iphone(Habit.LOSES_RELAXED) as phone, paired(lenker, phone):
        relaxed = await phone.log.wait_for("parameters", LONG)
        assert relaxed["interval"] > CLOSE
        await phone.log.wait_for("dropped", LONG)
        close = await phone.log.wait_for("parameters", LONG)
        assert 30.0 <= close["interval"] <= CLOSE
        assert await stays_quiet(phone.log, "dropped")


async def test_central_behaviour_96_a_phone_that_ends_three_links_is_told_how_to_mend_it(lenker, tmp_path):
    make = functools.partial(Phone, habits=frozenset([Habit.ENDS_LINKS]))
    pairing = PairingHabits(JUST_WORKS)
    async with hostile_phone(INSTRUCTION, "android", pairing=pairing, make=make) as phone:
        await make_pair(lenker, phone, tmp_path)
        async with lenker(phone.port, "pairing=preferred") as firmware:
            for _ in range(3):
                await firmware.log.wait_for("link", LONG, state="disconnected", reason=0x1F)
            advice = expected_picture("switch-bluetooth")
            while read_picture(tmp_path / "latest.pbm") != advice:
                await firmware.log.wait_for("frame", LONG)
            await firmware.log.first("instruction", LONG, street=STREET)

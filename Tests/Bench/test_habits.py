"""The habits of the virtual phone that phones have elsewhere."""

import asyncio
import contextlib

import pytest
from bumble import att

from central import central_at
from hostile_phone import hostile_phone
from lenker_bench.phone.habits import Habit
from lenker_bench.phone.komoot import SERVICE
from lenker_bench.phone.music import INVALID_STATE, NEXT, PAUSE, PLAY, PLAYING, TOGGLE, Music
from lenker_bench.phone.notifications import (
    ADDED,
    ASK,
    CALL,
    NEGATIVE,
    OLD,
    POSITIVE,
    SILENT,
    TITLE,
    Habits,
    Notifications,
)
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.programs.processes import running_phone

CENTRAL = "a connection"
ACTIONS = POSITIVE | NEGATIVE


def notifying(*strange: Habit) -> tuple[Notifications, list[bytes]]:
    """An iPhone with these habits, and what it notifies a central of."""
    phone = Notifications(Habits(is_there=True), frozenset(strange))
    told: list[bytes] = []
    phone.notify = lambda connection, characteristic, value: told.append(value)
    return phone, told


def source(event: int, flags: int, uid: int) -> bytes:
    return bytes([event, flags, CALL, 1, uid, 0, 0, 0])


def test_a_call_that_moves_comes_again_by_another_number_and_ends_by_that():
    phone, told = notifying(Habit.CALL_MOVES)
    phone.subscribed(CENTRAL, phone.source)
    uid = phone.call("Anna Erfunden")
    phone.move()
    phone.subscribed(CENTRAL, phone.source)
    assert told == [source(ADDED, ACTIONS, uid), source(ADDED, ACTIONS | OLD, uid + 1)]
    phone.remove(uid + 1)
    assert told[-1][4] == uid + 1


def test_a_silent_call_has_the_flag_that_says_so():
    phone, told = notifying(Habit.SILENT_CALLS)
    phone.subscribed(CENTRAL, phone.source)
    phone.call("Anna Erfunden")
    assert told == [source(ADDED, ACTIONS | SILENT, 1)]


async def test_deaf_subscriptions_live_once_they_were_ended_and_begun_again():
    phone, told = notifying(Habit.DEAF_SUBSCRIPTIONS)
    for characteristic in (phone.data, phone.source):
        phone.subscribed(CENTRAL, characteristic)
    uid = phone.call("Anna Erfunden")
    phone.control.value.write(CENTRAL, bytes([ASK, uid, 0, 0, 0, TITLE, 0xFF, 0]))
    await asyncio.sleep(0)
    assert told == []
    for characteristic in (phone.data, phone.source):
        phone.unsubscribed(CENTRAL, characteristic)
        phone.subscribed(CENTRAL, characteristic)
    assert told == [source(ADDED, ACTIONS | OLD, uid)]
    phone.left(CENTRAL)
    phone.subscribed(CENTRAL, phone.source)
    assert len(told) == 1, "it forgets them on each link"


def commands_of(habit: Habit) -> tuple[Music, bytes]:
    """A player with this habit, and the commands that it lists."""
    music, told = Music(PLAYING, frozenset([habit])), []
    music.notify = lambda connection, characteristic, value: told.append(value)
    music.subscribed(CENTRAL, music.command)
    return music, told[0]


def test_a_short_list_of_commands_leaves_out_one_that_is_taken():
    music, listed = commands_of(Habit.SHORT_COMMAND_LIST)
    assert listed == bytes([PLAY, PAUSE, TOGGLE])
    before = music.title
    music.command.value.write(CENTRAL, bytes([NEXT]))
    assert music.title != before


def test_a_command_that_is_listed_may_be_refused():
    music, listed = commands_of(Habit.REFUSES_NEXT)
    assert NEXT in listed
    with pytest.raises(att.ATT_Error) as caught:
        music.command.value.write(CENTRAL, bytes([NEXT]))
    assert caught.value.error_code == INVALID_STATE


async def test_a_notification_comes_before_the_answer_to_a_request_to_pair():
    pairing = PairingHabits(JUST_WORKS, asked_for=0.2)
    async with hostile_phone(b"", "android", pairing=pairing) as phone, central_at(phone.port) as central:
        await central.connect()
        begun = asyncio.get_running_loop().time()
        await central.connection.pair()
        assert asyncio.get_running_loop().time() - begun >= pairing.asked_for
        assert phone.log.named("pairing")[0]["state"] == "asked"


async def test_a_phone_that_stays_on_the_air_advertises_without_the_service():
    def make(*arguments):
        return Phone(*arguments, habits=frozenset([Habit.STAYS_ON_AIR]))

    service = SERVICE.to_bytes()
    async with hostile_phone(b"", "android", make=make) as phone, central_at(phone.port) as central:
        await phone.log.wait_for("advertising", state="on")
        phone.phone.withdraw_service()
        await phone.log.wait_for("advertising", state="on")
        reports = await central.scan(0.5)
        assert reports and not any(service in bytes(report.data) for report in reports)
        phone.phone.offer_service()
        await phone.log.wait_for("advertising", state="on")
        assert any(service in bytes(report.data) for report in await central.scan(0.5))


async def test_the_three_links_behind_the_first_are_ended_with_an_unspecified_error():
    def make(*arguments):
        return Phone(*arguments, habits=frozenset([Habit.ENDS_LINKS]))

    async with (
        hostile_phone(b"", "android", pairing=PairingHabits(JUST_WORKS), make=make) as phone,
        central_at(phone.port) as central,
    ):
        for number in range(5):
            await central.connect()
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await central.connection.pair()
            if 1 <= number <= 3:
                await asyncio.wait_for(central.disconnected.wait(), 10)
                assert central.reason == 0x1F
            else:
                assert not central.disconnected.is_set()
                await central.connection.disconnect()


@pytest.mark.parametrize("habit", list(Habit))
async def test_each_habit_can_be_asked_for(habit):
    async with running_phone(f"--habit={habit}") as phone:
        assert phone.port > 0

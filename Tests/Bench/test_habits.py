"""The habits of the virtual phone that phones have elsewhere."""

import asyncio
import contextlib
from datetime import datetime

import pytest
from bumble import att

from central import central_at
from hostile_phone import hostile_phone
from lenker_bench.phone.clock import Clock
from lenker_bench.phone.habits import Habit
from lenker_bench.phone.komoot import SERVICE
from lenker_bench.phone.music import NEXT, PAUSE, PLAY, PLAYING, TOGGLE, Music
from lenker_bench.phone.notifications import (
    ACT,
    ADDED,
    ASK,
    CALL,
    INVALID_PARAMETER,
    MAIL,
    MESSAGE,
    NEGATIVE,
    OLD,
    POSITIVE,
    TITLE,
    UNKNOWN_COMMAND,
    Habits,
    Notification,
    Notifications,
)
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone

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


@pytest.mark.parametrize(
    ("question", "code"),
    [("03 01000000", UNKNOWN_COMMAND), ("00 09000000 01 8000", INVALID_PARAMETER), ("", UNKNOWN_COMMAND)],
)
def test_a_wrong_question_gets_the_services_own_error(question, code):
    phone = Notifications(Habits(is_there=True))
    phone.add(Notification(MAIL, {TITLE: "a", MESSAGE: "b"}))
    with pytest.raises(att.ATT_Error) as caught:
        phone.control.value.write(None, bytes.fromhex(question))
    assert caught.value.error_code == code and ACT == 2


def values(time: str) -> tuple[str, str]:
    """Current Time and Local Time Information while the clock shows this time."""

    async def read() -> tuple[str, str]:
        clock = Clock()
        clock.set(datetime.fromisoformat(time))
        return clock.current_time().hex(), clock.local_time_information().hex()

    return asyncio.run(read())


@pytest.mark.parametrize(
    ("time", "current", "zone"),
    [
        ("2026-09-17T14:30:00+02:00", "ea0709110e1e000400", "0800"),
        ("2026-01-04T23:59:59-03:30", "ea070104173b3b0700", "f200"),
        ("2026-01-05T00:00:00", "ea07010500000001", "80ff"),
    ],
)
def test_its_values_are_those_of_the_service(time, current, zone):
    shown, told = values(time)
    assert shown.startswith(current) and len(shown) == 20 and told == zone

"""The ride's gate: what waits for a listener, how long, and what counts as heard."""

import asyncio
import random
import struct

import pytest

from lenker_bench.phone import navigation
from lenker_bench.phone.kinds import ANDROID, IOS, Kind
from lenker_bench.phone.navigation import Navigation
from lenker_bench.phone.rides import Step
from lenker_bench.phone.services import Reading

# All times are exact, as none of them is waited for.
pytestmark = pytest.mark.virtual_time

STEPS = [Step(0, 2, 0, "Lennéstraße"), Step(1, 5, 110, "Voßstraße"), Step(2, 3, 0, "")]


class Listener:
    def __init__(self, att_mtu: int) -> None:
        self.att_mtu = att_mtu
        self.told: list[bytes] = []

    def notify(self, value: bytes) -> bool:
        self.told.append(value[: self.att_mtu - 3])
        return len(value) < self.att_mtu - 3

    @property
    def directions(self) -> list[int]:
        found = [struct.unpack_from("<B", value, 4)[0] for value in self.told]
        return [direction for direction, before in zip(found, [None, *found[:-1]], strict=True) if direction != before]


@pytest.fixture(autouse=True)
def short_patience(monkeypatch):
    monkeypatch.setattr(navigation, "PATIENCE", 0.2)
    monkeypatch.setattr(navigation, "FINAL_PATIENCE", 0.5)
    monkeypatch.setattr(navigation, "KEPT_AFTER_END", 0.0)
    monkeypatch.setattr(navigation, "REPEAT_NO_FASTER_THAN", 0.05)


class Ride:
    def __init__(self, kind: Kind, speed: float = 1000) -> None:
        self.events: list[tuple[str, float, dict]] = []
        self.start = asyncio.get_running_loop().time()
        self.navigation = Navigation(kind, STEPS, speed, random.Random(1), self.report)

    def report(self, event: str, **fields: object) -> None:
        self.events.append((event, asyncio.get_running_loop().time() - self.start, fields))

    def times(self, event: str) -> list[float]:
        return [time for name, time, _ in self.events if name == event]


async def test_a_whole_notification_is_heard_at_once():
    ride = Ride(ANDROID)
    listener = Listener(att_mtu=517)
    ride.navigation.add(listener)
    assert await ride.navigation.play()
    assert listener.directions == [2, 5, 3]
    assert ride.times("ended") == [pytest.approx(0, abs=1e-5)]
    assert ride.navigation.heard == 3


async def test_a_notification_filled_to_the_mtu_is_not_heard_and_the_next_waits():
    ride = Ride(ANDROID)
    ride.navigation.add(Listener(att_mtu=23))
    await ride.navigation.play()
    first, second, third = ride.times("instruction")
    assert [second - first, third - second] == pytest.approx([0.2, 0.2], abs=1e-5)
    assert len(ride.times("unheard")) == 2


async def test_a_full_read_releases_the_next_instruction_and_a_part_of_one_does_not():
    ride = Ride(IOS)
    listener = Listener(att_mtu=23)
    ride.navigation.add(listener)
    playing = asyncio.create_task(ride.navigation.play())
    await asyncio.sleep(0.01)
    ride.navigation.was_read(is_complete=False)
    await asyncio.sleep(0.01)
    assert len(ride.times("instruction")) == 1
    ride.navigation.was_read(is_complete=True)
    await asyncio.sleep(0.01)
    assert len(ride.times("instruction")) == 2
    playing.cancel()


async def test_the_last_instruction_waits_for_a_central_that_is_away():
    ride = Ride(ANDROID)
    away = Listener(att_mtu=517)
    ride.navigation.add(away)
    ride.navigation.remove(away)
    playing = asyncio.create_task(ride.navigation.play())
    await asyncio.sleep(0.2)
    back = Listener(att_mtu=517)
    ride.navigation.add(back)
    assert await playing
    assert back.directions == [3]


async def test_an_instruction_is_repeated_every_two_seconds_of_the_ride():
    ride = Ride(ANDROID, speed=20)
    listener = Listener(att_mtu=23)
    ride.navigation.add(listener)
    playing = asyncio.create_task(ride.navigation.play())
    await asyncio.sleep(0.16)
    assert len(listener.told) == 2
    playing.cancel()


@pytest.mark.parametrize(("kind", "repeats"), [(IOS, True), (ANDROID, False)])
async def test_a_paused_ride_is_repeated_by_an_iphone_only(kind, repeats):
    ride = Ride(kind)
    listener = Listener(att_mtu=23)
    ride.navigation.add(listener)
    playing = asyncio.create_task(ride.navigation.play())
    await asyncio.sleep(0.01)
    ride.navigation.pause()
    before = len(listener.told)
    await asyncio.sleep(0.3)
    assert (len(listener.told) > before) == repeats
    playing.cancel()


ROOM = 22
SHORT, OTHER, CUT, LONG, LONGER = b"a" * 19, b"b" * 19, b"c" * 20, b"d" * 30, b"e" * 44


def told(*parts: tuple[bytes, int]) -> list[bool]:
    """What is said of each part: of which value, and from which offset."""
    reading = Reading()
    return [reading.answered(value, offset, value[offset : offset + ROOM], ROOM) for value, offset in parts]


def test_a_short_value_is_whole_at_once():
    assert told((SHORT, 0), (OTHER, 0)) == [True, True]


@pytest.mark.parametrize(("value", "offsets"), [(CUT, [20]), (LONG, [22]), (LONGER, [22, 44])])
def test_a_value_that_may_be_cut_is_whole_when_its_first_part_is_still_the_same(value, offsets):
    assert told((value, 0), *((value, offset) for offset in offsets), (value, 0)) == [
        *[False] * (len(offsets) + 1),
        True,
    ]


def test_a_value_that_changes_after_its_first_part_is_read_anew():
    assert told((CUT, 0), (LONG, 20), (LONG, 0), (LONG, 22), (LONG, 0)) == [False, False, False, False, True]
    assert told((CUT, 0), (SHORT, 20), (SHORT, 0)) == [False, False, True]


def test_nobody_has_the_value_that_came_between_two_parts_of_another():
    assert told((CUT, 0), (b"f" * 20, 20)) == [False, False]


def test_a_value_is_not_whole_before_its_end_however_often_it_is_begun():
    assert told((LONGER, 0), (LONGER, 0), (LONGER, 22), (LONGER, 0)) == [False] * 4

"""The ride's gate: what waits for a listener, how long, and what counts as heard."""

import asyncio
import random
import struct

import pytest

from lenker_bench.phone import navigation
from lenker_bench.phone.kinds import ANDROID, ANDROID_2019, IOS, Kind
from lenker_bench.phone.navigation import Navigation
from lenker_bench.phone.rides import Step
from lenker_bench.phone.subscribers import Reader

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


async def test_a_listener_that_leaves_holds_up_nobody():
    ride = Ride(IOS)
    listener = Listener(att_mtu=23)
    ride.navigation.add(listener)
    playing = asyncio.create_task(ride.navigation.play())
    await asyncio.sleep(0.01)
    ride.navigation.remove(listener)
    await asyncio.sleep(0.02)
    assert len(ride.times("instruction")) == 3
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


async def test_a_last_instruction_that_nobody_hears_is_a_failure():
    ride = Ride(ANDROID)
    away = Listener(att_mtu=517)
    ride.navigation.add(away)
    ride.navigation.remove(away)
    assert not await ride.navigation.play()
    assert ride.times("ended") == [pytest.approx(0.5, abs=1e-5)]


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


async def test_all_that_was_due_is_due_later_by_the_pause():
    ride = Ride(ANDROID, speed=0.02)  # the instructions are 50 ms apart
    ride.navigation.add(Listener(att_mtu=517))
    playing = asyncio.create_task(ride.navigation.play())
    await asyncio.sleep(0.02)
    ride.navigation.pause()
    await asyncio.sleep(0.2)
    assert len(ride.times("instruction")) == 1
    ride.navigation.resume()
    await playing
    first, second, third = ride.times("instruction")
    assert [second - first, third - second] == pytest.approx([0.25, 0.05], abs=1e-5)


async def test_a_reader_need_not_read_again_what_says_the_same(monkeypatch):
    monkeypatch.setitem(globals(), "STEPS", [Step(0, 5, 110, "A"), Step(1, 5, 110, "A"), Step(2, 3, 0, "")])
    ride = Ride(ANDROID_2019)
    ride.navigation.add(Reader())
    playing = asyncio.create_task(ride.navigation.play())
    await asyncio.sleep(0.02)
    assert len(ride.times("instruction")) == 1
    ride.navigation.was_read(is_complete=True)
    await asyncio.sleep(0.02)
    assert len(ride.times("instruction")) == 3
    assert ride.navigation.heard == 2
    playing.cancel()


async def test_a_fast_ride_repeats_no_faster_than_a_central_can_bear():
    ride = Ride(ANDROID, speed=1000)
    listener = Listener(att_mtu=23)
    ride.navigation.add(listener)
    playing = asyncio.create_task(ride.navigation.play())
    await asyncio.sleep(0.18)
    assert len(listener.told) == 4
    playing.cancel()

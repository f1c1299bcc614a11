"""When the two ends of a link hear each other: numbers and times, without a clock."""

import random

import pytest

from lenker_bench.wire.connection_events import ConnectionEvents

INTERVAL = 0.03
UNITS = 24


def events(latency: int = 0) -> ConnectionEvents:
    """The first at 1 s, and then every 30 ms."""
    return ConnectionEvents(anchor=1.0, interval=INTERVAL, latency=latency)


def test_the_first_event_is_within_an_interval_of_the_transmit_window():
    offsets = set()
    for seed in range(200):
        found = ConnectionEvents.connected(10.0, UNITS, 0, random.Random(seed))
        # 1.25 ms after the connection at the earliest, an interval later at the latest, in steps of 1.25 ms.
        steps = (found.anchor - 10.0) / 0.00125
        assert steps == pytest.approx(round(steps)) and 1 <= round(steps) <= 1 + UNITS
        assert found.interval == INTERVAL
        offsets.add(round(steps))
    assert offsets == set(range(1, 2 + UNITS))


@pytest.mark.parametrize(
    ("now", "number", "time"),
    [(0.0, 0, 1.0), (0.999, 0, 1.0), (1.0001, 1, 1.03), (1.0299, 1, 1.03), (1.0301, 2, 1.06), (4.0001, 101, 4.03)],
)
def test_what_is_there_is_sent_in_the_next_event(now, number, time):
    found = events()
    assert found.next(now, peripheral_speaks=False) == number
    assert found.time_of(number) == pytest.approx(time)


def test_no_event_takes_place_twice_though_a_timer_may_be_early():
    found = events()
    found.hold(5)
    assert found.next(found.time_of(5) - 0.001, peripheral_speaks=True) == 6


def test_a_peripheral_with_a_latency_hears_every_so_many_events():
    found = events(latency=2)
    heard = []
    now = 0.0
    for _ in range(4):
        heard.append(found.next(now, peripheral_speaks=False))
        found.hold(heard[-1])
        now = found.time_of(heard[-1])
    assert heard == [0, 3, 6, 9]
    assert found.next(found.time_of(10) + 0.001, peripheral_speaks=False) == 12


def test_a_peripheral_that_has_something_to_say_comes_to_the_next_event():
    found = events(latency=2)
    found.hold(3)
    assert found.next(found.time_of(3), peripheral_speaks=True) == 4
    found.hold(4)
    # From there it may miss two again.
    assert found.next(found.time_of(4), peripheral_speaks=False) == 7


@pytest.mark.parametrize(("latency", "instant"), [(0, 10 + 6), (2, 10 + 6 * 3)])
def test_an_update_takes_effect_when_the_peripheral_has_heard_six_events(latency, instant):
    before = events(latency)
    before.hold(10)
    after = before.updated(interval=80, latency=1, random_source=random.Random(3))
    assert (after.first, after.interval, after.latency) == (instant, 0.1, 1)
    assert 0 <= after.anchor - before.time_of(instant) <= 0.1
    # The old events end where the new ones begin.
    assert after.next(before.time_of(instant - 1), peripheral_speaks=True) == instant
    assert after.time_of(instant + 1) - after.time_of(instant) == pytest.approx(0.1)

"""The clock of the virtual iPhone: the values of the Current Time Service 1.1."""

import asyncio
from datetime import datetime

import pytest

from lenker_bench.phone.clock import Clock, ClockChoice, ClockError


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


def test_it_has_a_time_from_when_on():
    choice = ClockChoice.parsed("2026-10-25T02:59:30+02:00,40s:2026-10-25T02:00:10+01:00")
    assert [seconds for seconds, _ in choice.times] == [0, 40]


def test_without_a_time_there_is_no_service():
    assert Clock(ClockChoice.parsed("none")).service is None


@pytest.mark.parametrize("text", ["", "noon", "2026-01-01T00:00,10:2026-01-01T00:00", "2026-01-01,2026-01-02"])
def test_what_is_no_clock_says_what_is(text):
    with pytest.raises(ClockError, match="write none, refused"):
        ClockChoice.parsed(text)


def test_a_change_is_later_than_the_one_before():
    with pytest.raises(ClockError, match="later"):
        ClockChoice.parsed("2026-01-01T00:00,9s:2026-01-01T01:00,8s:2026-01-01T02:00")

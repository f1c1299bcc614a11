"""The time of an iPhone on the real program, from Bumble's attribute server on an encrypted link."""

import functools
from datetime import datetime, timedelta

import pytest

from bonding import INSTRUCTION, LONG, STREET, paired
from builds import regular_and_armv6
from hostile_phone import hostile_phone
from lenker_bench.phone.clock import Clock, ClockChoice
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone


def iphone(clock: str, mode: str = JUST_WORKS, kind: str = "ios"):
    make = functools.partial(Phone, clock=Clock(ClockChoice.parsed(clock)))
    return hostile_phone(INSTRUCTION, kind, pairing=PairingHabits(mode), make=make)


def is_soon(told: dict, text: str) -> bool:
    """Whether the time is this one or some seconds later, in the same zone."""
    time, expected = datetime.fromisoformat(told["time"]), datetime.fromisoformat(text)
    return time.utcoffset() == expected.utcoffset() and timedelta() <= time - expected < timedelta(seconds=LONG)


@regular_and_armv6
async def test_it_tells_the_time_of_the_iphone_and_each_change(build, lenker):
    before, after = "2026-10-25T02:30:00+02:00", "2026-10-25T02:00:00+01:00"
    async with iphone(before) as phone, paired(lenker, phone, "extra=clock") as firmware:
        assert is_soon(await firmware.log.first("clock", LONG), before)
        phone.phone.set_clock(datetime.fromisoformat(after))
        assert is_soon(await firmware.log.wait_for("clock", LONG), after)
        assert firmware.log.named("error") == [] and phone.log.named("complaint") == []


@pytest.mark.parametrize("clock", ["none", "refused"])
async def test_a_phone_that_does_not_tell_the_time_tells_the_way(clock, lenker):
    async with iphone(clock) as phone, paired(lenker, phone, "extra=clock") as firmware:
        phone.script.say(INSTRUCTION[:-1] + b"n")
        await firmware.log.first("instruction", LONG, street=STREET[:-1] + "n")
        assert firmware.log.named("clock") == [] and firmware.log.named("error") == []
        assert phone.log.named("complaint") == []

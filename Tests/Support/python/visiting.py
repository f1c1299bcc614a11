"""Phones that connect to the firmware by themselves, and Gadgetbridge on them or on komoot's link."""

import contextlib
import functools
from collections.abc import AsyncIterator

from hostile_phone import HostilePhone, hostile_phone
from lenker_bench.phone import komoot
from lenker_bench.phone.gadgetbridge import Gadgetbridge
from lenker_bench.phone.kinds import ALL_KINDS
from lenker_bench.phone.navigators import Said
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.rides import Step

NO_TURN = komoot.encode(0, Step(0, 0, 0, ""))
"""What komoot's service says on an Android phone that does not navigate."""


@contextlib.asynccontextmanager
async def phone_with_app(
    app: Gadgetbridge, kind: str = "android", value: bytes = NO_TURN, mode: str = JUST_WORKS, **options: object
) -> AsyncIterator[HostilePhone]:
    """A phone on which Gadgetbridge runs; komoot's service is there unless the phone makes the link itself."""
    has_komoot = ALL_KINDS[kind].comes is None
    make = functools.partial(Phone, gadgetbridge=app, has_komoot=has_komoot, **options)
    async with hostile_phone(value, kind, pairing=PairingHabits(mode), make=make) as phone:
        yield phone


def told_by_app(events: list[dict]) -> list[tuple[str | None, int, str]]:
    """Gadgetbridge's turns among the firmware's events: action, metres and street."""
    return [
        (event.get("action"), event["distance"], event["street"])
        for event in events
        if event["event"] == "instruction" and event["source"] == "gadgetbridge"
    ]


def as_told(said: list[Said], streets: set[str]) -> list[tuple[str | None, int, str]]:
    """The same of what OsmAnd says on a ride by these streets, in whole metres.

    What it has spoken of the turn before is no street of the next one.
    """
    told, street, last = [], "", None
    for turn in said:
        if not last or turn.instr != last.instr:
            street = next((name for name in streets if name and turn.instr.endswith(f" {name}")), "")
        elif turn.action != last.action:
            street = ""
        told.append((turn.action, int(turn.distance.removesuffix("m")), street))
        last = turn
    return told

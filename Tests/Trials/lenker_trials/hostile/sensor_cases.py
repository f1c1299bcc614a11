"""Strange sensors, and chips that have no link for one; `hostile_cases.CASES` has them among all others."""

from collections.abc import Iterator

from lenker_bench.wire.chip_kinds import BCM43430A1, LinkRefusal

from . import sensors
from .case import Case

RIDE_GOES_ON = "the phone's ride goes on, on the same link"


def _refused_links() -> Iterator[Case]:
    for refusal in (LinkRefusal.COMMAND_STATUS, LinkRefusal.CONNECTION_COMPLETE):
        yield Case(
            f"sensor-link-refused-by-{refusal.value}",
            0,
            "a chip that has a link for the phone, and none for a sensor",
            "reported once; " + RIDE_GOES_ON,
            sensors.had_no_link,
            chip=BCM43430A1.holding(1, refusal),
        )


SENSORS = (
    Case(
        "sensor-lies",
        0,
        "random, cut, repeated and jumping values, and long ones in pieces",
        "no impossible speed or cadence is reported; " + RIDE_GOES_ON,
        sensors.lied,
    ),
    Case(
        "sensor-claims",
        0,
        "sensors whose feature says that they have what they do not measure, and the other way round",
        "what has moved is reported, and nothing else; " + RIDE_GOES_ON,
        sensors.claimed,
    ),
    Case(
        "sensor-never-answers",
        0,
        "a strap that takes requests and never answers",
        "left within 20 s, not tried again; " + RIDE_GOES_ON,
        sensors.never_answered,
    ),
    Case(
        "sensor-demands",
        0,
        "a strap that asks for pairing 200 times, and for absurd parameters",
        "declined, and its values go on; " + RIDE_GOES_ON,
        sensors.demanded,
    ),
    Case(
        "sensor-crowd",
        0,
        f"{sensors.CROWD} straps that never answer, while the rider looks for a radar",
        "the radar is offered all the same, no strap is kept; " + RIDE_GOES_ON,
        sensors.crowded,
    ),
    Case(
        "sensor-is-the-phone",
        0,
        "the rider's phone, by two of its addresses, as a strap",
        "not taken for a strap; " + RIDE_GOES_ON,
        sensors.pretended,
    ),
    Case(
        "stronger-strap",
        0,
        "a stronger strap beside the remembered one, which is lost and comes back",
        "the other one is never connected to; " + RIDE_GOES_ON,
        sensors.outshone,
    ),
    *_refused_links(),
)

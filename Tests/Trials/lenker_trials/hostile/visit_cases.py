"""Who may come while the program advertises, and what may be written to it; `cases.CASES` has them among all others.

Their behaviours are those of a peripheral.
"""

from lenker_bench.phone.kinds import IPHONE_COMES

from . import visits
from .case import Case, Play
from .scene import BACK

PHONE_BACK = f"the rider's phone is back within {BACK:g} s of the end"
SAME_LINK = "the next line is heard; no memory is taken; the ride goes on, on the same link"


def _case(name: str, behaviour: str, attack: str, held: str, play: Play, **options: object) -> Case:
    return Case(name, behaviour, attack, held, play, advertises=True, **options)


VISITS = (
    _case(
        "visit-by-a-stranger",
        "P12",
        "a stranger connects, and says at once what a phone says",
        f"sent away with 0x13 and without an answer; {PHONE_BACK}",
        visits.stranger,
    ),
    _case(
        "visits-by-strangers",
        "P13",
        "ten strangers in 10 s, who come again and again; then the phone comes, too",
        "the rider's phone is back within 2 s beside them",
        visits.strangers,
        kind=IPHONE_COMES,
    ),
    _case(
        "visit-without-a-word",
        "P16",
        "a recorded address, by a visitor that never encrypts",
        f"asked once, sent away after 10 s, not told of; {PHONE_BACK}",
        visits.silent,
    ),
    _case(
        "visit-with-another-key",
        "P23",
        "a recorded address, and another key",
        f"the link ends, and the bond is kept; {PHONE_BACK}",
        visits.other_key,
    ),
    _case(
        "visit-with-a-legacy-key",
        "P17",
        "a recorded address, and the right key as if it were of a legacy pairing",
        f"the link ends, and the bond is kept; {PHONE_BACK}",
        visits.legacy_key,
    ),
    _case(
        "visit-that-pairs",
        "P46",
        "a recorded address, and a request to pair that nobody pressed for",
        f"pairing is not supported then; the bond is kept; {PHONE_BACK}",
        visits.pairs_unasked,
    ),
    _case(
        "visit-that-pairs-weakly",
        "P45",
        "a request to pair without Secure Connections, while somebody may pair",
        "refused without a question; the rider's phone is paired with",
        visits.pairs_without_secure_connections,
        begins_alone=True,
    ),
    _case(
        "visit-that-writes",
        "P31",
        "a recorded address, which writes a turn and subscribes on a link that is not encrypted",
        f"refused each time, and nothing is shown; {PHONE_BACK}",
        visits.writes_before_encryption,
    ),
    _case(
        "visit-beside-the-ride",
        "P19",
        "a chip that advertises beside the ride: a stranger comes, then a recorded address",
        "both are sent away without an answer; nothing changes, not even the link",
        visits.beside_the_ride,
    ),
    _case("lines-of-garbage", "P43", "a megabyte of garbage by the rider's phone", SAME_LINK, visits.garbage),
    _case(
        "line-too-long",
        "P43",
        "a line of 1,025 bytes by the rider's phone",
        f"dropped to its end; one of 1,024 is heard; {SAME_LINK}",
        visits.long_line,
    ),
    _case(
        "lines-without-end",
        "P39",
        f"{visits.LINES} lines with another turn in {visits.SECONDS:g} s: ten thousand a minute",
        f"komoot's turn is shown, and no line heard behind the first 200; later {SAME_LINK}",
        visits.many_lines,
    ),
)

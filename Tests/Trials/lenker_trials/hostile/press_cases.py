"""What a press must not be taken for: `cases.CASES` has these among all others."""

from lenker_bench.phone.kinds import IOS

from . import presses
from .case import Case

PRESSES = (
    Case(
        "pages-are-turned",
        67,
        "recorded addresses, by a stranger that would pair, while the rider turns the pages",
        "nobody is asked about; the rider's phone is back within 5 s of the end",
        presses.turned_pages,
    ),
    Case(
        "pressed-on-a-banner",
        74,
        "a notification in front of the page of music when the rider presses for the next title",
        "the press takes the notification away, and nothing else",
        presses.pressed_on_a_banner,
        kind=IOS,
        tells=True,
    ),
)

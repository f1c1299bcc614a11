"""The limits of the losses: each is missed by what is beyond it, and by nothing else."""

import pytest

from lenker_trials.commands.losses import Limits, failures, lines, percentile
from lenker_trials.sessions.losses import Losses

LIMITS = Limits(median=0.3, late=5.9, found=1.2)
GOOD = {"found": [0.1, 0.1, 1.2, 0.1], "ready": [0.1] * 4, "shown": [0.2, 0.2, 0.2, 5.9], "grown": 64}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, []),
        ({"found": [0.1, 0.1, 1.3, 0.1]}, ["the 95th percentile until it connects is above 1200 ms"]),
        ({"shown": [0.2, 0.2, 0.2, 5.95]}, ["the 95th percentile on the panel is above 5900 ms"]),
        ({"shown": [0.2, 0.2, 0.2]}, ["3 of 4 recoveries"]),
        ({"shown": [0.4, 0.4, 0.2, 0.4]}, ["the median is above 300 ms"]),
        ({"grown": 65}, ["the memory grew by 65 KB, more than 64"]),
        ({"stuck": ["link none"]}, ["stuck: link none"]),
        ({"found": [], "ready": [], "shown": []}, ["0 of 4 recoveries"]),
    ],
)
def test_a_limit_is_missed_by(changes, said):
    assert failures(Losses(**{**GOOD, **changes}), 4, LIMITS) == said


def test_no_recovery_may_take_long():
    assert failures(Losses(**{**GOOD, "shown": [0.2, 0.2, 0.2, 6.1]}), 4, Limits(median=0.3)) == [
        "the longest recovery is above 6000 ms"
    ]


def test_what_several_firmwares_showed_is_added_up_and_said_in_milliseconds():
    total = Losses(grown=8)
    total.add(Losses(**GOOD))
    total.add(Losses(**{**GOOD, "grown": 16}))
    text = "\n".join(lines(total))
    assert "connecting   median 100 ms, 95th percentile 1200 ms, longest 1200 ms" in text
    assert "recoveries   8, and the memory grew by 64 KB at most" in text


def test_a_percentile_is_the_value_that_so_many_do_not_exceed():
    hundred = [float(number) for number in range(100, 0, -1)]
    assert [percentile(hundred, part) for part in (0.01, 0.5, 0.95, 1.0)] == [1.0, 50.0, 95.0, 100.0]
    assert percentile([7.0], 0.95) == 7.0

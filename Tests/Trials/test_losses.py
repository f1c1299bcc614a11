"""The limits of the losses: each is missed by what is beyond it, and by nothing else."""

from collections import Counter

import pytest

from lenker_trials.commands.losses import (
    Limits,
    failures,
    lines,
    parse,
    percentile,
    sensor_failures,
    sensor_lines,
    usual_limits,
)
from lenker_trials.sessions.losses import Losses
from lenker_trials.sessions.sensor_losses import SensorLosses

LIMITS = Limits(median=0.3, late=5.9, found=1.2)


def losses(**changes: object) -> Losses:
    """Four good recoveries, but for the changes."""
    good = {
        "found": [0.1, 0.1, 1.2, 0.1],
        "ready": [0.1, 0.1, 0.1, 0.1],
        "shown": [0.2, 0.2, 0.2, 5.9],
        "moments": Counter(riding=4),
        "memory_before": 6000,
        "memory_after": 6064,
    }
    return Losses(**{**good, **changes})


def test_good_recoveries_miss_no_limit():
    assert failures(losses(), count=4, limits=LIMITS) == []


def test_no_recovery_may_take_long():
    slow = losses(shown=[0.2, 0.2, 0.2, 6.1])
    assert failures(slow, count=4, limits=Limits(median=0.3)) == ["1 recoveries took more than 6 s"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"found": [0.1, 0.1, 1.3, 0.1]}, "the 95th percentile until it connects is above 1200 ms"),
        ({"shown": [0.2, 0.2, 0.2, 5.95]}, "the 95th percentile on the panel is above 5900 ms"),
        ({"shown": [0.2, 0.2, 0.2]}, "3 of 4 recoveries"),
        ({"shown": [0.4, 0.4, 0.2, 0.4]}, "the median is above 300 ms"),
        ({"memory_after": 6065}, "the memory grew by more than a run of pages, 64 KB"),
        ({"stuck": ["lost while riding"]}, "stuck: lost while riding"),
    ],
)
def test_a_limit_is_missed_by(changes, said):
    assert failures(losses(**changes), count=4, limits=LIMITS) == [said]


def test_the_firmware_whose_memory_grew_most_counts():
    total = losses()
    total.add(losses(memory_before=7000, memory_after=7100))
    total.add(losses(memory_before=5000, memory_after=5001))
    assert (total.memory_before, total.memory_after) == (7000, 7100)
    assert len(total.shown) == 12 and total.moments["riding"] == 12


def test_a_percentile_is_the_value_that_so_many_do_not_exceed():
    hundred = [float(number) for number in range(100, 0, -1)]
    assert [percentile(hundred, part) for part in (0.01, 0.5, 0.95, 1.0)] == [1.0, 50.0, 95.0, 100.0]
    assert percentile([7.0], 0.95) == 7.0


@pytest.mark.parametrize(
    ("arguments", "limits"),
    [
        ("--kind ios --remembered", Limits(0.25, late=0.45)),
        ("--kind android --remembered", Limits(0.25, late=0.45)),
        ("--kind ios-background --remembered", Limits(1.5, found=1.2)),
        ("--kind ios --air instant", Limits(0.15)),
        ("--kind android --air instant", Limits(0.23, late=0.7)),
        ("--kind android-2019 --air instant", Limits(0.3)),
        ("--kind android", Limits(1.0)),
        ("--kind android --remembered --advertising-interval 1000", Limits(1.0)),
    ],
)
def test_what_is_usual_depends_on_the_air_and_the_phone(arguments, limits):
    assert usual_limits(parse(arguments.split())) == limits


def test_the_figures_are_said_in_milliseconds():
    text = "\n".join(lines(losses()))
    assert "connecting   median 100 ms, 95th percentile 1200 ms, longest 1200 ms" in text
    assert "on the panel median 200 ms, 95th percentile 5900 ms, longest 5900 ms" in text
    assert "recoveries   4, cut short by the next loss 0, above 6 s 0" in text


def sensor_losses(**changes: object) -> SensorLosses:
    """Two sensors regained, but for the changes."""
    good = {"regained": [0.5, 5.0], "gaps": [0.4, 2.0], "kinds": Counter(heart=1, radar=1)}
    return SensorLosses(**{**good, **changes})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"gaps": [0.4, 2.1]}, "the phone's ride had a gap of more than 2 s"),
        ({"regained": [0.5]}, "1 of 2 recoveries"),
        ({"memory_after": 65}, "the memory grew by more than a run of pages, 64 KB"),
        ({"stuck": ["no sensor was found"]}, "stuck: no sensor was found"),
    ],
)
def test_where_sensors_are_lost_a_limit_is_missed_by(changes, said):
    assert sensor_failures(sensor_losses(), count=2) == []
    assert sensor_failures(sensor_losses(**changes), count=2) == [said]


def test_what_became_of_sensors_is_added_up_and_said():
    total = SensorLosses()
    total.add(sensor_losses())
    total.add(sensor_losses(gaps=[0.5]))
    text = "\n".join(sensor_lines(total))
    assert "ride's gaps  median 500 ms, 95th percentile 2000 ms, longest 2000 ms" in text
    assert "recoveries   4: 2 of heart, 2 of radar" in text


@pytest.mark.parametrize("option", ["--remembered", "--sensors", "--median=1", "--late=1", "--found=1"])
def test_no_phone_is_lost_where_sensors_are(option, capsys):
    with pytest.raises(SystemExit):
        parse(["--lose-sensors", option])
    assert "--lose-sensors loses none" in capsys.readouterr().err

"""Options stand before, between and behind the other arguments of each tool that takes both."""

from argparse import Namespace
from collections.abc import Callable

import pytest

import fuzzing
import proving
from lenker_bench.commands import picture, replay, run
from lenker_trials.commands import hostile

Parse = Callable[[list[str]], Namespace]

TOOLS: dict[str, tuple[Parse, list[str], list[str]]] = {
    "run": (run.parse, ["rotation=180", "units=imperial"], ["--speed", "20", "--out", "ride"]),
    "picture": (picture.parse, ["one.pbm", "two.pbm"], ["-o", "panel.png", "--scale", "4"]),
    "picture --animate": (picture.parse, ["ride.csv", "units=imperial"], ["--animate", "ride.gif", "--faster", "2"]),
    "replay": (replay.parse, ["radio.btsnoop", "pairing=off"], ["--out", "replayed"]),
    "hostile": (hostile.parse, ["no-code", "renames"], ["--seed", "7", "--jobs", "2"]),
    "fuzz": (fuzzing.parse, ["pdu", "h4"], ["--seconds", "5", "--seed", "7"]),
    "fuzz --prove": (proving.parse, ["radar", "wheel"], ["--seconds", "5", "--seed", "7"]),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_options_mean_the_same_wherever_they_stand(tool):
    parse, (first, second), options = TOOLS[tool]
    name, value, *others = options
    meant = parse([*options, first, second])
    assert meant != parse([*options, first])
    assert parse([first, *options, second]) == meant
    assert parse([first, second, *options]) == meant
    assert parse([name, value, first, *others, second]) == meant
    assert parse([first, name, value, second, *others]) == meant

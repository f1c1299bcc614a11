"""The ride goes on after faults of a real wire: all of them at every step are for `Tests/Trials/faults`."""

import asyncio

import pytest

from builds import regular_and_later_armv6
from lenker_bench.phone.kinds import KINDS
from lenker_bench.wire.true_air import TRUE
from lenker_trials.commands.faults import results
from lenker_trials.commands.losses import Limits, failures, sensor_failures
from lenker_trials.sessions.fault_cases import Case, can_lose_link, quiet_loop, unless_ended
from lenker_trials.sessions.losses import Conditions, lose
from lenker_trials.sessions.scenarios import SCENARIOS, Bench
from lenker_trials.sessions.sensor_losses import lose_sensors
from lenker_trials.sessions.steps import OneFault
from lenker_trials.wire.faults import FAULTS, RandomPlan

SEED = 1
LONG = 60.0
PATIENCE = 20.0
COUNT = 10
BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}


@pytest.mark.timeout(400)
@pytest.mark.parametrize("build", ["armv6"], indirect=True)
async def test_central_behaviour_39_the_board_binary_survives_what_costs_no_waiting(build, lenker_command):
    steps = [
        *("reset:answer", "le-set-scan-enable-on", "advertising-report", "le-create-connection"),
        *("le-connection-complete", "subscribe:answer", "notification", "read:answer#3", "completed"),
    ]
    cases = [
        Case(BY_NAME["ios"], (name.partition("#")[0], int(name.partition("#")[2] or 1)), fault)
        for name in steps
        for fault in ("delay", "duplicate", "garbage", "withhold", "reset-told", "lose-link", "close")
        if fault != "lose-link" or can_lose_link((name, 1))
    ]
    with quiet_loop():
        failed = [found async for found in results(cases, lenker_command, SEED, 8) if found.failure]
    assert {found.case.name: found.failure for found in failed} == {}


@pytest.mark.timeout(400)
@regular_and_later_armv6
async def test_what_a_phone_tells_beside_the_way_is_heard_again_after_faults(build, lenker_command):
    steps = [("encryption-change", 1), ("read-clock:answer", 1), ("write-music", 1), ("subscribe-calls:answer", 2)]
    steps += [("notification-calls", 2), ("write-calls:answer", 1)]
    faults = ("duplicate", "garbage", "lose-link", "close")
    cases = [Case(BY_NAME["news"], step, fault) for step in steps for fault in faults]
    with quiet_loop():
        failed = [found async for found in results(cases, lenker_command, SEED, 8) if found.failure]
    assert {found.case.name: found.failure for found in failed} == {}


@pytest.mark.timeout(400)
async def test_central_behaviour_39_a_phone_that_is_lost_at_any_moment_is_found_again(lenker_command):
    losses = await lose("android", lenker_command, count=COUNT, seed=SEED, jobs=2, warm_up=2)
    # How fast it is on a quiet machine, is for the figures; that it is never stuck and never greedy, is for this test.
    assert failures(losses, COUNT, Limits(median=PATIENCE, slowest=PATIENCE)) == []
    assert losses.moments["riding"] >= COUNT and losses.cut_short > 0
    assert losses.errors == {}


async def test_a_remembered_phone_that_is_lost_in_mid_ride_is_found_again_on_the_true_air(lenker_command):
    conditions = Conditions(TRUE, is_remembered=True)
    losses = await lose("ios", lenker_command, count=3, seed=SEED, jobs=1, warm_up=1, conditions=conditions)
    assert failures(losses, 3, Limits(median=PATIENCE, slowest=PATIENCE)) == []
    assert losses.moments == {"riding": 3} and losses.errors == {}
    assert all(
        found < ready < shown for found, ready, shown in zip(losses.found, losses.ready, losses.shown, strict=True)
    )
    assert len(losses.first) == 1


async def test_phone_and_sensors_are_found_again_while_the_others_stay(lenker_command):
    conditions = Conditions(TRUE, has_sensors=True)
    losses = await lose("ios", lenker_command, count=3, seed=SEED, jobs=1, warm_up=1, conditions=conditions)
    assert failures(losses, 3, Limits(median=PATIENCE, slowest=PATIENCE)) == [] and losses.errors == {}
    beside = await lose_sensors("ios", lenker_command, 3, SEED, jobs=1, warm_up=1, conditions=Conditions())
    assert sensor_failures(beside, 3) == [] and beside.errors == {}


@pytest.mark.alone
async def test_central_behaviour_7_garbage_on_the_wire_is_left_behind_within_a_second(lenker_command, tmp_path):
    bench = Bench(KINDS["ios"], SEED, OneFault(("notification", 3), "garbage", FAULTS["garbage"]))
    with quiet_loop():
        async with bench.running(lenker_command, tmp_path):
            error = await bench.firmware.log.wait_for("error", LONG)
            again = await bench.firmware.log.wait_for("controller", LONG)
            await bench.firmware.log.wait_for("instruction", LONG)
    assert "no HCI packet begins with 0xff" in error["message"]
    assert again["t"] - error["t"] <= 1.0


async def test_central_behaviour_39_a_ride_goes_on_behind_a_wire_that_damages_at_random(lenker_command, tmp_path):
    chances = {"delay": 0.01, "duplicate": 0.01, "reorder": 0.005}
    chances |= {"garbage": 0.005, "close": 0.005, "reset-told": 0.005}
    bench = Bench(KINDS["android"], SEED, RandomPlan(SEED, chances))
    count = 0
    enough = asyncio.Event()

    def on_instruction(told: float) -> None:
        nonlocal count
        count += 1
        if count == 60:
            enough.set()

    bench.on_instruction = on_instruction
    bench.tick = 0.1
    with quiet_loop():
        async with bench.running(lenker_command, tmp_path):
            await asyncio.wait_for(unless_ended(bench, enough), 240)
            assert bench.firmware.status is None
            assert bench.errors != []

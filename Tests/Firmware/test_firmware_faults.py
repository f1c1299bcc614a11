"""The ride goes on after every fault at every step: the forty behaviours' number 39, and number 7 on the real wire."""

import asyncio

import pytest

from builds import regular_and_armv6
from lenker_bench.commands.faults import results
from lenker_bench.commands.losses import failures
from lenker_bench.phone.kinds import KINDS
from lenker_bench.trials.fault_cases import Case, all_steps, can_lose_link, quiet_loop, unless_ended
from lenker_bench.trials.losses import lose
from lenker_bench.trials.scenarios import SCENARIOS, Bench
from lenker_bench.trials.steps import OneFault, text_of
from lenker_bench.wire.faults import FAULTS, RandomPlan

SEED = 1
JOBS = 150
LONG = 60.0
PATIENCE = 20.0
BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}

# What a session of this central must have, by the specification and the chip; a step that is missing is not tested.
COMMANDS = {
    *("reset", "read-version", "read-commands", "read-address", "read-buffers", "le-read-features", "le-read-buffers"),
    *("set-event-mask", "le-set-event-mask", "write-le-host-support"),
    *("le-set-scan-parameters-fast", "le-set-scan-parameters-slow", "le-set-scan-enable-on", "le-set-scan-enable-off"),
    *("le-create-connection", "le-create-connection-cancel", "le-connection-update", "disconnect"),
    *("le-set-data-length", "le-set-phy", "le-parameter-request-reply"),
}
REQUESTS = {
    *("exchange-mtu", "find-service", "find-characteristic", "find-descriptors", "subscribe", "read", "read-blob"),
    *("find-service-sc", "find-characteristic-sc", "find-descriptors-sc", "subscribe-sc", "read-name"),
    *("phone-exchange-mtu", "phone-read-name", "phone-read-appearance"),
}
OTHERS = {
    *("advertising-report", "scan-response", "le-connection-complete", "le-connection-failed", "notification"),
    *("notification:rest", "notification#3", "read:answer:rest", "read#3", "read:answer#3"),
    *("completed", "completed#12"),
    *("signaling-0x12", "signaling-0x13", "le-parameter-request", "le-connection-update-complete"),
    *("le-data-length-change", "le-phy-update-complete", "disconnection-complete"),
}
EXPECTED = OTHERS | {name + part for name in COMMANDS | REQUESTS for part in ("", ":answer")}


@pytest.mark.alone
@pytest.mark.timeout(900)
async def test_central_behaviour_39_the_ride_goes_on_after_every_fault_at_every_step(lenker_command):
    with quiet_loop():
        steps = await all_steps(lenker_command, SEED)
        assert {text_of(step) for _, step in steps} >= EXPECTED
        cases = [
            Case(scenario, step, fault)
            for scenario, step in steps
            for fault in FAULTS
            if fault != "lose-link" or can_lose_link(step)
        ]
        failed = [found async for found in results(cases, lenker_command, SEED, JOBS) if found.failure]
    assert {found.case.name: found.failure for found in failed} == {}


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
@pytest.mark.parametrize("kind", ["android", "ios"])
@regular_and_armv6
async def test_central_behaviour_39_a_phone_that_is_lost_at_any_moment_is_found_again(build, lenker_command, kind):
    losses = await lose(kind, lenker_command, count=25, seed=SEED, jobs=2, warm_up=5)
    # How fast it is on a quiet machine, is for the figures; that it is never stuck and never greedy, is for this test.
    assert failures(losses, 25, median=PATIENCE, slowest=PATIENCE) == []
    assert losses.moments["riding"] >= 25 and losses.cut_short > 0
    assert losses.errors == {}


@pytest.mark.alone
@pytest.mark.timeout(200)
@pytest.mark.parametrize("step", [("notification", 3), ("reset:answer", 1), ("read:answer", 3)], ids=text_of)
async def test_central_behaviour_7_garbage_on_the_wire_is_left_behind_within_a_second(lenker_command, tmp_path, step):
    bench = Bench(KINDS["ios"], SEED, OneFault(step, "garbage", FAULTS["garbage"]))
    with quiet_loop():
        async with bench.running(lenker_command, tmp_path):
            error = await bench.firmware.log.wait_for("error", LONG)
            again = await bench.firmware.log.wait_for("controller", LONG)
            await bench.firmware.log.wait_for("instruction", LONG)
    assert "no HCI packet begins with 0xff" in error["message"]
    assert again["t"] - error["t"] <= 1.0


@pytest.mark.timeout(300)
@regular_and_armv6
async def test_central_behaviour_39_a_ride_goes_on_behind_a_wire_that_damages_at_random(
    build, lenker_command, tmp_path
):
    chances = {"delay": 0.01, "duplicate": 0.01, "reorder": 0.005}
    chances |= {"garbage": 0.005, "close": 0.005, "reset-told": 0.005}
    bench = Bench(KINDS["android"], SEED, RandomPlan(SEED, chances))
    count = 0
    enough = asyncio.Event()

    def on_instruction(told: float) -> None:
        nonlocal count
        count += 1
        if count == 100:
            enough.set()

    bench.on_instruction = on_instruction
    bench.tick = 0.1
    with quiet_loop():
        async with bench.running(lenker_command, tmp_path):
            await asyncio.wait_for(unless_ended(bench, enough), 240)
            assert bench.firmware.status is None
            assert bench.errors != []

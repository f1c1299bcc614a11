"""Attacks on the real program: all of them are for `Tests/Trials/hostile`."""

import pytest

from lenker_bench.phone.pairing import JUST_WORKS
from lenker_trials.commands.hostile import NAMES
from lenker_trials.hostile.case import Case, run_case
from lenker_trials.hostile.scene import Scene
from lenker_trials.sessions.bench import quiet_loop

SEED = 1


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["no-code", "replayed-address"])
async def test_an_attack_holds(lenker_command, name):
    with quiet_loop():
        found = await run_case(NAMES[name], lenker_command, SEED)
    assert found.is_held, found.did


async def turn_the_page_unasked(scene: Scene) -> None:
    scene.firmware.press("a")
    # Which picture is the page of the ride no event tells: whoever watches ends the wait.
    await scene.until(lambda: False, "nobody has seen it")


async def agree_to_a_stranger_unasked(scene: Scene) -> str:
    async with scene.attacker(JUST_WORKS):
        await scene.told("pairing", state="ask")
        scene.firmware.press("a")
        await scene.told("instruction")
    return "nobody has seen it"


async def wait_for_nobody(scene: Scene) -> str:
    scene.phone.vanish()
    await scene.fresh(within=1)
    return "nobody has seen it"


@pytest.mark.parametrize(
    ("play", "begins_alone", "said"),
    [
        (turn_the_page_unasked, False, "something else than the turn was on the panel"),
        (agree_to_a_stranger_unasked, True, "showed “Stranger's Street”"),
        (wait_for_nobody, False, "no instruction of the rider's phone: not within 1 s"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
@pytest.mark.thorough
async def test_what_must_never_happen_is_seen(lenker_command, play, begins_alone, said):
    case = Case("", 0, "", "", play, begins_alone)
    with quiet_loop():
        found = await run_case(case, lenker_command, SEED)
    assert (found.is_held, found.did) == (False, said)

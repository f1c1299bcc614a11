"""Recorded addresses of the rider's phone that take turns on the air, beside the phone; `cases.CASES` has them."""

import contextlib
import functools

from lenker_bench.wire.true_air import TRUE

from .case import Case
from .scene import RECORDERS_INTERVAL, Scene

SEVERAL = 8
BACK_BESIDE = {1: 2.0, SEVERAL: 5.0}  # seconds, by the number of addresses


async def replayed_by_turns(scene: Scene, addresses: int, is_mute: bool) -> str:
    """Each 20 ms one of the addresses is sent."""
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(addresses):
            attacker = scene.attacker(address=scene.recorded_address(), interval=addresses * RECORDERS_INTERVAL)
            other = await stack.enter_async_context(attacker)
            if is_mute:
                scene.mute(other)
        scene.phone.drop()
        seconds = await scene.fresh(BACK_BESIDE[addresses])
    return f"the rider's phone was back after {seconds:.1f} s beside them"


def _case(name: str, addresses: int, is_mute: bool, attack: str) -> Case:
    return Case(
        name,
        70,
        f"{attack}; the phone itself each 152 ms",
        f"the rider's phone is back within {BACK_BESIDE[addresses]:g} s beside them",
        functools.partial(replayed_by_turns, addresses=addresses, is_mute=is_mute),
        air=TRUE,
    )


TURNS = (
    _case("replayed-and-mute", 1, True, "a recorded address each 20 ms, by a device that hears nothing"),
    _case("replayed-by-turns", SEVERAL, False, f"{SEVERAL} recorded addresses without the key, each 20 ms one of them"),
    _case("replayed-by-turns-and-mute", SEVERAL, True, f"{SEVERAL} recorded addresses, by a device that hears nothing"),
)

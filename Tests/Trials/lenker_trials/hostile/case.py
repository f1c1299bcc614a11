"""One attack in a session of its own, and what became of it."""

import functools
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from lenker_bench.wire.true_air import INSTANT

from . import NotHeld
from .scene import Scene

Play = Callable[[Scene], Awaitable[str]]


@dataclass(frozen=True)
class Case:
    """One attack. `play` returns what the program did, or raises `NotHeld`.

    Unless it `begins_alone`, the rider has paired and rides when it is played.
    """

    name: str
    behaviour: int
    attack: str
    held: str
    """What the program has to do."""
    play: Play
    begins_alone: bool = False
    air: str = INSTANT


class Cases(list[Case]):
    """The cases of a module: each stands above the play that it is of."""

    def add(self, name: str, behaviour: int, attack: str, held: str, **options: object) -> Callable:
        """What is no field of a case is an argument of its play."""
        own = {field.name for field in fields(Case)}
        arguments = {name: options.pop(name) for name in options.keys() - own}

        def add_to(play: Callable) -> Callable:
            self.append(Case(name, behaviour, attack, held, functools.partial(play, **arguments), **options))
            return play

        return add_to


@dataclass
class Result:
    case: Case
    did: str
    is_held: bool


async def run_case(case: Case, command: Sequence[str], seed: object) -> Result:
    """Plays a case in a session of its own."""
    scene = Scene(f"{seed} {case.name}", case.air)
    with tempfile.TemporaryDirectory(prefix="lenker-") as folder:
        try:
            async with scene.running(command, Path(folder)):
                if not case.begins_alone:
                    await scene.ride()
                did = await case.play(scene)
                scene.judge()
        except NotHeld as wrong:
            return Result(case, str(wrong), False)
    return Result(case, did, True)

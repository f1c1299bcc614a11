"""Apps on an Android phone whose turns Gadgetbridge passes on: what each says of a ride, and when.

OsmAnd tells its turns by an interface, at each fix of its position. Of Google Maps there is only what its notification
shows, and of CoMaps what it broadcasts. The actions are Gadgetbridge's words.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ..programs.processes import ROOT
from .rides import Step

KOMOOT, OSMAND, GERMAN_OSMAND, MAPS, COMAPS = APPS = ("komoot", "osmand", "osmand-de", "maps", "comaps")

FINISH, OFF_ROUTE = 3, 30
FIX = 1.0  # seconds between two positions
ARRIVED_WITHIN = 15  # metres; CoMaps is silent there
NO_BREAK_SPACE = "\u00a0"

ACTIONS = {
    1: "continue",
    2: "continue",
    FINISH: "finish",
    4: "left_slight",
    5: "left",
    6: "left_sharp",
    7: "right_sharp",
    8: "right",
    9: "right_slight",
    10: "keep_right",
    11: "keep_left",
    12: "uturn_left",
    OFF_ROUTE: "offroute",
}
SENTENCES = ROOT / "Sources" / "VirtualAir" / "OsmAndSentences.swift"


@dataclass(frozen=True)
class Said:
    """What an app says at a time, as Gadgetbridge's members; the time is in seconds from the start."""

    seconds: float
    instr: str | None = None
    distance: str | None = None
    action: str | None = None
    eta: str | None = None

    @property
    def members(self) -> dict[str, str | None]:
        return {"instr": self.instr, "distance": self.distance, "action": self.action, "eta": self.eta}

    def says_the_same(self, other: "Said | None") -> bool:
        return other is not None and self.members == other.members


def osmand(steps: Sequence[Step], speed: float, language: str = "en") -> list[Said]:
    """A turn at each fix. It says what it has spoken last, which is of the turn before until it speaks again.

    It knows no exits of a roundabout, and no finish: of that it tells as of a way straight on. Nothing is said at the
    end.
    """
    found: list[Said] = []
    spoken, lines = "", _sentences(language)
    for seconds, step, distance in _fixes(steps, speed):
        word = _roundabout_of_osmand(step.direction) or ACTIONS.get(step.direction, "")
        action = "continue" if word == "finish" else word
        found.append(Said(seconds, spoken, f"{distance}m", action or None))
        spoken = _spoken(lines, action, step.street, distance) or spoken
    return found


def _sentences(language: str) -> list[list[str]]:
    """The action, the metres, the sentence and its street: the columns of `SENTENCES` without their language."""
    lines = SENTENCES.read_text("utf-8").split('"""')[1].splitlines()
    return [columns for first, *columns in (line.strip(" ").split("|") for line in lines) if first == language]


def _spoken(lines: list[list[str]], action: str, street: str, distance: int) -> str | None:
    """What is spoken at that distance; of a street without a name nothing."""
    kinds = (action.split("_")[0] if action.startswith("roundabout") else action, "*")
    near = [line for line in lines if line[0] in kinds and int(line[1]) >= distance]
    if not near:
        return None
    _, _, sentence, name = min(near, key=lambda line: int(line[1]))
    if not name:
        return sentence
    return sentence.removesuffix(name) + street if street else None


def maps(steps: Sequence[Step], speed: float) -> list[Said]:
    """What its notification shows, at each change; it goes at the end. No icon is known for sharp turns."""
    found: list[Said] = []
    for step in steps:
        word = _roundabout_by_exit(step.direction) or ACTIONS.get(step.direction, "")
        action = None if not word or word.endswith("_sharp") else word
        said = Said(
            _seconds(step, speed), step.street, _local_words(step.distance, NO_BREAK_SPACE), action, _arrival(steps)
        )
        if not said.says_the_same(found[-1] if found else None):
            found.append(said)
    return [*found, Said(found[-1].seconds + FIX)]


def comaps(steps: Sequence[Step], speed: float) -> list[Said]:
    """The street alone, and the seconds that are left; it is silent near the end, and says that it is over."""
    found: list[Said] = []
    for step in steps:
        if step.direction == FINISH and step.distance <= ARRIVED_WITHIN:
            break
        word = _roundabout_by_exit(step.direction) or ACTIONS.get(step.direction)
        left = (steps[-1].milliseconds - step.milliseconds) // 1000
        said = Said(_seconds(step, speed), step.street, _local_words(step.distance, " "), word, str(left))
        found.append(said)
    return [*found, Said(_seconds(steps[-1], speed))]


SAYING: dict[str, Callable[[Sequence[Step], float], list[Said]]] = {
    OSMAND: osmand,
    GERMAN_OSMAND: partial(osmand, language="de"),
    MAPS: maps,
    COMAPS: comaps,
}


def _seconds(step: Step, speed: float) -> float:
    return step.milliseconds / 1000 / speed


def _fixes(steps: Sequence[Step], speed: float) -> Iterator[tuple[float, Step, int]]:
    """The seconds, the step and the distance of each fix; between two steps of one turn it falls evenly."""
    index, seconds, last = 0, 0.0, _seconds(steps[-1], speed)
    while True:
        while index + 1 < len(steps) and _seconds(steps[index + 1], speed) <= seconds:
            index += 1
        step = steps[index]
        following = steps[index + 1] if index + 1 < len(steps) else step
        yield seconds, step, round(_between(step, following, seconds, speed))
        if seconds >= last:
            return
        seconds = min(seconds + FIX, last)


def _between(step: Step, following: Step, seconds: float, speed: float) -> float:
    is_one_turn = (step.direction, step.street) == (following.direction, following.street)
    length = _seconds(following, speed) - _seconds(step, speed)
    if not is_one_turn or following.distance > step.distance or length <= 0:
        return step.distance
    share = (seconds - _seconds(step, speed)) / length
    return step.distance + (following.distance - step.distance) * share


def _roundabout_of_osmand(direction: int) -> str | None:
    """By the side that is driven on alone; what komoot does not say of it is Europe's."""
    if direction == 15 or 23 <= direction <= 28:
        return "roundabout_left"
    return "roundabout_right" if 14 <= direction <= 29 else None


def _roundabout_by_exit(direction: int) -> str | None:
    """By where it is left: the first of several exits is on the side that is driven on, the last one on the other."""
    if direction == 15:
        return "roundabout_left"
    if direction == 16:
        return "roundabout_right"
    if direction in (14, 29):
        return "roundabout_straight"
    if not 17 <= direction <= 28:
        return None
    number, count = ((1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3))[(direction - 17) % 6]
    near, far = ("roundabout_right", "roundabout_left") if direction <= 22 else ("roundabout_left", "roundabout_right")
    if number == 1:
        return near
    return far if number == count else "roundabout_straight"


def _local_words(distance: int, blank: str) -> str:
    return f"{distance}{blank}m" if distance < 1000 else f"{distance / 1000:.1f}{blank}km"


def _arrival(steps: Sequence[Step]) -> str:
    """A time of day, for a ride that begins at half past ten."""
    minutes = 30 + steps[-1].milliseconds // 60_000
    return f"{10 + minutes // 60}:{minutes % 60:02}"

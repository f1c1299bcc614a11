"""What a run of the firmware left behind: its events, the pictures of the glass, and the messages on the bus."""

import itertools
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lenker_bench.phone.rides import read_ride
from lenker_bench.programs.events import EventLog
from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import ROOT
from lenker_bench.view.pbm import Picture, read_picture
from ssd1306 import Panel

Instruction = tuple[int, int, str]
Rows = tuple[tuple[int, ...], ...]
RECORDED_RIDES = Path(os.environ.get("LENKER_RECORDINGS", ROOT.parent / "shared")) / "rides"
PAUSE_OF_STREET = 1.5  # seconds that a street stands which is too long for the panel, until it runs
LONGEST_TURN = 0.4  # of the loop, on a machine with other things to do; the shortest inversion is longer
SMALLEST_FIELD = 32  # pixels that are inverted, side by side and above each other
CAPTURE = "radio.btsnoop"
TRACE_LINE = re.compile(r"(\d+\.\d{3}) ([0-9a-f]{2})((?: [0-9a-f]{2})+)")


def told(events: list[dict]) -> list[Instruction]:
    """The instructions among these events, in order."""
    return [(e["direction"], e["distance"], e["street"]) for e in events if e["event"] == "instruction"]


def is_the_same_but_for_inversion(one: Rows, other: Rows) -> bool:
    """Whether they are, if the glass is inverted, or the field of the arrow, or both, in one of them."""
    differing = {(x, y) for y, row in enumerate(one) for x, pixel in enumerate(row) if pixel != other[y][x]}
    glass = set(itertools.product(range(len(one[0])), range(len(one))))
    field = min(differing, glass - differing, key=len)
    columns, rows = {x for x, _ in field}, {y for _, y in field}
    is_whole = min(len(columns), len(rows)) >= SMALLEST_FIELD and len(field) == len(columns) * len(rows)
    return not field or is_whole


def are_the_same_but_for_inversion(pictures: Iterable[Rows]) -> bool:
    return all(itertools.starmap(is_the_same_but_for_inversion, itertools.pairwise(pictures)))


def without_repeats(instructions: Iterable[Instruction]) -> list[Instruction]:
    """Those that say the same as the one before left out."""
    return [instruction for instruction, _ in itertools.groupby(instructions)]


def told_apart(ride: Path) -> list[Instruction]:
    """The ride's instructions, those that say the same as the one before left out."""
    return without_repeats((step.direction, step.distance, step.street) for step in read_ride(ride))


async def wait_for_instructions(log: EventLog, count: int, timeout: float = 120) -> None:
    """Waits until so many more instructions have been told; each may take `timeout` seconds."""
    for _ in range(count):
        await log.wait_for("instruction", timeout)


@dataclass(frozen=True)
class Message:
    """One I2C message: when, to whom, and its bytes without the address."""

    seconds: float
    address: int
    data: bytes


def read_trace(path: Path) -> list[Message]:
    """The whole lines so far. Raises `ValueError` for one that is not as the interface has it."""
    messages = []
    whole, _, _ = path.read_text("ascii").rpartition("\n")
    for line in whole.splitlines():
        match = TRACE_LINE.fullmatch(line)
        if not match:
            raise ValueError(f"not a line of an I2C trace: {line[:80]}")
        messages.append(Message(float(match[1]), int(match[2], 16), bytes.fromhex(match[3])))
    return messages


@dataclass(frozen=True)
class Recording:
    """A run that has ended, in its folder."""

    folder: Path
    events: list[dict]

    @property
    def capture(self) -> Path:
        return self.folder / CAPTURE

    def named(self, event: str) -> list[dict]:
        return [found for found in self.events if found["event"] == event]

    def picture_file(self, number: int) -> Path:
        return self.folder / f"frame-{number:06}.pbm"

    def picture(self, number: int) -> Picture:
        return read_picture(self.picture_file(number))

    def trace(self) -> list[Message]:
        return read_trace(self.folder / "i2c.trace")

    def glass_over_time(self, trace: list[Message]) -> dict[float, Rows]:
        """What the glass shows from a time on, in seconds, up to the millisecond of the signal that ended the run.

        Of several turns of the loop in one millisecond a capture does not tell which came first, so that what the
        panel shows at the end of each counts.
        """
        panel, shown = Panel("ssd1306-128x64"), {}
        end = self.named("frame")[-1]["t"]
        for seconds, messages in itertools.groupby(trace, lambda message: message.seconds):
            if seconds >= end:
                break
            for message in messages:
                panel.write(message.data)
            shown[seconds] = panel.picture()
        return shown

    def pictures_of_instructions(self) -> dict[Instruction, set[Rows]]:
        """The pictures that were drawn with each instruction.

        An instruction has none where the next one came before the panel was drawn, or where its picture is the one
        before. The last picture of the run is its farewell, and no instruction's.
        """
        farewell = self.named("frame")[-1]
        pictures: dict[Instruction, set[Rows]] = {}
        latest: Instruction | None = None
        is_drawn = True
        told_at = street_told_at = 0.0
        for event in self.events:
            if event["event"] == "instruction":
                if latest is None or latest[2] != event["street"]:
                    street_told_at = event["t"]
                latest = (event["direction"], event["distance"], event["street"])
                told_at = event["t"]
                is_drawn = False
            elif event["event"] in ("link", "stale", "button"):
                latest = None
            elif event["event"] == "frame" and event is not farewell and latest is not None:
                # Drawn in the next turn of the loop: later ones are of a street that runs, or of an inversion's end.
                is_next = not is_drawn and event["t"] - told_at < LONGEST_TURN
                if is_next and event["t"] - street_told_at < PAUSE_OF_STREET:
                    pictures.setdefault(latest, set()).add(self.picture(event["number"]).rows)
                is_drawn = True
        return pictures


def recording(folder: Path, log: EventLog) -> Recording:
    """What a firmware with the usual outputs in `folder` left; it must have ended, and all its events be events."""
    assert log.malformed == []
    assert Outputs(folder).events.exists()
    return Recording(folder, log.events)

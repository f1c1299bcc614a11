"""What happened on a ride, counted from the events of the firmware and the phone."""

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from ..phone.phone import RIDERS_PHONE

SHOWN_STREET = 503  # bytes; the attribute's 512 without the nine before the street

FIGURES = {"speed": "mm/s", "cadence": "rpm", "heart": "bpm", "power": "W", "distance": "m"}

Instruction = tuple[int | str | None, int, str]
"""komoot's number of the direction or Gadgetbridge's word, the distance and the street."""


@dataclass
class Tally:
    """Counts every event; `status_lines` and `report_lines` can be asked for at any time."""

    sent: list[Instruction] = field(default_factory=list)
    shown: list[Instruction] = field(default_factory=list)
    turns: int = 0
    """How many Gadgetbridge has written, of which the firmware may take several for one."""
    frames: int = 0
    i2c_bytes: int = 0
    i2c_messages: int = 0
    connections: int = 0
    link: str = "not connected"
    firmware_events: int = 0
    errors: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    question: str = ""
    sensors: dict[str, str] = field(default_factory=dict)
    """The names of those that the firmware remembers, by their kinds."""
    figures: dict[str, int] = field(default_factory=dict)
    """What the sensors measured last."""
    vehicles: int | None = None
    """How many the radar saw last."""
    street: str = ""
    """What was on the air beside the phone."""

    def on_phone_event(self, event: dict) -> None:
        if event.get("phone", RIDERS_PHONE) != RIDERS_PHONE:
            return
        match event["event"]:
            case "instruction" if event["listeners"] > 0:
                _append_if_new(self.sent, _instruction(event))
            case "turn" if event["written"]:
                self.turns += 1
            case "complaint":
                self.complaints.append(event["message"])
            case "pairing" if event["state"] == "confirm":
                number = event["number"]
                self.question = f"the phone shows {number[:3]} {number[3:]}"
            case "pairing" | "disconnected":
                self.question = ""
            case "street":
                self.street = f"{event['sent']} advertisements of {event['devices']} others, {event['reports']} reports"

    def on_firmware_event(self, event: dict) -> None:
        self.firmware_events += 1
        match event["event"]:
            case "instruction":
                _append_if_new(self.shown, _instruction(event))
            case "frame":
                self.frames += 1
                self.i2c_bytes += event["bytes"]
                self.i2c_messages += event["messages"]
            case "link":
                self.link = event["state"]
                if event["state"] == "connected":
                    self.connections += 1
            case "sensor" if event["state"] == "remembered":
                self.sensors[event["kind"]] = event.get("name", event["address"])
            case "sensor" if event["state"] == "forgotten":
                self.sensors.pop(event["kind"], None)
            case "measure":
                self.figures = {name: event[name] for name in FIGURES if name in event}
            case "radar":
                self.vehicles = len(event["vehicles"])
            case "error":
                self.errors.append(f"{event['source']}: {event['message']}")

    @property
    def missed(self) -> int:
        """How many instructions a listening firmware was told and did not show."""
        blocks = SequenceMatcher(None, self.sent, self.shown, autojunk=False).get_matching_blocks()
        return len(self.sent) - sum(block.size for block in blocks)

    @property
    def mean_frame_bytes(self) -> float:
        return self.i2c_bytes / self.frames if self.frames else 0.0

    def status_lines(self) -> list[str]:
        """Two lines: the instruction or the phone's question, and the state of link and panel."""
        first = "no instruction yet"
        if self.shown:
            direction, distance, street = self.shown[-1]
            first = f"direction {direction} · {distance} m · {street}"
        second = (
            f"{self.link} · {self.firmware_events} events · {self.frames} frames"
            f" · {self.mean_frame_bytes:.0f} bytes a frame on I²C"
        )
        if self.question:
            first = self.question
        if self.figures or self.vehicles is not None:
            second += f" · {self._measured}"
        if self.errors:
            second += f" · {self.errors[-1]}"
        return [first, second]

    def report_lines(self, seconds: float) -> list[str]:
        lines = [
            f"instructions shown: {len(self.shown)}, missed: {self.missed}",
            f"frames: {self.frames}",
            f"I2C bytes a frame: {self.mean_frame_bytes:.1f} in {self._messages_a_frame:.1f} messages",
            f"reconnects: {max(0, self.connections - 1)}",
            f"duration: {seconds:.1f} s",
        ]
        if self.turns:
            lines.append(f"turns written by Gadgetbridge: {self.turns}")
        if self.sensors:
            names = ", ".join(f"{kind} {name}" for kind, name in sorted(self.sensors.items()))
            lines.append(f"sensors: {names}; they measured {self._measured}")
        if self.street:
            lines.append(f"street: {self.street}")
        lines += [f"error: {message}" for message in self.errors[-5:]]
        lines += [f"against the specification: {message}" for message in self.complaints[-5:]]
        return lines

    @property
    def _measured(self) -> str:
        parts = [f"{value} {FIGURES[name]}" for name, value in self.figures.items()]
        if self.vehicles is not None:
            parts.append(f"vehicles behind: {self.vehicles}")
        return ", ".join(parts) or "nothing"

    @property
    def _messages_a_frame(self) -> float:
        return self.i2c_messages / self.frames if self.frames else 0.0


def _instruction(event: dict) -> Instruction:
    street = event["street"].encode("utf-8")[:SHOWN_STREET].decode("utf-8", "replace")
    return event.get("direction", event.get("action")), event.get("distance", 0), street


def _append_if_new(instructions: list[Instruction], instruction: Instruction) -> None:
    if not instructions or instructions[-1] != instruction:
        instructions.append(instruction)


PAUSE = 10.0  # seconds between two lines while nothing else is new


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class Progress:
    """A line when the link, the question of a pairing or an error is new, and every `PAUSE` seconds."""

    def __init__(self, tally: Tally, say: Callable[[str], None] = _print) -> None:
        self._tally = tally
        self._say = say
        self._start = time.monotonic()
        self._said: tuple[object, ...] = self._news
        self._task: asyncio.Task | None = None

    def __enter__(self) -> "Progress":
        self._task = asyncio.create_task(self._repeat())
        return self

    def __exit__(self, *exception: object) -> None:
        self._task.cancel()

    def changed(self) -> None:
        """An event has been counted."""
        if self._news != self._said:
            self._said = self._news
            self.tell()

    def tell(self) -> None:
        """Says how it stands now."""
        elapsed = time.monotonic() - self._start
        parts = [self._tally.link, f"instructions shown: {len(self._tally.shown)}"]
        if self._tally.question:
            parts.append(self._tally.question)
        if self._tally.errors:
            parts.append(f"last error: {self._tally.errors[-1]}")
        self._say(f"{elapsed:6.1f} s  {', '.join(parts)}")

    @property
    def _news(self) -> tuple[object, ...]:
        return self._tally.link, self._tally.question, len(self._tally.errors), bool(self._tally.shown)

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(PAUSE)
            self.tell()

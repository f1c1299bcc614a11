"""What the panel showed in a run, as moving pictures in the run's own time."""

import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .panel import CORNER, indexed_panel
from .pbm import Picture, read_picture

FORMATS = {".gif": "GIF", ".apng": "PNG", ".png": "PNG"}  # by the ending of the file's name
TICK = 10  # milliseconds: what a GIF counts its times in
SHORTEST = 20  # milliseconds: what is shorter, browsers show for 100
LONGEST = 655_350  # milliseconds: the longest that a GIF can say
LAST = 3_000  # milliseconds for the last picture
LARGEST = 500_000  # bytes that a page should have to load


class AnimationError(Exception):
    """Why there can be no animation."""


@dataclass(frozen=True)
class Shown:
    """What the glass showed from a time on, in milliseconds."""

    start: int
    picture: Picture


def read_run(folder: Path) -> list[Shown]:
    """What a run's folder says of the glass, from its first instruction on until it went dark for good.

    Raises `AnimationError`, or `PictureError` where a picture is none.
    """
    shown: list[Shown] = []
    for start, number in _frames(folder):
        path = folder / f"frame-{number:06}.pbm"
        if not path.exists():
            continue  # a replay writes none where the glass did not change
        picture = read_picture(path)
        if not shown or shown[-1].picture != picture:
            shown.append(Shown(start, picture))
    while shown and not any(map(any, shown[-1].picture.rows)):
        shown.pop()
    if not shown:
        raise AnimationError(f"{folder}: no ride: it has no picture of an instruction")
    return shown


def _frames(folder: Path) -> list[tuple[int, int]]:
    """When each picture since the first instruction was sent, in milliseconds, and its number."""
    path = folder / "events.jsonl"
    try:
        events = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        names = [event["event"] for event in events]
        begin = names.index("instruction") if "instruction" in names else len(events)
        return [(round(e["t"] * 1000), int(e["number"])) for e in events[begin:] if e["event"] == "frame"]
    except OSError as error:
        wanted = "give a ride, or a folder that `run --out` or `replay --out` has made"
        raise AnimationError(f"{path}: {error.strerror}; {wanted}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise AnimationError(f"{path}: not the events of a run: {error}") from error


def timed(shown: Sequence[Shown], faster: float) -> list[tuple[Picture, int]]:
    """Each picture with the milliseconds that it stays; what would flash by is left out, and moves nothing else."""
    begin = shown[0].start
    starts = [round((each.start - begin) / faster / TICK) * TICK for each in shown]
    kept: list[Shown] = []
    for index, (start, each) in enumerate(zip(starts, shown, strict=True)):
        earliest = max(start, kept[-1].start + SHORTEST) if kept else 0
        if kept and index + 1 < len(starts) and starts[index + 1] <= earliest:
            continue
        kept.append(replace(each, start=earliest))
    ends = [each.start for each in kept[1:]] + [kept[-1].start + LAST]
    return [(each.picture, min(end - each.start, LONGEST)) for each, end in zip(kept, ends, strict=True)]


def encoded(pictures: Iterable[tuple[Picture, int]], scale: int, name: Path) -> bytes:
    """An animation that goes on for ever; the same pictures make the same bytes. Raises `AnimationError`."""
    images, durations = zip(*((indexed_panel(picture, scale), stay) for picture, stay in pictures), strict=True)
    file = io.BytesIO()
    images[0].save(
        file,
        format=FORMATS[name.suffix.lower()],
        save_all=True,
        append_images=images[1:],
        duration=list(durations),
        loop=0,
        transparency=CORNER,
    )
    content = file.getvalue()
    if len(content) > LARGEST:
        raise AnimationError(
            f"{name}: would have {len(content) // 1000} KB in {sum(durations) / 1000:.0f} s, more than"
            f" {LARGEST // 1000}: give a smaller --scale, or a shorter ride"
        )
    return content

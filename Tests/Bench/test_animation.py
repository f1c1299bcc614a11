"""A ride as moving pictures: exact to the pixel and in time, and the same each time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from lenker_bench.commands import picture as command
from lenker_bench.phone.rides import OWN_RIDE, Step, read_ride
from lenker_bench.programs.processes import PACKAGES, ROOT
from lenker_bench.programs.riding import SettingError, ride_in_virtual_time
from lenker_bench.view import animation
from lenker_bench.view.animation import LARGEST, LAST, AnimationError, Shown, encoded, read_run, timed
from lenker_bench.view.panel import draw_panel
from lenker_bench.view.pbm import Picture, PictureError

RIDE = [str(ROOT / ".build" / "debug" / "Ride")]  # made by `swift build`, and with the units
SHORT_RIDE = OWN_RIDE.with_name("lenker-short.csv")
DARK = Picture(8, 2, ((0,) * 8,) * 2)


def lit(columns: int) -> Picture:
    """A picture that has so many columns lit."""
    return Picture(8, 2, ((1,) * columns + (0,) * (8 - columns),) * 2)


def pbm(picture: Picture) -> bytes:
    rows = (int("".join(map(str, row)), 2) for row in picture.rows)
    return f"P4\n{picture.width} {picture.height}\n".encode() + bytes(rows)


def write_run(folder: Path, *events: tuple[float, str] | tuple[float, Picture]) -> Path:
    """A run's folder with these events; a picture is one that was sent then."""
    folder.mkdir()
    lines, count = [], 0
    for time, what in events:
        fields: dict[str, object] = {"t": time, "event": what}
        if isinstance(what, Picture):
            count += 1
            (folder / f"frame-{count:06}.pbm").write_bytes(pbm(what))
            fields = {"t": time, "event": "frame", "number": count}
        lines.append(json.dumps(fields))
    (folder / "events.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(
        tmp_path / "run",
        (0.1, lit(8)),
        (1.0, "instruction"),
        (1.02, lit(1)),
        (1.5, lit(1)),
        (2.02, lit(2)),
        (2.27, lit(3)),
        (9.0, DARK),
    )


def picture(*arguments: object) -> subprocess.CompletedProcess:
    line = [sys.executable, "-m", "lenker_bench.commands.picture", *map(str, arguments)]
    return subprocess.run(line, cwd=PACKAGES, capture_output=True, text=True, check=False)


def frames(path: Path) -> list[tuple[Image.Image, float]]:
    """Each picture of an animation with its milliseconds."""
    found = []
    with Image.open(path) as image:
        for number in range(image.n_frames):
            image.seek(number)
            found.append((image.convert("RGBA"), image.info["duration"]))
        assert image.info["loop"] == 0, "for ever"
    return found


def test_it_begins_with_the_first_instruction_and_ends_before_the_panel_goes_dark(run):
    assert read_run(run) == [Shown(1020, lit(1)), Shown(2020, lit(2)), Shown(2270, lit(3))]


@pytest.mark.parametrize("ending", ["gif", "apng"])
def test_each_picture_is_the_panels_and_stays_as_long_as_there(run, ending):
    path = run.parent / f"ride.{ending}"
    result = picture("--animate", path, run, "--scale", 3)
    assert result.returncode == 0, result.stderr
    found = frames(path)
    assert [stay for _, stay in found] == [1000, 250, LAST]
    for (image, _), columns in zip(found, (1, 2, 3), strict=True):
        assert ImageChops.difference(image, draw_panel(lit(columns), 3)).getbbox(alpha_only=False) is None


def test_a_quicker_one_is_quicker_as_a_whole(run):
    assert [stay for _, stay in timed(read_run(run), 2.5)] == [400, 100, LAST]


def test_what_would_flash_by_is_left_out_and_what_follows_is_not_late():
    """A picture of less than 20 ms is shown for 100 by browsers."""
    shown = [Shown(start, lit(index)) for index, start in enumerate((0, 40, 50, 55, 400))]
    assert timed(shown, 1) == [(lit(0), 40), (lit(1), 20), (lit(3), 340), (lit(4), LAST)]
    assert [sum(stay for _, stay in timed(shown, faster)) - LAST for faster in (1, 2, 4)] == [400, 200, 100]


def test_the_same_ride_makes_the_same_bytes(tmp_path):
    made = []
    for name in ("once", "again"):
        folder = tmp_path / name
        folder.mkdir()
        ride_in_virtual_time(RIDE, read_ride(SHORT_RIDE), [], folder)
        made.append(encoded(timed(read_run(folder), 2), 3, Path("ride.gif")))
    assert made[0] == made[1]


def test_the_short_ride_is_one_for_the_beginning_of_a_page(tmp_path):
    """Less than half a minute, small, and with two turns, each of them announced, and the arrival."""
    ride_in_virtual_time(RIDE, read_ride(SHORT_RIDE), [], tmp_path)
    pictures = timed(read_run(tmp_path), 2)
    assert 20_000 < sum(stay for _, stay in pictures) < 30_000
    assert len(encoded(pictures, 4, Path("ride.gif"))) < LARGEST / 2
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text("utf-8").splitlines()]
    assert list(dict.fromkeys(event["direction"] for event in events if event["event"] == "instruction")) == [
        2,
        8,
        5,
        3,
    ]
    levels = [event["level"] for event in events if event["event"] == "alert"]
    assert levels.count("high") == 2 and levels[-1] == "arrive"


def test_pictures_come_when_the_ride_says(tmp_path):
    steps = [Step(0, 2, 0, "A"), Step(1500, 5, 110, "B"), Step(3750, 8, 90, "B")]
    ride_in_virtual_time(RIDE, steps, ["units=imperial"], tmp_path)
    starts = [shown.start for shown in read_run(tmp_path)]
    assert {1500, 3750} < {start - starts[0] for start in starts}


def test_a_board_key_that_is_wrong_is_named(tmp_path):
    with pytest.raises(SettingError, match=r'^panel=tiny: "tiny" is not a valid value for panel; allowed: ssd1306'):
        ride_in_virtual_time(RIDE, [Step(0, 2, 0, "A")], ["units=metric", "panel=tiny"], tmp_path)


def test_a_folder_without_a_run_is_no_ride(tmp_path):
    result = picture("--animate", tmp_path / "a.gif", tmp_path)
    assert result.returncode == 1
    assert "events.jsonl: No such file or directory; give a ride, or a folder that" in result.stderr


def test_a_run_without_an_instruction_is_no_ride(tmp_path):
    folder = write_run(tmp_path / "run", (0.1, lit(8)))
    with pytest.raises(AnimationError, match="no ride: it has no picture of an instruction"):
        read_run(folder)


@pytest.mark.parametrize("line", ["not an event", "[]", '{"event": "frame"}'])
def test_events_of_something_else_are_refused(tmp_path, line):
    folder = write_run(tmp_path / "run", (0.1, "instruction"))
    with (folder / "events.jsonl").open("a") as events:
        events.write(line + "\n")
    with pytest.raises(AnimationError, match=r"events\.jsonl: not the events of a run"):
        read_run(folder)


def test_a_picture_that_is_none_is_named(run):
    (run / "frame-000004.pbm").write_bytes(b"P4\n8")
    with pytest.raises(PictureError, match=r"frame-000004\.pbm: not a P1 or P4"):
        read_run(run)


def test_an_event_without_a_picture_has_changed_nothing(run):
    """As in the folder of a replay."""
    (run / "frame-000003.pbm").unlink()
    assert [shown.picture for shown in read_run(run)] == [lit(1), lit(2), lit(3)]


def test_what_is_no_ride_is_told_before_anything_is_built(tmp_path):
    (tmp_path / "notes.csv").write_text("notes\n")
    result = picture("--animate", tmp_path / "a.gif", tmp_path / "notes.csv")
    assert result.returncode == 64
    assert "notes.csv:1: this is no ride" in result.stderr and "building" not in result.stderr


def test_an_animation_too_large_for_a_page_is_not_written(run, monkeypatch, capsys):
    monkeypatch.setattr(animation, "LARGEST", 400)
    monkeypatch.setattr("sys.argv", ["picture", "--animate", str(run.parent / "a.gif"), str(run)])
    assert command.main() == 1
    assert "more than 0: give a smaller --scale, or a shorter ride" in capsys.readouterr().err
    assert not (run.parent / "a.gif").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--animate", "a.webm", "ride"], "'a.webm' ends with none of .gif, .apng, .png"),
        (["--animate", "a.gif", "ride", "other"], "'other' is not KEY=VALUE: an animation is made of one ride"),
        (["--animate", "a.gif", ".", "units=imperial"], ".: its ride is over"),
        (["--animate", "a.gif", "ride", "--columns", "2"], "--columns is for a sheet of pictures"),
        (["--animate", "a.gif", "-o", "a.png", "ride"], "not allowed with argument"),
        (["a.pbm", "-o", "a.png", "--faster", "2"], "--faster is for --animate"),
        (["a.pbm"], "one of the arguments -o/--output --animate is required"),
    ],
)
def test_arguments_that_do_not_fit_together_are_told(arguments, complaint):
    result = picture(*arguments)
    assert result.returncode == 64 and complaint in result.stderr

"""Whole rides with the real program: what it tells, what it shows, and what goes over the bus, in every build."""

import itertools

import pytest

from builds import AARCH64, every_build
from lenker_bench.phone.rides import OWN_RIDE
from recording import RECORDED_RIDES, Message, Recording, are_the_same_but_for_inversion, told, told_apart
from replay import replayed
from ssd1306 import Panel
from touring import Tour, ridden, ride, settings


@every_build
def test_every_instruction_of_a_ride_is_told_in_order(build, tour: Tour):
    assert told(tour(build).events) == told_apart(OWN_RIDE)


@every_build
def test_each_instruction_has_one_picture(build, tour: Tour):
    pictures = tour(build).pictures_of_instructions()
    assert all(map(are_the_same_but_for_inversion, pictures.values()))
    # Different distances may round to the same picture, and who is busy leaves pictures out.
    assert len(set.union(*pictures.values())) > len(told_apart(OWN_RIDE)) / 4


@pytest.mark.timeout(600)
@pytest.mark.parametrize("board", ["armv6", AARCH64])
def test_a_build_for_a_board_shows_the_same_pictures_as_the_regular_one(board, tour: Tour):
    regular, other = (tour(build).pictures_of_instructions() for build in ("regular", board))
    # One that was busy may have left pictures out; those that it showed are the same to the pixel but for inversion.
    both = regular.keys() & other.keys()
    assert len(both) > 2
    assert [key for key in both if not are_the_same_but_for_inversion(regular[key] | other[key])] == []


@every_build
def test_the_messages_on_the_bus_make_the_pictures(build, tour: Tour):
    """Replays the trace through a panel that shares no code with the firmware."""
    ridden = tour(build)
    messages = iter(ridden.trace())
    panel = Panel("ssd1306-128x64")
    for frame in ridden.named("frame"):
        for _ in range(frame["messages"]):
            panel.write(next(messages).data)
        assert panel.picture() == ridden.picture(frame["number"]).rows, frame
    assert next(messages, None) is None


@every_build
def test_frame_events_count_what_goes_over_the_wire(build, tour: Tour):
    ridden = tour(build)
    messages = ridden.trace()
    assert {message.address for message in messages} == {0x3C}
    assert [message.seconds for message in messages] == sorted(message.seconds for message in messages)
    for frame in ridden.named("frame"):
        own, messages = messages[: frame["messages"]], messages[frame["messages"] :]
        assert frame["bytes"] == sum(1 + len(message.data) for message in own)


def test_pictures_are_numbered_without_a_gap_and_the_latest_is_the_last(tour: Tour):
    ridden = tour("regular")
    files = sorted(path.name for path in ridden.folder.glob("frame-*.pbm"))
    assert files == [f"frame-{number:06}.pbm" for number in range(1, len(files) + 1)]
    pictures = [(ridden.folder / name).read_bytes() for name in files]
    assert all(picture.startswith(b"P4\n128 64\n") for picture in pictures)
    assert all(before != after for before, after in itertools.pairwise(pictures))
    assert (ridden.folder / "latest.pbm").read_bytes() == pictures[-1]


def test_what_goes_over_the_wire_is_close_to_what_changes(tour: Tour):
    """For each picture the changed bytes of the RAM, half of them again, and two addresses of 10 bytes."""
    ridden = tour("regular")
    messages = iter(ridden.trace())
    panel = Panel("ssd1306-128x64")
    sent = limit = 0.0
    for number, frame in enumerate(ridden.named("frame")[:-1]):
        before = b"".join(panel.ram)
        for _ in range(frame["messages"]):
            panel.write(next(messages).data)
        if number > 0:  # the first one is all of the RAM
            sent += frame["bytes"]
            limit += 1.5 * sum(a != b for a, b in zip(before, b"".join(panel.ram), strict=True)) + 20
    assert sent <= limit


def assert_the_same(run: Recording, replay: list[Message]) -> None:
    played, shown = run.glass_over_time(replay), run.glass_over_time(run.trace())
    assert len(shown) > 10
    assert [seconds for seconds in played.keys() | shown.keys() if played.get(seconds) != shown.get(seconds)] == []


@every_build
def test_the_device_alone_shows_what_the_whole_program_does(build, tour: Tour, tmp_path):
    run = tour(build)
    replay = replayed(run, settings(tmp_path), tmp_path)
    assert_the_same(run, replay)


@pytest.mark.parametrize("build", ["regular"], indirect=True)
async def test_the_device_alone_shows_the_same_on_a_panel_that_stands_upright(build, tmp_path):
    await ride(build, tmp_path, OWN_RIDE, "rotation=90")
    run = ridden(tmp_path)
    keys = [*settings(tmp_path), "rotation=90"]
    assert_the_same(run, replayed(run, keys, tmp_path / "replay"))


@pytest.mark.parametrize("build", ["regular"], indirect=True)
async def test_the_device_alone_shows_the_same_on_a_long_recorded_ride(build, tmp_path):
    path = RECORDED_RIDES / "potsdam-long.csv"
    if not path.exists():
        pytest.skip("the ride potsdam-long.csv is not among the recordings")
    await ride(build, tmp_path, path, speed=20)
    run = ridden(tmp_path)
    assert told(run.events) == told_apart(path)
    replay = replayed(run, settings(tmp_path), tmp_path / "replay")
    assert_the_same(run, replay)

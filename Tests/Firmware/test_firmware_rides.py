"""Whole rides with the real program: what it tells, what it shows, and what goes over the bus, in every build."""

import itertools
import re

import pytest

from builds import AARCH64, every_build
from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs.processes import running_phone
from lenker_bench.wire.chip_kinds import KINDS as CHIPS
from recording import (
    RECORDED_RIDES,
    Message,
    Recording,
    are_the_same_but_for_inversion,
    recording,
    told,
    told_apart,
    wait_for_instructions,
)
from replay import replayed
from ssd1306 import GLASSES, Panel
from touring import Tour, ridden, ride, settings

SHORT_RIDE = OWN_RIDE.with_name("lenker-short.csv")
CYCLING_COMPUTER = 0x0481  # Assigned Numbers, 2.6: cycling 0x12, cycling computer 0x01
# LE Create Connection: 25 bytes, of which interval, window and filter policy come before the type of the peer.
CONNECTING = re.compile(rb"\x0d\x20\x19.{5}.(.{6})", re.DOTALL)


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


def assert_messages_make_the_pictures(ridden: Recording, panel: Panel) -> None:
    """Replays the trace through a panel that shares no code with the firmware."""
    messages = ridden.trace()
    assert {message.address for message in messages} == {0x3C}
    assert [message.seconds for message in messages] == sorted(message.seconds for message in messages)
    for frame in ridden.named("frame"):
        own, messages = messages[: frame["messages"]], messages[frame["messages"] :]
        assert frame["bytes"] == sum(1 + len(message.data) for message in own)
        for message in own:
            panel.write(message.data)
        assert panel.picture() == ridden.picture(frame["number"]).rows, frame
    assert messages == []


@every_build
def test_the_messages_on_the_bus_make_the_pictures_and_are_counted(build, tour: Tour):
    assert_messages_make_the_pictures(tour(build), Panel("ssd1306-128x64"))


@pytest.mark.parametrize(
    ("panel", "updates", "rotation"),
    [
        ("ssd1306-128x64", "whole", 90),
        pytest.param(*("ssd1306-64x48", "pages", 0), marks=pytest.mark.thorough),
        pytest.param(*("ssd1306-72x40", "changes", 270), marks=pytest.mark.thorough),
        pytest.param(*("sh1106-128x64", "pages", 0), marks=pytest.mark.thorough),
        ("sh1107-128x128", "changes", 270),
    ],
)
async def test_central_behaviour_64_each_kind_of_panel_shows_the_ride(
    lenker, a_ride, tmp_path, panel, updates, rotation
):
    keys = [f"panel={panel}", f"updates={updates}", f"rotation={rotation}"]
    async with running_phone("--kind=android", "--ride", a_ride) as phone:
        async with lenker(phone.port, *keys) as firmware:
            await wait_for_instructions(firmware.log, len(told_apart(a_ride)))
            await firmware.stop()
    run = recording(tmp_path, firmware.log)
    assert run.named("error") == []
    picture = run.picture(1)
    assert (picture.width, picture.height) == (GLASSES[panel].width, GLASSES[panel].height)
    assert_messages_make_the_pictures(run, Panel(panel))


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


@pytest.mark.thorough
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


@pytest.mark.parametrize(("kind", "chip"), list(zip(("ios", "android"), CHIPS, strict=True)))
async def test_a_ride_goes_over_the_true_air_with_either_chip_and_the_phone_learns_who_we_are(
    lenker, a_ride, kind, chip
):
    """It asks while our own side is still searching and subscribing."""
    options = (f"--kind={kind}", "--ride", a_ride, "--air=true", f"--chip={chip}")
    async with running_phone(*options) as phone, lenker(phone.port, "name=Fahrrad") as firmware:
        await phone.log.wait_for("name", name="Fahrrad", appearance=CYCLING_COMPUTER)
        await phone.log.wait_for("finished", timeout=120, last_heard=True)
        assert told(firmware.log.events) == told_apart(a_ride)
        assert firmware.log.named("error") == phone.log.named("complaint") == phone.log.named("unheard") == []


@pytest.mark.thorough
async def test_in_a_busy_street_a_ride_is_heard_to_its_end_and_nobody_else_is_connected_to(lenker, tmp_path):
    """Two hundred others advertise."""
    capture = tmp_path / "radio.btsnoop"
    options = ("--ride", SHORT_RIDE, "--speed=10", "--seed=3", "--kind=ios", "--air=true", "--street=200")
    async with running_phone(*options) as phone:
        async with lenker(phone.port, f"btsnoop=file:{capture}") as firmware:
            await wait_for_instructions(firmware.log, len(told_apart(SHORT_RIDE)))
            await phone.log.wait_for("finished")
            await firmware.stop()
        await phone.stop()
    assert told(firmware.log.events) == told_apart(SHORT_RIDE)
    assert [event["state"] for event in firmware.log.named("link")].count("connected") == 1
    assert firmware.log.named("error") == phone.log.named("complaint") == []
    own = {event["address"] for event in phone.log.named("advertising") if event["state"] == "on"}
    asked = {peer[::-1].hex(":").upper() for peer in CONNECTING.findall(capture.read_bytes())}
    assert asked and asked <= own
    (street,) = phone.log.named("street")
    assert street["wanted"] == [] and street["reports"] > 50

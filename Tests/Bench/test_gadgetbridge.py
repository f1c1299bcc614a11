"""Gadgetbridge on the virtual phone: its order of operations, its pieces, and what it makes of a device's lines."""

import asyncio
import contextlib
import json
import random
import subprocess
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from bumbles_devices import Bangle
from gadgetbridge import WATCH, Author
from gadgetbridge_meaning import meaning
from lenker_bench.phone.gadgetbridge import Gadgetbridge, Habits
from lenker_bench.phone.gadgetbridge_lines import units, written_text
from lenker_bench.phone.kinds import ALL_KINDS
from lenker_bench.phone.navigators import Said, comaps, maps, osmand
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.rides import Step
from lenker_bench.programs.events import EventLog
from lenker_bench.programs.processes import ROOT
from lenker_bench.wire.true_air import AIRS, INSTANT, TRUE
from virtual_air import timed_log

pytestmark = pytest.mark.virtual_time

RIDE = [
    Step(0, 5, 110, "Voßstraße"),
    Step(2000, 5, 100, "Voßstraße"),
    Step(3000, 8, 1250, "Uferweg"),
    Step(4000, 3, 0, ""),
]


@dataclass
class Scene:
    phone: Phone
    log: EventLog
    bangle: Bangle
    app: Gadgetbridge


@contextlib.asynccontextmanager
async def scene(
    kind: str = "android", habits: Habits | None = None, air: str = INSTANT, **table: bool
) -> AsyncIterator[Scene]:
    """A phone with Gadgetbridge and a device, which have a link if the phone does not make it itself."""
    air, app, (log, report) = AIRS[air](1), Gadgetbridge(habits), timed_log()
    phone = Phone(
        air,
        ALL_KINDS[kind],
        [],
        1.0,
        random.Random(1),
        report,
        PairingHabits(JUST_WORKS),
        gadgetbridge=app,
        has_komoot=ALL_KINDS[kind].comes is None,
    )
    bangle = Bangle(air, **table)
    await bangle.device.power_on()
    await phone.start()
    if ALL_KINDS[kind].comes:
        await bangle.advertise()
    else:
        await log.first("advertising", state="on")
        await bangle.connect(phone.device.random_address)
    try:
        yield Scene(phone, log, bangle, app)
    finally:
        await phone.stop()


def states(log: EventLog) -> list[str]:
    return [event["state"] for event in log.named("gadgetbridge")]


@pytest.mark.parametrize("air", [INSTANT, TRUE])
@pytest.mark.parametrize("kind", ["android", "gadgetbridge"])
async def test_it_does_everything_in_its_order_on_a_link_of_either_side(kind, air):
    async with scene(kind, air=air) as found:
        await found.app.until_ready()
        assert states(found.log) == ["subscribed", "mtu", "ready"]
        clock, position = found.bangle.lines
        began = found.log.named("gadgetbridge")[1]["t"]
        assert clock.startswith(
            f"setTime({1775982600 + int(began)});E.setTimeZone(2.0);(s=>{{s&&(s.timezone=2.0)&&require("
        )
        assert position == 'GB({"t":"is_gps_active"})'
        assert [len(value) for value in found.bangle.writes] == [20] * 7 + [len(clock) + 2 - 140, 20, 7]
        assert max(map(len, found.bangle.writes)) == 20
        role = {"android": "peripheral", "gadgetbridge": "central"}[kind]
        assert found.log.named("connected")[0]["role"] == role
        assert found.log.named("complaint") == []


@pytest.mark.parametrize("kind", ["android", "gadgetbridge"])
async def test_a_refused_subscription_makes_the_phone_pair_and_ask_again(kind):
    async with scene(kind, is_open=False) as found:
        await found.app.until_ready()
        if kind == "android":
            # A phone that made the link has paired before.
            assert states(found.log) == ["subscribed", "mtu", "refused", "ready"]
        assert found.phone.device.connections and all(
            connection.is_encrypted for connection in found.phone.device.connections.values()
        )


async def test_a_piece_grows_to_the_longest_notification_and_stays_so_on_the_next_link():
    async with scene("gadgetbridge") as found:
        await found.app.until_ready()
        await found.bangle.say('{"t":"ver","fw":"a name of more than forty letters, so that it is long"}', part=64)
        await found.log.first("answer")
        found.bangle.writes.clear()
        assert await found.app.say("nav", instr="Hauptstraße, and much more that is behind it", distance="950m")
        assert len(found.bangle.writes[0]) == 64
        found.phone.drop()
        await found.log.wait_for("gadgetbridge", state="disconnected")
        found.bangle.writes.clear()
        await found.bangle.advertise()
        await found.log.wait_for("gadgetbridge", state="ready")
        assert len(found.bangle.writes[0]) == 64


async def test_a_byte_stops_what_it_writes_and_another_one_lets_it_go_on():
    async with scene() as found:
        await found.app.until_ready()
        await found.bangle.device.notify_subscribers(found.bangle.tx, b"\x13")
        await asyncio.sleep(1)
        written = found.app.say("nav")
        await asyncio.sleep(20)
        assert not written.done()
        await found.bangle.device.notify_subscribers(found.bangle.tx, b"\x11")
        assert await written


async def test_it_comes_again_after_a_loss_and_does_all_but_the_discovery():
    async with scene("gadgetbridge") as found:
        await found.app.until_ready()
        found.phone.drop()
        await found.log.wait_for("gadgetbridge", state="disconnected")
        lost = found.log.events[-1]["t"]
        # Nobody advertises for a while, longer than Android tries at once.
        await asyncio.sleep(31)
        await found.bangle.advertise()
        ready = await found.log.wait_for("gadgetbridge", state="ready")
        assert 31 < ready["t"] - lost < 35
        assert [line[:7] for line in found.bangle.lines] == ["setTime", 'GB({"t"'] * 2


async def test_a_call_is_taken_or_refused_by_what_the_device_says():
    async with scene() as found:
        await found.app.until_ready()
        for answer, after in (("ACCEPT", "start"), ("reject", "end")):
            found.app.ring("Anna Erfunden")
            await found.bangle.line(lambda line: "incoming" in line)
            await found.bangle.say(f'{{"t":"call","n":"{answer}"}}')
            assert await found.bangle.line(lambda line, after=after: f'"cmd":"{after}"' in line)


async def test_a_ride_is_written_turn_by_turn_and_nothing_at_the_end():
    async with scene() as found:
        assert await found.phone.ride_by(osmand(RIDE, 1))
        told = [line for line in found.bangle.lines if '"nav"' in line]
        assert told[0] == 'GB({"t":"nav","instr":"","distance":"110m","action":"left"})'
        spoken = "after 300 meters, turn left onto  Vo\\xdfstra\\xdfe"
        assert told[1] == f'GB({{"t":"nav","instr":"{spoken}","distance":"105m","action":"left"}})'
        assert len(told) == 5 and all(turn["written"] for turn in found.log.named("turn"))
        assert found.log.named("finished")[0]["last_heard"]


def test_osmand_speaks_late_and_knows_no_finish():
    said = osmand(RIDE, 1)
    assert [turn.seconds for turn in said] == [0, 1, 2, 3, 4]
    assert [turn.distance for turn in said] == ["110m", "105m", "100m", "1250m", "0m"]
    assert [turn.action for turn in said] == ["left", "left", "left", "right", "continue"]
    spoken = ["", *["after 300 meters, turn left onto  Voßstraße"] * 3, "Continue for 300 meters to  Uferweg"]
    assert [turn.instr for turn in said] == spoken
    german = osmand(RIDE, 1, "de")
    assert [german[1].instr, german[4].instr] == [
        "Demnächst  nach 300 Metern links abbiegen auf die  Voßstraße",
        "Dem Strassenverlauf 300 Meter folgen bis zur  Uferweg",
    ]


def test_google_maps_says_what_has_changed_in_local_words_and_that_it_is_over():
    said = maps([RIDE[0], RIDE[0], *RIDE[2:], Step(5000, 6, 40, "Uferweg")], 1)
    assert [turn.distance for turn in said] == ["110\u00a0m", "1.2\u00a0km", "0\u00a0m", "40\u00a0m", None]
    assert [turn.action for turn in said] == ["left", "right", "finish", None, None]
    assert said[-1] == Said(6.0)


def test_comaps_is_silent_near_the_end_and_says_seconds():
    said = comaps(RIDE, 2)
    assert [(turn.instr, turn.distance, turn.eta) for turn in said] == [
        ("Voßstraße", "110 m", "4"),
        ("Voßstraße", "100 m", "2"),
        ("Uferweg", "1.2 km", "1"),
        (None, None, None),
    ]


RIDES = ROOT / ".build" / "debug" / "Rides"  # made by `swift build`, and with the units
LINES = 100_000


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("Mühlenweg", '"Mühlenweg"'),
        ("Straße äußere Größe", 'atob("U3RyYd9lIOR132VyZSBHcvbfZQ==")'),
        ("äöüß", 'atob("5Pb83w==")'),
        ("Łódź", '"\\u0141\\xf3d\\u017a"'),
        ("🚲", '"\\ud83d\\udeb2"'),
        ("a\x10b\x001\x00c\v", 'atob("YRBiADEAYws=")'),
        ('"\\', '"\\"\\\\"'),
    ],
)
def test_a_text_is_written_as_gadgetbridge_does(text, literal):
    assert written_text(units(text)) == literal


# Beside other programs, on a slow machine.
@pytest.mark.timeout(600)
def test_the_firmware_understands_100_000_lines_as_javascript_does():
    quickjs = pytest.importorskip("quickjs", reason="no JavaScript engine; install quickjs from Tests/requirements.txt")
    context = quickjs.Context()
    context.eval(WATCH)
    evaluated = context.get("evaluated")
    author = Author(34)
    lines = [author.line() for _ in range(LINES)]
    written = "".join(line + "\n" for line in lines).encode("latin-1")
    run = subprocess.run([RIDES, "gadgetbridge"], input=written, capture_output=True, check=True)
    answers = run.stdout.decode().splitlines()
    assert len(answers) == len(lines)
    kinds = Counter()
    for line, answer in zip(lines, answers, strict=True):
        expected = meaning(line, evaluated(line.removeprefix("\x10")))
        assert expected == json.loads(answer), line
        kinds[expected["kind"]] += 1
    assert len(kinds) == 11 and min(kinds.values()) > 30, kinds

"""A ride on the emulated Pi Zero W, by the bytes on its bus."""

import asyncio
from pathlib import Path

import pytest

from bonding import LONG
from builds import command_of
from bus import replay
from card import Card
from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs import rider as riders
from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import running_firmware
from lenker_trials.sessions.losses import SENSORS
from load import load_dependent
from pi import BUTTONS, Pi, load, running_pi, set_board, start_time
from pi_phones import Rider
from recording import (
    RECORDED_RIDES,
    Instruction,
    Recording,
    Rows,
    is_the_same_but_for_inversion,
    told,
    told_apart,
)

RECORDED_RIDE = RECORDED_RIDES / "potsdam-long.csv"
UNPAIRED = {"pairing": "off"}
RIDING_TIME = 12  # seconds
PROCESSOR_LIMIT = 0.005
RESIDENT_LIMIT = 6 << 18  # bytes: 267 pages are used beside three sensors
ATTEMPTS = 3
STUCK_TIME = 20  # seconds


@pytest.fixture
def ride() -> Path:
    """The recorded one where there is one."""
    return RECORDED_RIDE if RECORDED_RIDE.exists() else OWN_RIDE


async def ride_pi(card: Card, folder: Path, ride: Path) -> Recording:
    async with Rider(ride) as phone, running_pi(card, folder, radio=phone.port) as pi:
        await phone.lead(pi.log)
        await pi.is_up()
        # Ended, it would be started again, and show itself on the bus once more.
        await pi.run("kill -STOP $(pidof lenker)")
        events = list(pi.log.events)
    replay(folder, [event for event in events if event["event"] == "frame"])
    return Recording(folder, events)


async def ride_bench(folder: Path, ride: Path) -> Recording:
    outputs = Outputs(folder)
    async with Rider(ride) as phone:
        keys = [f"{name}={value}" for name, value in outputs.keys(phone.port).items() if name != "buttons"]
        async with running_firmware(command_of("regular"), keys, events=outputs.events) as firmware:
            await phone.lead(firmware.log)
            await firmware.stop()
    return Recording(folder, firmware.log.events)


def shown(recording: Recording) -> list[tuple[Instruction, Rows | None]]:
    """Each instruction with the picture that was drawn of it, if it was drawn; what comes later is a matter of time."""
    found: list[tuple[Instruction, Rows | None]] = []
    for event in recording.events:
        if event["event"] == "instruction":
            found.append(((event["direction"], event["distance"], event["street"]), None))
        elif event["event"] == "frame" and found and found[-1][1] is None:
            found[-1] = found[-1][0], recording.picture(event["number"]).rows
    return found


async def test_a_ride_looks_on_its_bus_as_it_does_on_the_bench(card, tmp_path, ride):
    """Picture for picture but for inversion: how fast a turn comes nearer is a matter of time, and so is the alert."""
    (tmp_path / "bench").mkdir()
    set_board(card, UNPAIRED)
    on_pi, on_bench = await asyncio.gather(ride_pi(card, tmp_path, ride), ride_bench(tmp_path / "bench", ride))
    assert told(on_pi.events) == told(on_bench.events) == told_apart(ride)
    ours, theirs = shown(on_pi), shown(on_bench)
    for (instruction, picture), (_, other) in zip(ours, theirs, strict=True):
        assert picture == other or (picture and other and is_the_same_but_for_inversion(picture, other)), instruction
    pictures = {picture for _, picture in ours if picture is not None}
    print(f"{len(ours)} instructions, {len(pictures)} different pictures")
    assert len(pictures) > len(ours) / 2


async def test_riding_with_three_sensors_costs_little(card, tmp_path):
    set_board(card, {**UNPAIRED, "buttons": f"fifo:{BUTTONS}"})
    async with (
        Rider(OWN_RIDE, speed=1, sensors=SENSORS.values()) as phone,
        running_pi(card, tmp_path, radio=phone.port) as pi,
    ):
        await pi.log.wait_for("instruction", LONG)
        await pi.is_up()
        await riders.Rider(pi.log, pi.press_soon).add_each(set(SENSORS))
        _, busy, start = await load(pi)
        await pi.run(f"sleep {RIDING_TIME}")
        resident, busy_at_end, end = await load(pi)
    share = (busy_at_end - busy) / (end - start)
    print(f"riding with three sensors: {share:.3%} of the processor; {resident} bytes are resident")
    assert len(told(pi.log.events)) > 1
    assert share < PROCESSOR_LIMIT and resident < RESIDENT_LIMIT


async def is_stuck(pi: Pi) -> bool:
    """Whether nothing runs there any more."""
    try:
        async with asyncio.timeout(STUCK_TIME):
            await pi.run("true")
    except TimeoutError:
        return True
    return False


@pytest.mark.figure
async def test_how_soon_it_searches_is_told(card, tmp_path, ride):
    """By the clock, and so no time to be tested."""
    set_board(card, UNPAIRED)
    async with Rider(ride, speed=1) as phone:
        for _ in range(ATTEMPTS):
            async with running_pi(card, tmp_path, radio=phone.port, by_clock=True) as pi:
                try:
                    async with asyncio.timeout(STUCK_TIME):
                        await pi.is_up()
                        scan = await pi.log.first("scan")
                        print(f"scanning {await start_time(pi) + scan['t']:.1f} s of the clock after /init")
                        return
                except TimeoutError:
                    assert await is_stuck(pi), "it never came to search"
                    load_dependent("the emulated Pi has lost its timer: one more start")
    pytest.fail("the emulator has lost its timer each time")

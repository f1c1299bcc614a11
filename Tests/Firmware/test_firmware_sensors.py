"""A rider who adds sensors beside the ride, loses and regains them and forgets them, by gestures alone."""

import asyncio
import contextlib
import os
import shlex
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest

from builds import regular_and_armv6
from bumbles_strap import BumblesStrap
from lenker_bench.phone.kinds import IOS
from lenker_bench.programs.events import Follower
from lenker_bench.programs.processes import PACKAGES
from lenker_bench.programs.rider import Rider
from lenker_bench.sensors.sensor import Sensor
from lenker_bench.trials.fault_cases import quiet_loop
from lenker_bench.trials.scenarios import Bench
from lenker_bench.trials.steps import Recorder

SEED = 1
FRIENDS = "heart:value=142,rssi=-45,name=Strap of a friend"
SPEED = 24.3  # km/h
MILLIMETRES_A_SECOND = 6750


class Ride:
    """A bench with sensors near, on which the phone rides all the time."""

    def __init__(self, *sensors: str) -> None:
        self.bench = Bench(IOS, SEED, Recorder(), sensors=sensors)
        self.own = BumblesStrap(self.bench.air, beats=72, rssi=-60)
        self.bench.sensors.append(self.own)
        self.folder = Path()

    @contextlib.asynccontextmanager
    async def running(self, command: list[str], folder: Path) -> AsyncIterator[None]:
        self.folder = folder
        keys = ["pairing=preferred", f"store={folder / 'bond'}"]
        with quiet_loop():
            async with self.bench.running(command, folder, keys=keys):
                self.firmware = self.bench.firmware
                self.events = Follower(self.firmware.log)
                self.rider = Rider(self.firmware.log, self.firmware.press)
                await self.next("pairing", state="ask")
                self.firmware.press("p")
                await self.next("instruction")
                yield
                self.judge()

    async def next(self, name: str, **fields: object) -> dict:
        return await self.events.next(lambda event: event["event"] == name and fields.items() <= event.items())

    async def sensor(self, sensor: Sensor, state: str) -> dict:
        return await self.next("sensor", address=sensor.address.to_string(False), state=state)

    async def shown_after(self, gestures: str) -> bytes:
        """The glass after these presses."""
        self.firmware.press(gestures)
        for _ in gestures:
            await self.next("button")
        return await self.shown()

    async def shown(self) -> bytes:
        """The next picture."""
        await self.next("frame")
        return (self.folder / "latest.pbm").read_bytes()

    def judge(self) -> None:
        """The phone's ride never stopped, and nothing failed."""
        log = self.firmware.log
        assert self.firmware.status is None and self.bench.errors == [] and log.malformed == []
        assert [event for event in log.named("link") if event["state"] == "disconnected"] == []
        times = [event["t"] for event in log.named("instruction")]
        assert max(after - before for before, after in pairwise(times)) <= 2.0

    def is_linked(self, sensor: Sensor) -> bool:
        return sensor.chip.le_connections != {}


async def vehicles_of(ride: Ride) -> list[dict]:
    """The vehicles behind, once there are any."""
    return (await ride.events.next(lambda event: event["event"] == "radar" and event["vehicles"]))["vehicles"]


@regular_and_armv6
@pytest.mark.timeout(120)
async def test_a_rider_adds_sensors_sees_them_loses_and_regains_them_and_forgets_them(lenker_command, tmp_path):
    ride = Ride(FRIENDS, f"speed:value={SPEED}", "radar:value=2")
    friends, speed, radar, own = ride.bench.sensors
    async with ride.running(lenker_command, tmp_path):
        # Adding: a friend's strap is nearer, and is passed over.
        kept = await ride.rider.add(lambda offered: offered["address"] == own.address.to_string(False))
        assert (kept["kind"], kept["name"]) == ("heart", "Bumble's")
        await ride.rider.add_each({"speed", "radar"})
        assert not ride.is_linked(friends)

        # Seeing: what the sensors sent, and nothing else.
        sent: list[bytes] = []
        radar.on_value = sent.append
        ride.events = Follower(ride.firmware.log)
        figures = await ride.events.next(lambda event: event["event"] == "measure" and {"heart", "speed"} <= set(event))
        assert figures["heart"] == 72 and figures["speed"] == pytest.approx(MILLIMETRES_A_SECOND, rel=0.01)
        vehicles = {(vehicle["track"], vehicle["distance"]) for vehicle in await vehicles_of(ride)}
        assert vehicles <= {(value[i] & 0x7F, value[i + 1]) for value in sent for i in range(1, len(value), 3)}
        turn = await ride.shown_after("p")
        data = await ride.shown_after("pp")
        own.beats = 181
        await ride.next("measure", heart=181)
        assert len({turn, data, await ride.shown()}) == 3

        # Losing and regaining each.
        for sensor in (own, speed, radar):
            sensor.vanish()
            await ride.sensor(sensor, "disconnected")
            await sensor.come_back()
            await ride.sensor(sensor, "ready")
        await ride.next("measure", heart=181)
        assert not ride.is_linked(friends)

        # Forgetting.
        ride.firmware.press("pU")
        for sensor in (own, speed, radar):
            await ride.firmware.log.first("sensor", address=sensor.address.to_string(False), state="forgotten")
        for _ in (own, speed, radar):
            await ride.next("sensor", state="disconnected")
        assert not any(map(ride.is_linked, ride.bench.sensors))
        await ride.next("instruction")


async def test_the_benchs_ride_adds_its_sensors_and_tells_what_they_measured(lenker_command, a_ride, tmp_path):
    values = tmp_path / "values.txt"
    values.write_text("164D1603\n164E1B031203\n0048\n")
    sensors = [f"--sensor=heart:file={values}", f"--sensor=speed:value={SPEED}"]
    options = [f"--ride={a_ride}", "--speed=0.001", "--air=instant", "--seconds=9", f"--out={tmp_path / 'ride'}"]
    command = [sys.executable, "-m", "lenker_bench.commands.run", "--firmware", shlex.join(lenker_command)]
    process = await asyncio.create_subprocess_exec(
        *command, *options, *sensors, env={**os.environ, "PYTHONPATH": str(PACKAGES)}, stdin=DEVNULL, stdout=PIPE
    )
    said, _ = await process.communicate()
    assert process.returncode == 0
    assert "sensors: heart H10 4F2A, speed Speed 7731; they measured" in said.decode()
    assert "72 bpm" in said.decode()

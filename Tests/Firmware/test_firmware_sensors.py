"""A rider who adds sensors beside the ride, loses and regains them and forgets them, by gestures alone."""

import asyncio
import contextlib
import os
import re
import shlex
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE

import pytest

from builds import regular_and_later_armv6
from bumbles_strap import BumblesStrap
from lenker_bench.programs.events import EventFile, EventLog, Follower
from lenker_bench.programs.outputs import prepare
from lenker_bench.programs.processes import PACKAGES
from lenker_bench.sensors.sensor import OPEN_LINK_TIME, Sensor
from sensor_bench import NOTICE, SensorBench
from sensor_captures import untold

FRIENDS = "heart:value=142,rssi=-45,name=Strap of a friend"
SPEED = 24.3  # km/h
MILLIMETRES_A_SECOND = 6750
STAYS = OPEN_LINK_TIME + 1.0  # seconds


def is_linked(sensor: Sensor) -> bool:
    return sensor.chip.le_connections != {}


async def vehicles_of(ride: SensorBench) -> list[dict]:
    """The vehicles behind, once there are any."""
    return (await ride.events.next(lambda event: event["event"] == "radar" and event["vehicles"]))["vehicles"]


@regular_and_later_armv6
async def test_a_rider_adds_sensors_sees_them_loses_and_regains_them_and_forgets_them(lenker_command, tmp_path):
    ride = SensorBench(FRIENDS, f"speed:value={SPEED}", "radar:value=2")
    friends, speed, radar = ride.bench.sensors
    own = BumblesStrap(ride.bench.air, beats=72, rssi=-60)
    ride.bench.sensors.append(own)
    # From the beginning on, as a vehicle that is told may have been seen a moment ago.
    sent: list[bytes] = []
    radar.on_value = sent.append
    capture = tmp_path / "radio.btsnoop"
    async with ride.running(lenker_command, tmp_path, f"btsnoop=file:{capture}"):
        # Adding: a friend's strap is nearer, and is passed over.
        kept = await ride.rider.add(lambda offered: offered["address"] == own.address.to_string(False))
        assert (kept["kind"], kept["name"]) == ("heart", "Bumble's")
        await ride.rider.add_each({"speed", "radar"})
        assert not is_linked(friends)

        # Seeing: what the sensors sent, and nothing else.
        ride.events = Follower(ride.firmware.log)
        figures = await ride.events.next(lambda event: event["event"] == "measure" and {"heart", "speed"} <= set(event))
        assert figures["heart"] == 72 and figures["speed"] == pytest.approx(MILLIMETRES_A_SECOND, rel=0.01)
        vehicles = {(vehicle["track"], vehicle["distance"]) for vehicle in await vehicles_of(ride)}
        assert vehicles <= {(value[i] & 0x7F, value[i + 1]) for value in sent for i in range(1, len(value), 3)}
        kept_at = max(event["t"] for event in ride.firmware.log.named("sensor") if event["state"] == "remembered")
        await ride.events.next(lambda event: event["t"] > kept_at + NOTICE)
        turn = await ride.shown_after("a")
        data = await ride.shown_after("aa")
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
        assert not is_linked(friends)

        # Forgetting.
        ride.firmware.press("aB")
        for sensor in (own, speed, radar):
            await ride.firmware.log.first("sensor", address=sensor.address.to_string(False), state="forgotten")
        for _ in (own, speed, radar):
            await ride.next("sensor", state="disconnected")
        assert not any(map(is_linked, ride.bench.sensors))
        await ride.next("instruction")
    assert untold(capture, ride.firmware.log.events) == []


@regular_and_later_armv6
async def test_a_rider_goes_round_among_two_straps_and_keeps_the_first(lenker_command, tmp_path):
    ride = SensorBench(FRIENDS)
    (friends,) = ride.bench.sensors
    own = BumblesStrap(ride.bench.air, beats=72, rssi=-60)
    ride.bench.sensors.append(own)
    offers: list[str] = []

    def is_third(offered: dict) -> bool:
        offers.append(offered["address"])
        if len(offers) == len(ride.bench.sensors):
            # Behind the last one others are listened for, and the press that follows goes back to the first.
            ride.firmware.press("b")
        return len(offers) > len(ride.bench.sensors)

    async with ride.running(lenker_command, tmp_path):
        kept = await ride.rider.add(is_third)
        first, second = (sensor.address.to_string(False) for sensor in (friends, own))
        assert offers == [first, second, first] and kept["address"] == first
        await ride.next("measure", heart=142)
        assert is_linked(friends) and not is_linked(own)


@regular_and_later_armv6
async def test_a_wheel_and_a_crank_are_both_kept_and_a_strap_that_wants_an_encrypted_link_stays(
    lenker_command, tmp_path
):
    habits = {"speed": f"value={SPEED},habit=ticking", "cadence": "value=80,habit=claims-wheel"}
    ride = SensorBench(*(f"{kind}:{habit}" for kind, habit in habits.items()), "heart:value=142,habit=secure")
    wheel, crank, strap = ride.bench.sensors
    async with ride.running(lenker_command, tmp_path):
        await ride.rider.add_each({"speed", "cadence", "heart"})
        assert ride.rider.kept == {
            kind: sensor.address.to_string(False)
            for kind, sensor in (("speed", wheel), ("cadence", crank), ("heart", strap))
        }
        ride.events = Follower(ride.firmware.log)
        # A crank that had to wait for the machine is slow at first.
        await ride.events.next(
            lambda event: (
                event["event"] == "measure"
                and event.get("heart") == 142
                and event.get("speed", 0) > 0
                and 78 <= event.get("cadence", 0) <= 82
            )
        )

        # The key is kept: the next link is encrypted with it, and the strap has no reason to leave.
        keys = await strap.device.keystore.get_all()
        strap.vanish()
        await ride.sensor(strap, "disconnected")
        await strap.come_back()
        ready = await ride.sensor(strap, "ready")
        await ride.events.next(lambda event: event["event"] == "measure" and event["t"] > ready["t"] + STAYS)
        (connection,) = strap.device.connections.values()
        assert connection.is_encrypted
        assert [str(pair) for pair in await strap.device.keystore.get_all()] == [str(pair) for pair in keys]


async def test_the_benchs_ride_adds_its_sensors_and_tells_what_they_measured(lenker_command, a_ride, tmp_path):
    values = tmp_path / "values.txt"
    values.write_text("164D1603\n164E1B031203\n0048\n")
    sensors = [f"--sensor=heart:file={values}", f"--sensor=speed:value={SPEED}"]
    outputs = prepare(tmp_path / "ride", tmp_path)
    options = [f"--ride={a_ride}", "--speed=0.001", "--air=instant", f"--out={outputs.folder}"]
    command = [sys.executable, "-m", "lenker_bench.commands.run", "--firmware", shlex.join(lenker_command)]
    process = await asyncio.create_subprocess_exec(
        *command, *options, *sensors, env={**os.environ, "PYTHONPATH": str(PACKAGES)}, stdin=DEVNULL, stdout=PIPE
    )
    log = EventLog()
    with contextlib.closing(EventFile(log, outputs.events)):
        for kind in ("heart", "speed"):
            await log.first("sensor", kind=kind, state="remembered")
        await Follower(log).next(lambda event: event["event"] == "measure" and {"heart", "speed"} <= set(event))
    process.send_signal(signal.SIGINT)
    said, _ = await process.communicate()
    assert process.returncode == 128 + signal.SIGINT
    assert "sensors: heart H10 4F2A, speed Speed 7731; they measured" in said.decode()
    # Which of the file's values is the last one depends on when the strap was linked.
    assert re.search(r"\b(77|78|72) bpm", said.decode())

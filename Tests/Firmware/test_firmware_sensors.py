"""A rider who adds sensors beside the ride, loses and regains them and forgets them, by gestures alone."""

import pytest

from builds import regular_and_later_armv6
from bumbles_devices import BumblesStrap
from lenker_bench.programs.events import Follower
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


async def test_a_strap_that_wants_an_encrypted_link_is_kept_with_its_key(lenker_command, tmp_path):
    ride = SensorBench("heart:value=142,habit=secure")
    (strap,) = ride.bench.sensors
    async with ride.running(lenker_command, tmp_path):
        await ride.rider.add_each({"heart"})
        # The next link is encrypted with it, and the strap has no reason to leave.
        keys = await strap.device.keystore.get_all()
        strap.vanish()
        await ride.sensor(strap, "disconnected")
        await strap.come_back()
        ready = await ride.sensor(strap, "ready")
        await ride.events.next(lambda event: event["event"] == "instruction" and event["t"] > ready["t"] + STAYS)
        (connection,) = strap.device.connections.values()
        assert connection.is_encrypted
        assert [str(pair) for pair in await strap.device.keystore.get_all()] == [str(pair) for pair in keys]

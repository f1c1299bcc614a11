"""Four links at a time on RootCanal: the phone's, and those of three sensors beside it."""

import contextlib

import pytest

from bonding import LONG, paired, states
from lenker_bench.programs.events import Follower
from lenker_bench.programs.rider import Rider
from lenker_bench.sensors.sensor import Sensor, sensors_of
from second_controller import phone_on_rootcanal

SPEED = 24.3  # km/h
MILLIMETRES_A_SECOND = 6750


def is_now(event: dict, sensor: Sensor, state: str) -> bool:
    return (event["event"], event.get("address")) == ("sensor", sensor.address.to_string(False)) and (
        event["state"] == state
    )


async def test_three_sensors_are_added_measure_and_come_back_while_the_phone_stays(lenker):
    async with phone_on_rootcanal("ios") as phone, contextlib.AsyncExitStack() as stack:
        texts = ["cadence:value=80", f"speed:value={SPEED}", "radar:value=2"]
        sensors = sensors_of(phone.air, texts, [], 1, lambda event, **fields: None)
        for sensor in sensors:
            await sensor.start()
            stack.push_async_callback(sensor.stop)
        firmware = await stack.enter_async_context(paired(lenker, phone))
        await Rider(firmware.log, firmware.press).add_each({"cadence", "speed", "radar"})
        for sensor in sensors:
            events = Follower(firmware.log)
            sensor.vanish()
            await events.next(lambda event, sensor=sensor: is_now(event, sensor, "disconnected"), LONG)
            await sensor.come_back()
            await events.next(lambda event, sensor=sensor: is_now(event, sensor, "ready"), LONG)
        events = Follower(firmware.log)
        figures = await events.next(lambda event: event["event"] == "measure" and {"cadence", "speed"} <= set(event))
        assert 0 < figures["cadence"] < 255
        assert figures["speed"] == pytest.approx(MILLIMETRES_A_SECOND, rel=0.01)
        await events.next(lambda event: event["event"] == "radar" and len(event["vehicles"]) > 0)
        assert "disconnected" not in states(firmware.log, "link") and firmware.log.named("error") == []

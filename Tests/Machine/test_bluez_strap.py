"""A sensor that shares no code with the bench: BlueZ's example of a heart rate service, on the kernel's Bluetooth."""

from pathlib import Path

import pytest

from bluez_strap import BluezStrap, bluez_strap
from builds import command_of
from lenker_bench.programs.events import Follower
from sensor_bench import NOTICE, SensorBench

SUPERVISION_TIMEOUT, ENDED_BY_PEER = 0x08, 0x13
"""Core Specification, Vol 1, Part F, 2.8 and 2.19."""


def is_part_in_order(part: list[int], whole: list[int]) -> bool:
    """Whether all of the part are in the whole, in this order."""
    rest = iter(whole)
    return all(value in rest for value in part)


async def see_rates(ride: SensorBench) -> None:
    """Waits until three heart rates were told."""
    for _ in range(3):
        await ride.events.next(lambda event: "heart" in event)


async def lose_and_regain(ride: SensorBench, strap: BluezStrap, reason: int) -> None:
    lost = await ride.sensor(strap, "disconnected")
    assert lost["reason"] == reason
    await ride.sensor(strap, "ready")
    await see_rates(ride)


@pytest.mark.thorough
@pytest.mark.usefixtures("archive")
async def test_bluezs_heart_rate_service_is_added_seen_lost_and_regained_beside_the_ride(tmp_path):
    command = command_of("regular")
    ride = SensorBench()
    async with bluez_strap(Path(command[0]), tmp_path, ride.bench.air) as strap, ride.running(command, tmp_path):
        kept = await ride.rider.add(lambda offered: offered["address"] == strap.address.to_string(False))
        assert kept["kind"] == "heart" and kept["name"].startswith("BlueZ ")
        battery = await ride.firmware.log.first("sensor", state="battery")
        assert battery["percent"] == 100

        ride.events = Follower(ride.firmware.log)
        await ride.events.next(lambda event: event["t"] > kept["t"] + NOTICE)
        # Of the page of the data: nothing else changes there.
        pictures = {await ride.shown_after("aaa")}
        while len(pictures) < 3:
            pictures.add(await ride.shown())
        await see_rates(ride)

        strap.drop()
        await lose_and_regain(ride, strap, SUPERVISION_TIMEOUT)
        await strap.hang_up()
        await lose_and_regain(ride, strap, ENDED_BY_PEER)
    told = [event["heart"] for event in ride.firmware.log.named("measure") if "heart" in event]
    assert told and is_part_in_order(told, strap.rates)

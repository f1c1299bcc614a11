"""The bench's sensors, as a Bumble central hears them: in virtual time, decoded by Bumble or by hand."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from bumble import l2cap
from bumble.device import Connection, Device, DeviceConfiguration, Peer
from bumble.host import Host
from bumble.profiles.heart_rate_service import HeartRateService, HeartRateServiceProxy
from bumble.transport.common import AsyncPipeSink

from hostile_phone import FIRMWARE_ADDRESS
from lenker_bench.phone.rides import OWN_RIDE, read_ride
from lenker_bench.sensors import values
from lenker_bench.sensors.road import EvenRoad
from lenker_bench.sensors.sensor import KINDS, REFUSED, Sensor, sensors_of
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.true_air import TrueAir
from virtual_air import on_the_air

pytestmark = pytest.mark.virtual_time


@dataclass
class Listener:
    """A central that is connected to a sensor, and what it was notified of."""

    sensor: Sensor
    told: list[dict]
    connection: Connection
    device: Device
    values: list[tuple[float, bytes]] = field(default_factory=list)

    async def subscribe(self) -> None:
        (service,) = await Peer(self.connection).discover_service(self.sensor.kind.service)
        (measurement,) = await service.discover_characteristics([self.sensor.kind.measurement])
        await measurement.discover_descriptors()
        loop = asyncio.get_running_loop()
        await measurement.subscribe(lambda value: self.values.append((loop.time(), bytes(value))))

    def states(self) -> list[str]:
        return [event["state"] for event in self.told]


@contextlib.asynccontextmanager
async def connected(text: str) -> AsyncIterator[Listener]:
    air, told = Air(), []
    (sensor,) = sensors_of(air, [text], read_ride(OWN_RIDE), 1, lambda event, **rest: told.append(rest))
    chip = Chip("firmware", air, FIRMWARE_ADDRESS, random.Random(2))
    device = Device(config=DeviceConfiguration(name="Handlebar"), host=Host(chip, AsyncPipeSink(chip)))
    await sensor.start()
    await device.power_on()
    try:
        yield Listener(sensor, told, await device.connect(sensor.address), device)
    finally:
        await sensor.stop()


@pytest.mark.parametrize("kind", KINDS)
async def test_each_kind_advertises_its_service_and_notifies(kind):
    async with connected(kind) as listener:
        await listener.subscribe()
        await asyncio.sleep(10)
        count = 10 / listener.sensor.kind.period
        assert count - 2 <= len(listener.values) <= count + 1
        assert listener.states()[:2] == ["advertising", "connected"]


async def test_bumbles_own_client_reads_the_heart_rate():
    async with connected("heart:value=72") as listener:
        peer = Peer(listener.connection)
        await peer.discover_services()
        await peer.discover_characteristics()
        client = peer.create_service_proxy(HeartRateServiceProxy)
        heard: list[HeartRateService.HeartRateMeasurement] = []
        await client.heart_rate_measurement.subscribe(heard.append)
        await asyncio.sleep(3)
    assert {(found.heart_rate, found.sensor_contact_detected) for found in heard} == {(72, True)}
    assert list(heard[0].rr_intervals) == [pytest.approx(60 / 72, abs=0.001)]


async def test_a_strap_leaves_a_central_that_refuses_its_parameters():
    async with connected("heart") as listener:
        listener.device.l2cap_channel_manager.on_l2cap_connection_parameter_update_request = refuse(listener.device)
        left = asyncio.Event()
        reasons = []
        listener.connection.on(Connection.EVENT_DISCONNECTION, lambda reason: (reasons.append(reason), left.set()))
        await asyncio.wait_for(left.wait(), 30)
        assert reasons == [REFUSED]
        await asyncio.sleep(1)
        assert listener.states() == ["advertising", "connected", "parameters", "disconnected", "advertising"]


def refuse(device: Device):
    """Answers a request for parameters as a central that grants none."""

    def answer(connection, cid, request):
        response = l2cap.L2CAP_Connection_Parameter_Update_Response(
            identifier=request.identifier, result=l2cap.L2CAP_CONNECTION_PARAMETERS_REJECTED_RESULT
        )
        device.l2cap_channel_manager.send_control_frame(connection, cid, response)

    return answer


async def test_a_phone_and_three_sensors_serve_one_central_on_the_true_air():
    """Each at its own pace, and a central that scans meanwhile hears the one that is not connected."""
    air, loop = TrueAir(random.Random(3)), asyncio.get_running_loop()
    async with on_the_air("ios", air=air) as scene, contextlib.AsyncExitStack() as stack:
        await scene.central.connect()
        await scene.central.subscribe()
        sensors = sensors_of(air, ["heart", "speed", "power", "radar"], read_ride(OWN_RIDE), 1, lambda *_, **__: None)
        listeners = []
        for sensor in sensors:
            await sensor.start()
            stack.push_async_callback(sensor.stop)
        device = scene.central.device
        for sensor in sensors[:3]:
            listeners.append(Listener(sensor, [], await device.connect(sensor.address), device))
            await listeners[-1].subscribe()
        begun = loop.time()
        reports = await scene.central.scan(10)
        for listener in listeners:
            assert 9 <= sum(time > begun for time, _ in listener.values) <= 11
        assert await scene.central.read()
        # The phone goes on advertising, too.
        heard = {report.address for report in reports}
        assert heard & {sensor.address for sensor in sensors} == {sensors[3].address}
        assert len({listener.connection.handle for listener in listeners} | {scene.central.connection.handle}) == 4
        sensors[0].vanish()
        await asyncio.sleep(3)
        assert not scene.central.disconnected.is_set()
        assert listeners[0].values[-1][0] < loop.time() - 2 < listeners[1].values[-1][0]


# What the values say


def test_a_crank_alone_says_nothing_of_a_wheel_or_claims_one_that_stands_still():
    road = EvenRoad(values.WHEEL * values.GEAR)  # a turn of the crank each second
    assert values.cadence(road, 3.5) == bytes.fromhex("02 0300 000c")
    assert values.cadence(road, 3.5, claims_wheel=True) == bytes.fromhex("03 00000000 0000 0300 000c")


def test_central_behaviour_105_a_radar_tells_of_more_than_six_vehicles_in_two_values():
    told = values.radar([(track, 10.0 + track) for track in range(8)], 1)
    assert [len(value) for value in told] == [1 + 18, 1 + 6]
    assert [value[:4] for value in told] == [bytes.fromhex("10800a00"), bytes.fromhex("12861000")]
    assert values.radar([], 8) == [bytes.fromhex("82")]
    assert values.radar([(46, 43.0), (1, 150.0), (2, -3.0)], 8) == [bytes.fromhex("82ae2b00")]

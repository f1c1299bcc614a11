"""The bench's sensors, as a Bumble central hears them: in virtual time, decoded by Bumble or by hand."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from bumble import l2cap
from bumble.core import UUID
from bumble.device import Connection, Device, DeviceConfiguration, Peer
from bumble.host import Host
from bumble.profiles.heart_rate_service import HeartRateService, HeartRateServiceProxy
from bumble.transport.common import AsyncPipeSink

from hostile_phone import FIRMWARE_ADDRESS
from lenker_bench.phone.rides import OWN_RIDE, Step, read_ride
from lenker_bench.sensors import values
from lenker_bench.sensors.road import EvenRoad, Road
from lenker_bench.sensors.sensor import KINDS, REFUSED, Sensor, SensorChoice, SensorError, sensors_of
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


async def test_the_battery_says_what_was_chosen():
    async with connected("speed:battery=12") as listener:
        found = await Peer(listener.connection).read_characteristics_by_uuid(UUID.from_16_bits(0x2A19))
    assert found == [bytes([12])]


def wheel_of(value: bytes) -> tuple[int, int]:
    return int.from_bytes(value[1:5], "little"), int.from_bytes(value[5:7], "little")


async def test_a_sensor_says_what_its_file_has_as_soon_as_it_is_heard(tmp_path):
    (tmp_path / "values").write_text("164D1603\n\n16 4E 1B 03 12 03\n" + "00" * 34 + "\n")
    async with connected(f"heart:file={tmp_path / 'values'}") as listener:
        await asyncio.sleep(5)
        await listener.subscribe()
        await asyncio.sleep(4)
    values = [value for _, value in listener.values]
    assert values[:2] == [bytes.fromhex("164D1603"), bytes.fromhex("164E1B031203")]
    assert set(values[2:]) == {bytes(34)}, "it asks for longer values where it has some"


async def test_the_wheel_turns_as_fast_as_the_ride():
    async with connected("speed:value=18") as listener:
        await listener.subscribe()
        await asyncio.sleep(60)
    (_, first), *_, (_, last) = listener.values
    (count, time), (end, stop) = wheel_of(first), wheel_of(last)
    metres_a_second = (end - count) * values.WHEEL / ((stop - time) % 65536 / 1024)
    assert metres_a_second == pytest.approx(5.0, rel=0.001)


def test_the_way_of_a_ride_is_what_its_distances_fell():
    steps = [Step(0, 5, 100, "A"), Step(10_000, 5, 50, "A"), Step(20_000, 8, 300, "B"), Step(30_000, 8, 200, "B")]
    road = Road(steps)
    assert [road.metres_at(second) for second in (0, 5, 10, 15, 20, 30, 99)] == [0, 25, 50, 75, 100, 200, 200]
    assert road.reached(75) == 15
    assert Road(read_ride(OWN_RIDE)).length > 1_000


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


async def test_a_sensor_out_of_reach_comes_back():
    async with connected("speed") as listener:
        lost = asyncio.Event()
        listener.connection.on(Connection.EVENT_DISCONNECTION, lambda reason: lost.set())
        listener.sensor.vanish()
        await asyncio.wait_for(lost.wait(), 10)
        with pytest.raises(Exception):  # noqa: B017, PT011 - Bumble has several
            await listener.device.connect(listener.sensor.address, timeout=3)
        await listener.sensor.come_back()
        listener.connection = await listener.device.connect(listener.sensor.address, timeout=3)
        await listener.subscribe()
        await asyncio.sleep(3)
        assert listener.values


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


@pytest.mark.parametrize(("is_paired", "is_left"), [(True, False), (False, True)])
async def test_a_secure_sensor_leaves_a_link_that_stays_open(is_paired, is_left):
    async with connected("heart:habit=secure") as listener:
        lost = asyncio.Event()
        listener.connection.on(Connection.EVENT_DISCONNECTION, lambda reason: lost.set())
        if is_paired:
            await listener.connection.pair()
        await asyncio.sleep(10)
        assert lost.is_set() == is_left
        assert ("paired" in listener.states()) == is_paired


# What the values say


def test_a_crank_alone_says_nothing_of_a_wheel_or_claims_one_that_stands_still():
    road = EvenRoad(values.WHEEL * values.GEAR)  # a turn of the crank each second
    assert values.cadence(road, 3.5) == bytes.fromhex("02 0300 000c")
    assert values.cadence(road, 3.5, claims_wheel=True) == bytes.fromhex("03 00000000 0000 0300 000c")


def test_a_ticking_sensor_tells_the_time_of_the_value():
    road = EvenRoad(values.WHEEL)
    assert values.csc(road, 1.5)[5:7] == (1024).to_bytes(2, "little")
    assert values.csc(road, 1.5, is_ticking=True)[5:7] == (1536).to_bytes(2, "little")


def test_a_radar_tells_of_more_than_six_vehicles_in_a_second_value():
    told = values.radar([(track, 10.0 + track) for track in range(8)], 1)
    assert [len(value) for value in told] == [1 + 18, 1 + 6]
    assert told[0][:4] == bytes.fromhex("12800a00")
    assert values.radar([], 8) == [bytes.fromhex("82")]
    assert values.radar([(46, 43.0), (1, 150.0), (2, -3.0)], 8) == [bytes.fromhex("82ae2b00")]


def test_vehicles_come_nearer_and_pass():
    distances = [dict(values.traffic(second, 1)).get(0) for second in range(14)]
    assert distances == [140.0 - 10 * second for second in range(14)]
    assert values.traffic(20.0, 1)[0][0] == 1, "the next one"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("pulse", "'pulse' is no sensor: choose heart, speed, cadence, power, radar"),
        ("heart:rate=3", "'rate=3': a sensor's options are value=, rssi=, battery=, name=, habit=, file="),
        ("heart:habit=odd", "'habit=odd': 'odd' is not what it takes"),
        ("heart:value=fast", "'value=fast': 'fast' is not what it takes"),
        ("heart:file=/dev/null", "'file=/dev/null': '/dev/null' is not what it takes"),
        ("heart:file=/nowhere", "'file=/nowhere': No such file or directory"),
    ],
)
def test_a_mistyped_sensor_is_told(text, says):
    with pytest.raises(SensorError) as error:
        SensorChoice.parsed(text)
    assert str(error.value) == says

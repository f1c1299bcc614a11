"""What hostile sensors do in each session, and what the program must do then.

The phone's ride goes on beside all of it, on the same link. Each play returns what the program did,
or raises `NotHeld`.
"""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from dataclasses import replace

from bumble import l2cap, smp

from lenker_bench.programs.rider import Rider, RiderError
from lenker_bench.sensors.road import EvenRoad
from lenker_bench.sensors.sensor import KINDS, Sensor, SensorChoice
from lenker_bench.wire.chip_kinds import BCM43430A1, LinkRefusal

from . import NotHeld
from .attacks import SECURITY_REQUEST, STORM, report
from .case import Cases
from .scene import Scene

FASTEST, FASTEST_CADENCE = 30_000, 200  # millimetres a second, revolutions a minute
CROWD = 2_000
LOST = 20.0  # seconds until a sensor that does nothing is left
QUIET = 5.0
WATTS = bytes.fromhex("0000c800")
PAIRING_REQUEST = bytes.fromhex("01 03 00 01 10 01 01")
ABSURD_PARAMETERS = (6, 6, 499, 10), (3200, 3200, 0, 3200), (0, 0xFFFF, 0xFFFF, 0)
LONGEST_VALUE = bytes.fromhex("ff1ff6ff654001701101000008f40100049001e2ff4000e0ffbc3a120500b900d204")

RIDE_GOES_ON = "the phone's ride goes on, on the same link"
NO_ROOM = "a chip that has a link for the phone, and none for a sensor"
ONCE = "reported once; " + RIDE_GOES_ON

CASES = Cases()


@contextlib.asynccontextmanager
async def near(
    scene: Scene, kind: str, rssi: int = -50, value: float | None = None, feature: bytes | None = None
) -> AsyncIterator[Sensor]:
    """A sensor that is on the air meanwhile; `feature` is what it claims, if that is not so."""
    said = KINDS[kind]
    if feature is not None:
        said = replace(said, feature=(said.feature[0], feature))
    choice = SensorChoice(kind, value=value, rssi=rssi)
    source = random.Random(scene.random.random())
    sensor = Sensor(scene.air, choice, EvenRoad(6.0), source, lambda event, **fields: None, said)
    await sensor.start()
    try:
        yield sensor
    finally:
        with contextlib.suppress(asyncio.CancelledError):
            await sensor.stop()


def address_of(sensor: Sensor) -> str:
    return sensor.address.to_string(False)


async def add(scene: Scene, sensor: Sensor) -> Rider:
    rider = Rider(scene.log, scene.press)
    try:
        await rider.add(lambda offered: offered["address"] == address_of(sensor))
    except RiderError as error:
        raise NotHeld(str(error)) from None
    return rider


async def beside_the_ride(scene: Scene, did: str) -> str:
    """The phone's link was never lost, and it is heard."""
    await scene.fresh()
    if scene.count("link", state="disconnected"):
        raise NotHeld("the phone's link was lost")
    return f"{did}; the phone's ride went on"


@CASES.add(
    "sensor-lies",
    0,
    "random, cut, repeated and jumping values, and long ones in pieces",
    "no impossible speed or cadence is reported; " + RIDE_GOES_ON,
)
async def lied(scene: Scene) -> str:
    """Repeated, jumping, cut and random values, and whole ones in pieces."""
    async with near(scene, "power") as sensor:
        sensor.measured = lambda seconds: []
        await add(scene, sensor)
        whole = [*sensor.__class__.measured(sensor, 1.0), LONGEST_VALUE]
        for number in range(200):
            value = whole[number % 2]
            pieces = [value[:20], value[20:]] if number % 3 else [scene.random.randbytes(scene.random.randrange(20))]
            for piece in [*pieces, pieces[0]]:
                await sensor.notify(piece)
            await asyncio.sleep(0.02)
        await asyncio.sleep(1.5)
    figures = scene.log.named("measure")
    if any(event.get("speed", 0) > FASTEST or event.get("cadence", 0) > FASTEST_CADENCE for event in figures):
        raise NotHeld("an impossible speed was told")
    if scene.count("sensor", state="disconnected", address=address_of(sensor)) > 1:
        raise NotHeld("the sensor was left")
    return await beside_the_ride(scene, "nothing impossible was told")


@CASES.add(
    "sensor-claims",
    0,
    "sensors whose feature says that they have what they do not measure, and the other way round",
    "what has moved is reported, and nothing else; " + RIDE_GOES_ON,
)
async def claimed(scene: Scene) -> str:
    """A power meter claims everything and measures watts alone; a wheel claims that it has none."""
    async with near(scene, "power", feature=b"\xff\xff\xff\xff") as power:
        power.measured = lambda seconds: [WATTS]
        await add(scene, power)
        await scene.told("measure", power=200)
        await asyncio.sleep(QUIET)
        if any({"speed", "cadence"} & set(event) for event in scene.log.named("measure")):
            raise NotHeld("something was told that nobody measures")
        async with near(scene, "speed", feature=bytes(2)) as wheel:
            await add(scene, wheel)
            await scene.until(lambda: any(event.get("speed", 0) > 0 for event in scene.log.named("measure")), "a speed")
    return await beside_the_ride(scene, "told what moved, and nothing else")


@CASES.add(
    "sensor-never-answers",
    0,
    "a strap that takes requests and never answers",
    "left within 20 s, not tried again; " + RIDE_GOES_ON,
)
async def never_answered(scene: Scene) -> str:
    async with near(scene, "heart") as sensor:
        sensor.device.gatt_server.on_gatt_pdu = lambda *_: None
        scene.press("aab")
        address = address_of(sensor)
        await scene.told("sensor", state="connecting", address=address)
        seconds = await scene.told("sensor", state="disconnected", address=address, within=LOST)
        if scene.count("sensor", state="ready", address=address):
            raise NotHeld("it was offered")
        await scene.never("sensor", QUIET, state="connecting", address=address)
    return await beside_the_ride(scene, f"left after {seconds:.0f} s, and not tried again")


@CASES.add(
    "sensor-demands",
    0,
    "a strap that asks for pairing 200 times, and for absurd parameters",
    "declined, and its values go on; " + RIDE_GOES_ON,
)
async def demanded(scene: Scene) -> str:
    """Wants to be paired with, and parameters that no link can have."""
    async with near(scene, "heart", value=72) as sensor:
        await add(scene, sensor)
        (connection,) = sensor.device.connections.values()
        for _ in range(STORM):
            connection.send_l2cap_pdu(smp.SMP_CID, SECURITY_REQUEST)
        connection.send_l2cap_pdu(smp.SMP_CID, PAIRING_REQUEST)
        for number, parameters in enumerate(ABSURD_PARAMETERS):
            wish = l2cap.L2CAP_Connection_Parameter_Update_Request(number + 1, *parameters)
            connection.send_l2cap_pdu(l2cap.L2CAP_LE_SIGNALING_CID, bytes(wish))
        sensor.measured = lambda seconds: [bytes([0x00, 99])]
        await scene.told("measure", heart=99)
        if scene.count("sensor", state="disconnected", address=address_of(sensor)):
            raise NotHeld("the sensor was lost")
        if scene.count("pairing", state="ask") or scene.count("pairing", state="failed"):
            raise NotHeld("it was paired with")
    return await beside_the_ride(scene, "declined, and its values went on")


@CASES.add(
    "sensor-crowd",
    0,
    f"{CROWD} straps that never answer, while the rider looks for a radar",
    "the radar is offered all the same, no strap is kept; " + RIDE_GOES_ON,
)
async def crowded(scene: Scene) -> str:
    """A crowd of straps advertises while the rider looks for a radar; nobody of it answers."""
    service = bytes([3, 0x03]) + KINDS["heart"].service.to_bytes()
    async with near(scene, "radar", rssi=-40) as sensor:
        scene.press("aab")
        for number in range(CROWD):
            address = bytearray(scene.random.randbytes(6))
            address[5] |= 0xC0
            scene.chip.say([report(bytes(address), service)])
            if number % 20 == 0:
                await asyncio.sleep(0.01)
        await scene.told("sensor", state="ready", address=address_of(sensor), within=60)
    if scene.count("sensor", state="remembered"):
        raise NotHeld("a sensor was kept without a press")
    return await beside_the_ride(scene, "the radar was offered all the same, nobody kept")


@CASES.add(
    "sensor-is-the-phone",
    0,
    "the rider's phone, by two of its addresses, as a strap",
    "not taken for a strap; " + RIDE_GOES_ON,
)
async def pretended(scene: Scene) -> str:
    """The phone's own address, and its identity's, advertise a heart rate service while the rider looks for one."""
    service = bytes([3, 0x03]) + KINDS["heart"].service.to_bytes()
    scene.press("aab")
    for _ in range(100):
        for address in (scene.phone.device.random_address, scene.recorded_address()):
            scene.chip.say([report(bytes(address), service)])
        await asyncio.sleep(0.02)
    await asyncio.sleep(QUIET)
    if scene.count("sensor"):
        raise NotHeld("the phone was taken for a sensor")
    return await beside_the_ride(scene, "it was not taken for a strap")


@CASES.add(
    "stronger-strap",
    0,
    "a stronger strap beside the remembered one, which is lost and comes back",
    "the other one is never connected to; " + RIDE_GOES_ON,
)
async def outshone(scene: Scene) -> str:
    """A strap is remembered; a stronger one comes, and then the own one is lost and comes back."""
    async with near(scene, "heart", rssi=-65) as own:
        await add(scene, own)
        async with near(scene, "heart", rssi=-30) as other:
            own.vanish()
            await scene.told("sensor", state="disconnected", address=address_of(own))
            await asyncio.sleep(QUIET)
            ready = scene.count("sensor", state="ready", address=address_of(own))
            await own.come_back()
            seconds = await scene.told("sensor", ready, state="ready", address=address_of(own))
            if scene.count("sensor", address=address_of(other)) or other.device.connections:
                raise NotHeld("the stronger strap was connected to")
    return await beside_the_ride(scene, f"the own one was back after {seconds:.1f} s, the other one left alone")


@CASES.add("sensor-link-refused-by-status", 0, NO_ROOM, ONCE, chip=BCM43430A1.holding(1, LinkRefusal.COMMAND_STATUS))
@CASES.add(
    "sensor-link-refused-by-complete", 0, NO_ROOM, ONCE, chip=BCM43430A1.holding(1, LinkRefusal.CONNECTION_COMPLETE)
)
async def had_no_link(scene: Scene) -> str:
    """The chip has a link for the phone, and no other."""
    async with near(scene, "heart") as sensor:
        scene.press("aab")
        await scene.told("error", source="sensor")
        for _ in range(2):
            await scene.never("error", QUIET, source="sensor")
            scene.press("b")
        if sensor.device.connections:
            raise NotHeld("there is a link")
    return await beside_the_ride(scene, "reported once")

"""The true air: what is sent on a link waits for its connection events, and phones advertise at their own pace.

All in virtual time: the figures are exact on the slowest machine.
"""

import asyncio
import itertools
import random
import struct

import pytest

from lenker_bench.wire.air import Air
from lenker_bench.wire.chip_kinds import BCM43430A1, BCM43430B0
from lenker_bench.wire.meeting import ConnectionEvents
from lenker_bench.wire.true_air import TrueAir
from two_chips import (
    KEY,
    LE_META,
    connected,
)
from virtual_air import on_the_air

pytestmark = pytest.mark.virtual_time

INTERVAL = 0.03
COMPLETED = 0x13
LONG = 3.0  # seconds, in which there are a hundred events
UPDATE_COMPLETE, DATA_LENGTH_CHANGE = 0x03, 0x07
# 50 ms, latency 0, 4 s.
UPDATE = bytes.fromhex("2800 2800 0000 9001 0000 0000")
WITH_DATA_LENGTH = bytes.fromhex("01012008 5f00000000000000")


def true_air(seed: int = 1) -> TrueAir:
    return TrueAir(random.Random(seed))


def events_between(earlier: float, later: float, interval: float = INTERVAL) -> float:
    return (later - earlier) / interval


async def test_an_answer_comes_in_the_next_event_and_never_sooner():
    central, peripheral = await connected(true_air())
    peripheral.on_data = lambda data: peripheral.send_data(b"answer")
    central.on_data = lambda data: central.send_data(b"request")
    begun = asyncio.get_running_loop().time()
    central.send_data(b"request")
    await asyncio.sleep(LONG)
    times = sorted(time for time, _ in central.data + peripheral.data)
    assert 0 < times[0] - begun <= INTERVAL
    assert len(times) in (100, 101)
    assert [events_between(*pair) for pair in itertools.pairwise(times)] == pytest.approx([1.0] * (len(times) - 1))


async def test_an_event_has_room_for_four_packets_and_gives_their_buffers_back():
    central, peripheral = await connected(true_air())
    for number in range(9):
        central.send_data(bytes([number]))
    await asyncio.sleep(LONG)
    assert [data[4] for _, data in peripheral.data] == list(range(9))
    times = [time for time, _ in peripheral.data]
    places = [round(events_between(times[0], time)) for time in times]
    assert places == [0, 0, 0, 0, 1, 1, 1, 1, 2]
    returned = [struct.unpack("<BHH", event)[2] for event in central.of(COMPLETED)]
    assert returned == [4, 4, 1]
    assert central.times_of(COMPLETED) == pytest.approx([times[0], times[4], times[8]])


async def test_the_events_follow_an_update_at_its_instant():
    central, peripheral = await connected(true_air())
    await asyncio.sleep(1)
    central.send(bytes.fromhex("0113200e") + struct.pack("<H", central.handle) + UPDATE)
    central.send_data(b"told with it")
    await asyncio.sleep(LONG)
    ((told, _),) = peripheral.data
    changes = []
    for host in (central, peripheral):
        complete = await host.next(LE_META, UPDATE_COMPLETE)
        assert struct.unpack_from("<BHHHH", complete, 1) == (0, host.handle, 40, 0, 400)
        changes.append(host.times_of(LE_META)[-1])
    # Six events later, and then where the central puts it in the new interval.
    assert changes[0] == changes[1]
    assert 6 * INTERVAL <= changes[0] - told <= 6 * INTERVAL + 0.05
    peripheral.data.clear()
    for _ in range(3):
        central.send_data(b"after")
        await asyncio.sleep(0.05)
    times = [time for time, _ in peripheral.data]
    places = [events_between(changes[0], time, 0.05) for time in times]
    assert places == pytest.approx([round(place) for place in places])
    assert [round(place - places[0]) for place in places] == [0, 1, 2]


async def test_a_peripheral_with_a_latency_is_heard_at_once_and_hears_later():
    central, peripheral = await connected(true_air())
    # 30 ms, latency 3, 4 s.
    parameters = struct.pack("<HHHHHHH", central.handle, 24, 24, 3, 400, 0, 0)
    central.send(bytes.fromhex("0113200e") + parameters)
    await asyncio.sleep(1)
    waits = {"central": [], "peripheral": []}
    for number in range(40):
        for name, sender, receiver in (("central", central, peripheral), ("peripheral", peripheral, central)):
            begun = asyncio.get_running_loop().time()
            receiver.data.clear()
            sender.send_data(b"news")
            await asyncio.sleep(0.5 + number / 1000)
            waits[name].append(receiver.data[0][0] - begun)
    assert max(waits["peripheral"]) <= INTERVAL
    assert 3 * INTERVAL < max(waits["central"]) <= 4 * INTERVAL


async def test_data_wait_for_the_end_of_an_encryption_that_was_begun_before():
    central, peripheral = await connected(true_air())
    central.send_data(b"before")
    assert await central.encrypt() == 0
    central.send_data(b"behind")
    peripheral.on_data = lambda data: peripheral.send_data(b"answer")
    await peripheral.answer_request(KEY)
    await asyncio.sleep(LONG)
    begun = peripheral.times_of(LE_META)[-1]
    asked = [events_between(begun, time) for time, _ in peripheral.data]
    answered = [events_between(begun, time) for time, _ in central.data]
    # The first answer comes with the peripheral's LL_START_ENC_RSP, the second question once that was heard.
    assert asked == pytest.approx([0, 4]) and answered == pytest.approx([3, 5])


@pytest.mark.parametrize(("kind", "lengths"), [(BCM43430A1, [27, 27, 27, 13]), (BCM43430B0, [94])])
async def test_a_long_frame_takes_as_many_packets_as_the_chip_needs(kind, lengths):
    central, peripheral = await connected(true_air(), kind)
    for host in (central, peripheral):
        host.send(WITH_DATA_LENGTH)
    # 251 bytes, 2120 µs.
    central.send(bytes.fromhex("01222006") + struct.pack("<HHH", central.handle, 251, 2120))
    await asyncio.sleep(1)
    changes = [event[1:] for event in central.of(LE_META) if event[0] == DATA_LENGTH_CHANGE]
    told = struct.pack("<HHHHH", central.handle, 251, 2120, 251, 2120)
    assert changes == ([told] if kind is BCM43430B0 else [])
    frame = struct.pack("<HH", 90, 0x40) + bytes(90)
    for offset in range(0, len(frame), kind.le.size):
        part = frame[offset : offset + kind.le.size]
        flag = 0x1000 if offset else 0
        central.send(struct.pack("<BHH", 2, central.handle | flag, len(part)) + part)
    sent = len(peripheral.data)
    await asyncio.sleep(1)
    assert b"".join(data for _, data in peripheral.data) == frame and sent == 0
    # The phone's own chip hands over 27 bytes at a time.
    assert len(peripheral.data) == 4
    assert sum(struct.unpack("<BHH", event)[2] for event in central.of(COMPLETED)) == len(lengths)


# Advertising


async def advertising_times(kind: str, seconds: float, air: Air) -> list[float]:
    times = []
    air.on_advertising = lambda sender: times.append(asyncio.get_running_loop().time())
    async with on_the_air(kind, air=air):
        await asyncio.sleep(seconds)
    return times


@pytest.mark.parametrize(("kind", "interval"), [("ios", 0.03), ("ios-background", 1.0225), ("android", 0.1)])
async def test_each_phone_advertises_at_its_interval_and_up_to_10_ms_more(kind, interval):
    # Less than the fifteen minutes after which it begins again with another address.
    times = await advertising_times(kind, 800 * interval, true_air())
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    # advDelay: Core Specification, Vol 6, Part B, 4.4.2.2.1.
    assert all(interval <= gap <= interval + 0.01 + 1e-9 for gap in gaps)
    # Even from 0 to 10 ms: the mean of so many is 5 ms, within four standard errors of it.
    assert sum(gaps) / len(gaps) == pytest.approx(interval + 0.005, abs=4 * 0.01 / 12**0.5 / len(gaps) ** 0.5)


async def test_a_scanner_hears_an_advertisement_only_inside_its_window():
    air = true_air()
    async with on_the_air("ios", air=air) as scene:
        loop = asyncio.get_running_loop()
        heard = []
        scene.central.device.host.on("advertising_report", lambda report: heard.append(loop.time()))
        await asyncio.sleep(0.123)
        begun = loop.time()
        await scene.central.device.start_scanning(legacy=True, active=False, scan_interval=640, scan_window=64)
        sent = []
        air.on_advertising = lambda sender: sent.append(loop.time())
        await asyncio.sleep(64)
    inside = [time for time in sent if (time - begun) % 0.64 < 0.064]
    assert heard == pytest.approx(inside)
    assert 0.08 < len(heard) / len(sent) < 0.12


UNITS = 24


def events(latency: int = 0) -> ConnectionEvents:
    """The first at 1 s, and then every 30 ms."""
    return ConnectionEvents(anchor=1.0, interval=INTERVAL, latency=latency)


def test_the_first_event_is_within_an_interval_of_the_transmit_window():
    offsets = set()
    for seed in range(200):
        found = ConnectionEvents.connected(10.0, UNITS, 0, random.Random(seed))
        # 1.25 ms after the connection at the earliest, an interval later at the latest, in steps of 1.25 ms.
        steps = (found.anchor - 10.0) / 0.00125
        assert steps == pytest.approx(round(steps)) and 1 <= round(steps) <= 1 + UNITS
        assert found.interval == INTERVAL
        offsets.add(round(steps))
    assert offsets == set(range(1, 2 + UNITS))

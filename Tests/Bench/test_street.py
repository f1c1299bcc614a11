"""A busy street on the air, as a chip that scans reports it: in virtual time, each with several seeds."""

import asyncio
import itertools
import random
from collections import Counter, defaultdict
from dataclasses import replace

import pytest

from lenker_bench.street.beacons import BeaconChoice
from lenker_bench.street.payloads import Payload, payloads
from lenker_bench.street.senders import Passer
from lenker_bench.street.street import Street, StreetError, street_of
from lenker_bench.wire.air import Air
from lenker_bench.wire.true_air import TrueAir
from scanning import (
    ACCEPTED,
    ACTIVE,
    CONNECTABLE,
    NONCONNECTABLE,
    SCAN_RESPONSE,
    SCANNABLE,
    Listener,
    Report,
)
from two_chips import LE_META

pytestmark = pytest.mark.virtual_time

SEEDS = pytest.mark.parametrize("seed", range(4))
NEVER = 1e9  # seconds; no signal changes until then
BEACON = "E20A39F4-73F5-4BC4-A12F-17D1AD07A961/7/515@"
IBEACON = "0201061aff4c000215e20a39f473f54bc4a12f17d1ad07a96100070203c5"
ADVERTISING_DELAY = 0.010
SLOT = 0.000625


def street_on(
    air: Air, devices: int, seed: int, *beacons: str, rate: float | None = None, end: float = NEVER
) -> Street:
    choices = [BeaconChoice.parsed(BEACON + signal) for signal in beacons]
    street = street_of(air, devices, choices, seed, end, rate)
    street.start()
    return street


def only(kind: str, seed: int) -> Passer:
    (payload,) = (each for each in payloads() if each.name == kind)
    return Passer(payload, random.Random(seed))


async def heard(seed: int, devices: int = 200, seconds: float = 5, **options: object) -> list[Report]:
    """What a scan reports, with times from its beginning on."""
    air = TrueAir(random.Random(seed))
    listener = Listener(air)
    begun = asyncio.get_running_loop().time()
    street = street_on(air, devices, seed)
    reports = await listener.scan(seconds, **options)
    street.stop()
    return [replace(report, time=round(report.time - begun, 9)) for report in reports]


# Who is there


@SEEDS
async def test_a_street_of_200_has_each_kind_of_device(seed):
    street = street_on(Air(), 200, seed)
    names = Counter(sender.payload.name for sender in street.senders)
    assert sum(names.values()) == 200
    assert names.keys() == {kind.name for kind in payloads()}
    # Of what is seen most there is most.
    assert names["iphone"] > 3


@SEEDS
async def test_the_kind_of_an_address_is_that_of_its_device(seed):
    by_kind: dict[str, Payload] = {}
    expected = {"nonresolvable": 0, "resolvable": 1, "static": 3}
    street = street_on(Air(), 200, seed)
    for sender in street.senders:
        payload = by_kind[sender.payload.name] = sender.payload
        address = sender.advertiser_address
        assert address.is_public == (payload.address not in expected)
        text = address.to_string(False)
        if address.is_public:
            assert text.replace(":", "").startswith(payload.address)
        else:
            assert int(text[:2], 16) >> 6 == expected[payload.address]
    assert len({sender.advertiser_address for sender in street.senders}) == 200


@SEEDS
async def test_the_same_seed_is_the_same_street(seed):
    one, again = [await heard(seed) for _ in range(2)]
    other = await heard(seed + 100)
    assert len(one) > 1000
    assert one == again != other


@SEEDS
async def test_a_device_sends_at_its_interval_and_up_to_10_ms_later(seed):
    times, data = defaultdict(list), {}
    for report in await heard(seed, seconds=20):
        times[report.address].append(report.time)
        data[report.address] = report.data
    kinds = {kind.data.known: kind.interval for kind in payloads() if not kind.data.drawn and kind.lifetime is None}
    measured = 0
    for address, sent in times.items():
        interval = kinds.get(data[address])
        if interval is None:
            continue
        gaps = [after - before for before, after in itertools.pairwise(sent)]
        assert all(interval - 1e-6 <= gap <= interval + ADVERTISING_DELAY + 1e-6 for gap in gaps), address
        measured += len(gaps)
    assert measured > 500


# How it changes


@SEEDS
async def test_a_resolvable_address_changes_after_its_time_and_the_drawn_bytes_with_it(seed):
    air = Air()
    listener = Listener(air)
    phone = only("iphone", seed)
    street = Street(air, [phone], random.Random(seed))
    street.start()
    reports = await listener.scan(3600)
    by_address = {address: list(group) for address, group in itertools.groupby(reports, lambda report: report.address)}
    # A walk of an hour may lead away once or more; apart from that it is 900 s.
    spans = [group[-1].time - group[0].time for group in by_address.values()]
    assert len(by_address) >= 4 and max(spans) <= phone.payload.lifetime + 1
    assert all(len({report.data for report in group}) == 1 for group in by_address.values())
    assert len({report.data for report in reports}) == len(by_address)


@SEEDS
async def test_a_signal_walks_and_who_walks_away_is_replaced(seed):
    air = Air()
    listener = Listener(air)
    tag = only("tile", seed)
    Street(air, [tag], random.Random(seed)).start()
    reports = await listener.scan(4 * 3600)
    assert all(-110 < report.rssi < -30 for report in reports)
    # From one advertisement to the next, after 8 s: the walk and the fading, six standard deviations.
    for address, group in itertools.groupby(reports, lambda report: report.address):
        strengths = [report.rssi for report in group]
        assert max(abs(b - a) for a, b in itertools.pairwise([*strengths, strengths[-1]])) < 6 * (2 * 8**0.5 + 2), (
            address
        )
    # Its address is for ever: only somebody else has another.
    assert len({report.address for report in reports}) > 1


# What the chip makes of it


@SEEDS
async def test_nothing_is_reported_before_a_scan_and_after_it(seed):
    air = Air()
    listener = Listener(air)
    street = street_on(air, 100, seed)
    await asyncio.sleep(3)
    assert listener.reports() == [] and street.sent > 100
    assert await listener.scan(1)
    count = len(listener.reports())
    await asyncio.sleep(3)
    assert len(listener.reports()) == count == listener.chip.scanner.reports


@SEEDS
async def test_a_passive_scan_asks_nobody_and_an_active_one_all_who_can_be_asked(seed):
    passive = Counter(report.kind for report in await heard(seed))
    active = Counter(report.kind for report in await heard(seed, kind=ACTIVE))
    assert passive.keys() == {CONNECTABLE, SCANNABLE, NONCONNECTABLE}
    assert active[SCAN_RESPONSE] == active[CONNECTABLE] + active[SCANNABLE] > 0
    assert {kind: count for kind, count in active.items() if kind != SCAN_RESPONSE} == passive


@SEEDS
async def test_a_scan_response_follows_its_advertisement_with_the_same_address_and_strength(seed):
    reports = await heard(seed, kind=ACTIVE)
    asked = 0
    for before, after in itertools.pairwise(reports):
        if after.kind == SCAN_RESPONSE:
            assert before.kind in (CONNECTABLE, SCANNABLE)
            assert (before.address, before.rssi) == (after.address, after.rssi)
            asked += 1
    assert asked > 500


@SEEDS
async def test_with_the_filter_each_is_reported_once_a_scan(seed):
    reports = await heard(seed, seconds=20, kind=ACTIVE, filters_duplicates=True)
    assert len({(report.address, report.kind) for report in reports}) == len(reports) > 200


@SEEDS
async def test_only_what_is_sent_inside_the_window_is_reported(seed):
    interval, window = 160, 48
    air = TrueAir(random.Random(seed))
    listener = Listener(air)
    street = street_on(air, 200, seed)
    await asyncio.sleep(0.123)
    begun, before = asyncio.get_running_loop().time(), street.sent
    reports = await listener.scan(20, interval=(interval, window))
    assert all((report.time - begun) % (interval * SLOT) < window * SLOT for report in reports)
    # Three tenths of all, within four standard deviations of a binomial of so many.
    sent = street.sent - before
    assert len(reports) / sent == pytest.approx(window / interval, abs=4 * (0.3 * 0.7 / sent) ** 0.5)


@SEEDS
async def test_with_an_accept_list_only_who_is_on_it_is_reported(seed):
    air = Air()
    listener = Listener(air)
    street_on(air, 200, seed)
    friend = next(report for report in await listener.scan(5) if report.kind == CONNECTABLE)
    address = bytes.fromhex(friend.address.replace(":", ""))[::-1]
    listener.send(bytes.fromhex("01112007") + bytes([friend.is_random]) + address)
    reports = await listener.scan(30, policy=ACCEPTED)
    assert {report.address for report in reports} == {friend.address}
    assert len({report.address for report in await listener.scan(1)}) > 50, "the next scan has no list"


# Beacons


@SEEDS
async def test_a_beacon_cannot_be_connected_to_and_is_heard_exactly_as_strong_as_it_was_told(seed):
    air = TrueAir(random.Random(seed))
    listener = Listener(air)
    street_on(air, 0, seed, "-61")
    reports = await listener.scan(60, kind=ACTIVE)
    assert {(report.kind, report.top_bits, report.data.hex(), report.rssi) for report in reports} == {
        (NONCONNECTABLE, 3, IBEACON, -61)
    }
    # Every 100 to 110 ms.
    assert 60 / 0.110 - 1 <= len(reports) <= 60 / 0.100 + 1


@SEEDS
async def test_a_beacon_fades_over_the_ride_and_one_that_is_off_is_silent(seed):
    air = Air()
    listener = Listener(air)
    street_on(air, 0, seed, "-60..-95,40s:-95,50s:off", "127", end=60)
    reports = await listener.scan(60)
    unknown, fading = [], []
    for report in reports:
        (unknown if report.rssi == 127 else fading).append(report)
    assert len(unknown) > 540 and len({report.address for report in reports}) == 2
    start = fading[0].time
    for report in fading:
        passed = report.time - start
        assert report.rssi == pytest.approx(-60 - 35 * min(passed / 40, 1), abs=0.6)
    assert 49.5 <= fading[-1].time - start < 50


# Rates and counts


@SEEDS
async def test_two_thousand_devices_advertise_two_thousand_times_a_second(seed):
    air = TrueAir(random.Random(seed))
    listener = Listener(air)
    street = street_on(air, 2000, seed, rate=2000)
    reports = await listener.scan(10)
    assert len(reports) == street.sent == listener.chip.scanner.reports
    assert len(reports) / 10 == pytest.approx(2000, rel=0.01)
    assert street.figures(listener.chip) == {
        "devices": 2000,
        "sent": len(reports),
        "reports": len(reports),
        "wanted": [],
        "late": 0,
    }


def test_a_rate_that_legal_intervals_do_not_allow_is_refused():
    # 20 ms and 5 ms of delay in the mean.
    with pytest.raises(StreetError, match="400 times"):
        street_of(Air(), 10, [], 1, NEVER, 401)
    assert street_of(Air(), 10, [], 1, NEVER, 399).senders


# Who connects


def create_connection(address: str, is_random: bool) -> bytes:
    peer = bytes.fromhex(address.replace(":", ""))[::-1]
    fields = bytes.fromhex("1000 1000 00") + bytes([is_random]) + peer
    return bytes.fromhex("010d2019") + fields + bytes.fromhex("00 1800 1800 0000 9001 0000 0000")


@SEEDS
async def test_nobody_of_the_street_is_connected_to_but_who_tried_is_told(seed):
    air = Air()
    listener = Listener(air)
    street = street_on(air, 200, seed)
    reports = await listener.scan(10)
    targets = [next(report for report in reports if report.kind == kind) for kind in (NONCONNECTABLE, CONNECTABLE)]
    count = len(listener.of(LE_META))
    for target in targets:
        listener.send(create_connection(target.address, target.is_random))
        await asyncio.sleep(10)
        assert len(listener.of(LE_META)) == count
        listener.send(bytes.fromhex("010e2000"))
        await asyncio.sleep(0)
        count += 1
    assert street.wanted == {targets[1].address}, "a beacon takes no link"


@SEEDS
async def test_a_street_draws_no_random_numbers_of_the_chip(seed):
    """So that all else is the same beside it."""
    air = Air()
    listener = Listener(air)
    source = listener.chip.scanner._random
    street_on(air, 100, seed, "-60~3")
    before = source.getstate()
    assert await listener.scan(5)
    assert source.getstate() == before

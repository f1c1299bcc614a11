"""What is on the air beside the phone, before it is there: kinds of devices, beacons, and how strong these are."""

import random
import re

import pytest

from lenker_bench.street.beacons import BeaconChoice, BeaconError
from lenker_bench.street.payloads import FILE, Template, parsed, payloads
from lenker_bench.street.signals import Signal, SignalError
from lenker_bench.wire.advertising import ReportType
from scanning import structures

SEEDS = range(4)
UUID = "E20A39F4-73F5-4BC4-A12F-17D1AD07A961"
# From the documents of beacons: major 7, minor 515, -59 dBm at 1 m.
IBEACON = "0201061aff4c000215e20a39f473f54bc4a12f17d1ad07a96100070203c5"
KOMOOTS_BIT = 5, 0x08  # of the overflow area's mask
DO_NOT_PARSE = {"too-short", "twice", "no-services", "no-utf-8"}
APPLE, OVERFLOW_AREA = bytes.fromhex("4c00"), 1
MANUFACTURER_DATA, SERVICE_LISTS = 0xFF, (0x06, 0x07)
KOMOOT = bytes.fromhex("6c43b31d170fb2a2a84f2fd928e1c171")


# Payloads


def test_each_kind_is_there_once_and_says_where_it_was_seen():
    lines = [line for line in FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert len({kind.name for kind in payloads()}) == len(payloads()) == len(lines) > 40
    sources = [line.split(maxsplit=8)[8] for line in lines]
    # An issue, a file of a repository, a site, a book, or why there is none.
    known = re.compile(r"\S+/\S+#\d+|\S+/\S+, \S+|\w+\.\w+|Stack Overflow, \d+|Core Specification|ours: .{20}")
    assert [source for source in sources if not known.search(source)] == []


def test_there_are_all_kinds_of_pdus_and_addresses():
    assert {kind.pdu for kind in payloads()} == {
        ReportType.ADV_IND,
        ReportType.ADV_SCAN_IND,
        ReportType.ADV_NONCONN_IND,
    }
    addresses = {kind.address for kind in payloads()}
    assert {"resolvable", "nonresolvable", "static"} < addresses
    assert len([address for address in addresses if re.fullmatch("[0-9A-F]{6}", address)]) > 5


@pytest.mark.parametrize("kind", payloads(), ids=lambda kind: kind.name)
def test_the_data_fit_and_parse_unless_the_device_is_known_for_that(kind):
    random_source = random.Random(kind.name)
    data, scan_response = (part.filled(random_source) for part in (kind.data, kind.scan_response))
    assert max(len(data), len(scan_response)) <= 31
    assert (None in (structures(data), structures(scan_response))) == (kind.name in DO_NOT_PARSE)
    # Legal intervals, and nobody who cannot be asked has an answer.
    assert 0.02 <= kind.interval <= 10.24
    assert kind.pdu != ReportType.ADV_NONCONN_IND or scan_response == b""


def test_nobody_in_the_street_claims_to_ride_with_komoot():
    for kind in payloads():
        for part in (kind.data, kind.scan_response):
            for structure, value in structures(part.known) or []:
                assert structure not in SERVICE_LISTS or KOMOOT not in value
                if structure == MANUFACTURER_DATA and value.startswith(APPLE) and value[2] == OVERFLOW_AREA:
                    byte, bit = KOMOOTS_BIT
                    assert not value[3 + byte] & bit


@pytest.mark.parametrize("seed", SEEDS)
def test_drawn_bytes_differ_and_the_others_do_not(seed):
    template, source = Template.parsed("0201..ff....00"), random.Random(seed)
    found = [template.filled(source) for _ in range(200)]
    assert {(data[:2], data[3], data[6]) for data in found} == {(b"\x02\x01", 0xFF, 0)}
    for index in (2, 4, 5):
        assert len({data[index] for data in found}) > 50


LINE = "name ind static 100 - 1 020106 - owner/repository#1"


@pytest.mark.parametrize("wrong", ["ind", "static", "100", " 1 ", "020106", "- owner/repository#1"])
def test_a_line_with_a_column_that_is_none_is_refused(wrong):
    assert parsed(LINE).name == "name"
    with pytest.raises((ValueError, KeyError)):
        parsed(LINE.replace(wrong, " x ", 1))


def test_a_payload_of_32_bytes_is_refused():
    assert Template.parsed("00" * 31).known == bytes(31)
    with pytest.raises(ValueError, match="32 bytes"):
        Template.parsed("00" * 32)


# Beacons


def test_a_beacon_is_the_vector_of_the_documents():
    assert BeaconChoice.parsed(f"{UUID}/7/515@-60").data.hex() == IBEACON
    assert BeaconChoice.parsed(f"{UUID.lower()}/7/515@-60").data.hex() == IBEACON


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        UUID,
        f"{UUID}/7/515",
        f"{UUID}/7@-60",
        f"{UUID}/65536/1@-60",
        f"{UUID}/1/-1@-60",
        f"{UUID[1:]}/7/515@-60",
        f"{{{UUID}}}/7/515@-60",
        f"{UUID}/7/515@",
        f"{UUID}/7/515@loud",
    ],
)
def test_what_is_no_beacon_is_refused(wrong):
    with pytest.raises(BeaconError, match="'"):
        BeaconChoice.parsed(wrong)


# Signals: seconds, and dBm or none while it is off; all of a ride of 100 s.


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("-60", {0: -60, 50: -60, 1000: -60}),
        ("-60..-95", {0: -60, 50: -77.5, 100: -95, 200: -95}),
        ("-95..-60", {20: -88}),
        ("-60,30s:-90", {0: -60, 29.9: -60, 30: -90, 99: -90}),
        ("-60,20s:-60..-90,50s:off,60s:-70", {10: -60, 35: -75, 50: None, 59: None, 60: -70}),
        ("off,1.5s:-50", {0: None, 1.4: None, 1.5: -50}),
        ("0..20,50s:-127", {25: 10, 50: -127}),
        ("127", {0: 127, 10: 127}),
    ],
)
def test_a_signal_is_as_strong_as_its_text_says(text, levels):
    signal, source = Signal.parsed(text), random.Random(1)
    assert {seconds: signal.at(seconds, 100.0, source) for seconds in levels} == pytest.approx(levels)


@pytest.mark.parametrize("seed", SEEDS)
def test_noise_is_about_the_signal_and_the_same_for_the_same_seed(seed):
    signal = Signal.parsed("-60,10s:-90~3")

    def heard(seconds: float) -> list[float]:
        source = random.Random(seed)
        return [signal.at(seconds, 100.0, source) for _ in range(400)]

    assert heard(5) == heard(5)
    for seconds, mean in ((5, -60), (20, -90)):
        levels = heard(seconds)
        average = sum(levels) / len(levels)
        # Four standard errors of the mean, and of the standard deviation.
        assert average == pytest.approx(mean, abs=4 * 3 / 20)
        spread = (sum((level - average) ** 2 for level in levels) / len(levels)) ** 0.5
        assert spread == pytest.approx(3, abs=4 * 3 / 800**0.5)


def test_only_a_change_at_its_end_needs_the_rides():
    needs = {text: Signal.parsed(text).needs_end for text in ("-60", "-60..-95", "-60..-95,9s:-95", "-60,9s:-60..-95")}
    assert list(needs.values()) == [False, True, False, True]


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "60dBm",
        "-128",
        "21",
        "-60..",
        "..-60",
        "off..-60",
        "-60..127",
        "5s:-60",
        "-60,-70",
        "-60,9s:-70,9s:-80",
        "-60,9s:-70,3s:-80",
        "-60~",
        "-60~x",
    ],
)
def test_what_is_no_signal_is_refused(wrong):
    with pytest.raises(SignalError, match=r"'|dBm"):
        Signal.parsed(wrong)

"""The command `street`: a radio without a phone, and what it writes for comparison with what a scanner printed."""

import json
import signal
import struct
import sys
from pathlib import Path

import pytest

from hci_wire import (
    EVENT_MASK,
    LE_EVENT_MASK,
    LE_META,
    RESET,
    SCAN_OFF,
    SCAN_ON,
    Wire,
    create_connection,
    find,
    wire_to,
)
from lenker_bench.commands import phone as phone_command
from lenker_bench.commands import run as run_command
from lenker_bench.commands import street as street_command
from lenker_bench.commands.options import ride_arguments
from lenker_bench.programs.processes import running_phone
from lenker_bench.view.summary import Tally
from scanning import Report, report
from streets import running_street

BEACON = "E20A39F4-73F5-4BC4-A12F-17D1AD07A961/7/515@-60"
SCAN = {kind: bytes.fromhex(f"010b2007 0{kind} 1000 1000 00 00") for kind in (0, 1)}
KINDS = ["connectable", "directed", "scannable", "nonconnectable", "scan-response"]
CONNECTED, DISCONNECTED = 0x01, 0x05


async def scan(wire: Wire, kind: int, count: int) -> list[Report]:
    """Scans until there are so many reports, and all that came before the end of the scan."""
    for command in (RESET, EVENT_MASK, LE_EVENT_MASK, SCAN[kind], SCAN_ON):
        assert (await wire.answer(command))[:1] == b"\x00"
    found = [report(await wire.next(LE_META, 0x02), 0.0) for _ in range(count)]
    wire.send(SCAN_OFF)
    while (packet := await wire.next())[1] == LE_META:
        found.append(report(packet[3:], 0.0))
    return found


@pytest.mark.parametrize("seed", range(4))
async def test_a_scanner_gets_each_report_that_is_counted_and_written(tmp_path, seed):
    sent = tmp_path / "sent.jsonl"
    options = ("--street=300", f"--beacon={BEACON}", "--beacon", BEACON.replace("-60", "127"), "--gatt")
    async with running_street(*options, f"--seed={seed}", f"--sent={sent}") as street:
        async with wire_to(street.port) as wire:
            reports = await scan(wire, kind=1, count=1500)
        street.process.send_signal(signal.SIGTERM)
        end = await street.next("street")
        assert await street.process.wait() == 0
    assert end["reports"] == len(reports)
    assert end["devices"] == 302 and end["wanted"] == []
    lines = [json.loads(line) for line in sent.read_text("ascii").splitlines()]
    reported = [line for line in lines if line["reported"]]
    assert [expected(line) for line in reported] == [seen(each) for each in reports]
    # The device with services is no device of the street, and scan responses are no advertisements.
    own = next(event["address"] for event in street.events if event["event"] == "device")
    of_street = [line for line in lines if line["kind"] != "scan-response" and line["address"] != own]
    assert len(of_street) == end["sent"]
    times = [line["t"] for line in lines]
    assert times == sorted(times) and times[-1] <= end["t"]


def expected(line: dict) -> tuple:
    return line["address"], line["type"], line["kind"], line["rssi"], line["data"]


def seen(found: Report) -> tuple:
    """As a scanner prints it."""
    kind = "public" if not found.is_random else "resolvable" if found.top_bits == 1 else "random"
    return found.address, kind, KINDS[found.kind], None if found.rssi == 127 else found.rssi, found.data.hex()


async def test_it_ends_after_its_time_and_tells_of_the_programs_that_came():
    async with running_street("--street=5", "--seconds=1.5") as street:
        async with wire_to(street.port) as wire:
            assert await wire.answer(RESET) == b"\x00"
        await street.next("stopped")
        assert await street.process.wait() == 0
    assert street.events[-1]["t"] >= 1.5
    states = [event["state"] for event in street.events if event["event"] == "firmware"]
    assert states == ["attached", "gone"]


@pytest.mark.parametrize(("how", "reason"), [("leaves:0", 0x13), ("fails", 0x3E)])
async def test_the_device_has_its_fault_on_the_wire_too(how, reason):
    async with running_street("--gatt", how) as street, wire_to(street.port) as wire:
        assert await wire.answer(create_connection(await find(wire))) == b"\x00"
        complete = await wire.next(LE_META, CONNECTED)
        status, handle = struct.unpack_from("<BH", complete, 1)
        assert status == 0
        # ATT Read Request of handle 1.
        pdu = struct.pack("<HHBH", 3, 4, 0x0A, 1)
        wire.send(struct.pack("<BHH", 2, handle, len(pdu)) + pdu)
        assert await wire.next(DISCONNECTED) == struct.pack("<BHB", 0, handle, reason)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("", "nobody is on the air"),
        ("--rate=10 --gatt", "--rate"),
        ("--street=2001", "at most 2000"),
        ("--street=0", "above 0"),
        ("--street=10 --rate=5000", "at most 400 times"),
        ("--beacon=7", "no beacon"),
        (f"--beacon={BEACON}..-95", "--seconds"),
        ("--gatt=sleeps", "choose answers"),
        ("--street=1 --hci=hci0", "tcp-server"),
        ("--street=1 --sent=/nowhere/sent.jsonl", "/nowhere/sent.jsonl: No such file"),
    ],
)
def test_an_option_that_cannot_be_is_refused(wrong, said, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["street", *wrong.split()])
    try:
        status = street_command.main()
    except SystemExit as end:
        status = end.code
    assert status == 64
    assert said in capsys.readouterr().err


def test_run_and_phone_have_the_same_street():
    own = ["--street=200", f"--beacon={BEACON}..-95", f"--beacon={BEACON}~3"]
    assert set(own) <= set(ride_arguments(run_command.parse(own)))
    options = phone_command.parse(own)
    assert (options.street, len(options.beacons)) == (200, 2)
    assert [choice.signal.noise for choice in street_command.beacon_choices(options)] == [0, 3]


async def test_a_phone_tells_at_its_end_what_the_street_sent(a_ride):
    options = ("--kind=ios", "--ride", a_ride, "--street=100", f"--beacon={BEACON}")
    async with running_phone(*options) as phone:
        async with wire_to(phone.port) as wire:
            reports = await scan(wire, kind=0, count=200)
        await phone.stop()
        (street,) = phone.log.named("street")
    assert street["reports"] == len(reports)
    assert street["devices"] == 101 and street["sent"] > 0


async def test_a_phone_alone_tells_of_no_street(a_ride: Path):
    async with running_phone("--ride", a_ride) as phone:
        await phone.stop()
        assert phone.log.named("street") == []
        assert phone.status == 0


def test_the_summary_of_a_ride_has_what_the_street_sent():
    tally = Tally()
    assert not any("street" in line for line in tally.report_lines(1.0))
    tally.on_phone_event({"t": 9.0, "event": "street", "devices": 200, "sent": 5000, "reports": 300, "wanted": []})
    assert "street: 5000 advertisements of 200 others, 300 reports" in tally.report_lines(1.0)

"""Wireshark's dissector of komoot's value, on captures of the program: it shows what the program's events tell."""

import struct
import subprocess
from pathlib import Path

import pytest

from hostile_phone import hostile_phone
from lenker_bench.phone.komoot import CHARACTERISTIC
from lenker_bench.phone.rides import read_ride
from lenker_bench.programs.processes import PACKAGES, running_phone
from recording import CAPTURE, Recording, told, without_repeats
from touring import Tour
from tshark import read

DISSECTOR = PACKAGES / "komoot.lua"
READ_RESPONSE, READ_BLOB_RESPONSE, NOTIFICATION = 0x0B, 0x0D, 0x1B
ONE_ANSWER = 22 - 9
"""Bytes of a street that one answer has, at the least."""
LONG_STREET = "Straße des Friedens und der internationalen Zusammenarbeit der Völker"


def dissected(capture: Path, *fields: str, only: str = "komoot", handle: int = 0) -> list[list[str]]:
    options = ["-X", f"lua_script:{DISSECTOR}", "-o", f"komoot.handle:{handle}"]
    return read(capture, *fields, only=only, options=options)


def instructions(capture: Path) -> list[tuple[int, int, str]]:
    """All whole values, those that say the same as the one before left out.

    One that is notified between the parts of another is left out, too: Lenker reads it afterwards.
    """
    values, answer = [], 0
    fields = ("btatt.opcode", "komoot.direction", "komoot.distance", "komoot.street")
    for opcode, direction, distance, street in reversed(dissected(capture, *fields)):
        if int(opcode, 0) != NOTIFICATION:
            answer = int(opcode, 0)
        elif answer == READ_BLOB_RESPONSE:
            continue
        if direction:
            values.append((int(direction), int(distance), street))
    return without_repeats(reversed(values))


def complaints(capture: Path) -> set[str]:
    """The last words of the names of its expert infos."""
    kinds = ("short", "long", "utf8", "cut", "control", "unknown")
    return {kind for kind in kinds if dissected(capture, "frame.number", only=f"komoot.{kind}")}


def value(street: bytes, direction: int = 5, distance: int = 100, identifier: int = 7) -> bytes:
    return struct.pack("<IBI", identifier, direction, distance) + street


def test_a_ride_has_the_instructions_that_the_events_tell(tour: Tour):
    run: Recording = tour("regular")
    seen, events = instructions(run.folder / CAPTURE), told(run.events)
    # One that the phone replaces while its parts are read is read once more, and told only then.
    torn = [one for one in seen if one not in events]
    assert all(len(street.encode()) > ONE_ANSWER for _, _, street in torn)
    assert without_repeats(one for one in seen if one not in torn) == events
    assert complaints(run.folder / CAPTURE) == {"unknown"}, "the ride has a direction that nobody knows"


async def test_a_value_that_is_notified_between_the_parts_of_another_is_told_behind_it(lenker, tmp_path):
    capture = tmp_path / "radio.btsnoop"
    first, second = value("Großer Stern".encode(), distance=40), value(b"Weg", distance=30)
    assert len(first) == 22, "such a value may be cut, so that its next part is asked for"
    async with hostile_phone(first) as phone:
        async with lenker(phone.port, f"btsnoop=file:{capture}") as firmware:
            await phone.script.next_reading()
            phone.script.notify(second)  # between the answer and the request for the next part
            await firmware.log.wait_for("instruction", 30, street="Großer Stern")
            phone.script.say(second)
            await firmware.log.wait_for("instruction", 30, street="Weg")
            await firmware.stop()
    assert instructions(capture) == told(firmware.log.events) == [(5, 40, "Großer Stern"), (5, 30, "Weg")]


def test_identifiers_are_those_of_the_events(tour: Tour):
    run: Recording = tour("regular")
    seen = {int(row[0], 0) for row in dissected(run.folder / CAPTURE, "komoot.identifier")}
    assert {event["id"] for event in run.named("instruction")} <= seen


def test_an_iphones_notification_is_an_identifier_alone(tour: Tour):
    rows = dissected(tour("regular").folder / CAPTURE, "btatt.opcode", "komoot.direction", "_ws.col.Info")
    notified = [info for opcode, direction, info in rows if int(opcode, 0) == NOTIFICATION and not direction]
    assert notified and all("komoot: identifier 0x" in info for info in notified)


async def test_an_android_phones_notification_is_the_value(lenker, a_ride, tmp_path):
    capture = tmp_path / "radio.btsnoop"
    async with running_phone("--ride", a_ride, "--kind=android") as phone:
        async with lenker(phone.port, f"btsnoop=file:{capture}") as firmware:
            await firmware.log.wait_for("instruction", 30, direction=3)
            await firmware.stop()
    rows = dissected(capture, "komoot.direction", "komoot.distance", "komoot.street", only="btatt.opcode == 0x1b")
    ride = [(step.direction, step.distance, step.street) for step in read_ride(a_ride)]
    assert without_repeats((int(a), int(b), c) for a, b, c in rows if a) == ride


async def test_a_value_that_is_read_in_parts_is_put_together(lenker, tmp_path):
    capture = tmp_path / "radio.btsnoop"
    async with hostile_phone(value(LONG_STREET.encode()), mtu=23) as phone:
        async with lenker(phone.port, f"btsnoop=file:{capture}") as firmware:
            await firmware.log.wait_for("instruction", 30, street=LONG_STREET)
            await firmware.stop()
    rows = dissected(capture, "btatt.opcode", "komoot.distance", "komoot.street")
    parts = [(int(opcode, 0), street) for opcode, distance, street in rows if distance]
    assert parts[0] == (READ_RESPONSE, LONG_STREET.encode()[:13].decode())
    assert (READ_BLOB_RESPONSE, LONG_STREET) in parts
    assert all(LONG_STREET.startswith(street.rstrip("\ufffd")) for _, street in parts)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (value(b"\xff\xfeWeg"), "utf8"),
        (value("Straß".encode()[:-1]), "cut"),
        (value(b"Weg\x07"), "control"),
        (value(b"Weg", direction=77), "unknown"),
        (value(b"")[:8], "short"),
        (b"", "short"),
        (value(b"a" * 600), "long"),
    ],
    ids=["not-utf8", "cut", "control", "direction", "short", "empty", "long"],
)
async def test_what_is_wrong_with_a_value_is_said(lenker, tmp_path, content, complaint):
    capture = tmp_path / "radio.btsnoop"
    async with hostile_phone(content, mtu=517) as phone:
        async with lenker(phone.port, f"btsnoop=file:{capture}") as firmware:
            for _ in range(2):  # what was asked for the second time had come the first time
                await phone.script.next_reading()
            await firmware.stop()
    assert complaints(capture) == {complaint}


def test_without_a_discovery_the_handle_must_be_given(tour: Tour, tmp_path):
    """As when a remembered phone is asked by the handles that it had."""
    whole, part = tour("regular").folder / CAPTURE, tmp_path / "part.btsnoop"
    declaration = f"btatt contains {bytes(CHARACTERISTIC).hex(':')}"
    (handle,) = {int(row[0], 0) for row in dissected(whole, "btatt.handle", only="btatt.opcode == 0x1b and komoot")}
    command = ["tshark", "-r", whole, "-Y", f"not ({declaration})", "-F", "btsnoop", "-w", part]
    subprocess.run(command, capture_output=True, check=True)
    assert dissected(part, "frame.number") == []
    rows = dissected(part, "frame.number", handle=handle)
    assert len(rows) == len(dissected(whole, "frame.number"))


def test_the_uuid_is_komoots():
    assert bytes(CHARACTERISTIC).hex() in DISSECTOR.read_text("utf-8")

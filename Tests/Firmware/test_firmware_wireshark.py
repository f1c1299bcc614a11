"""Captures of the program, as Wireshark and its dissector of komoot's value read them: what the events tell."""

import struct
import subprocess
from pathlib import Path

from hostile_phone import hostile_phone
from lenker_bench.phone.komoot import CHARACTERISTIC
from lenker_bench.programs.processes import PACKAGES
from recording import CAPTURE, told, without_repeats
from touring import Tour
from tshark import complaints, halves, is_explained, read

DISSECTOR = PACKAGES / "komoot.lua"
READ_RESPONSE, READ_BLOB_RESPONSE, NOTIFICATION = 0x0B, 0x0D, 0x1B
COMMAND, EVENT, RESET = 0x01, 0x04, 0x0C03
ONE_ANSWER = 22 - 9
"""Bytes of a street that one answer has, at the least."""
LONG_STREET = "Straße des Friedens und der internationalen Zusammenarbeit der Völker"
KINDS = ("short", "long", "utf8", "cut", "control", "unknown")
"""The last words of the names of its expert infos."""


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


def complaints_of_dissector(capture: Path) -> list[str]:
    """Which kinds of complaint there are, in the order in which they come first."""
    rows = dissected(capture, *(f"komoot.{kind}" for kind in KINDS))
    return list(dict.fromkeys(kind for row in rows for kind, found in zip(KINDS, row, strict=False) if found))


def value(street: bytes, direction: int = 5, distance: int = 100, identifier: int = 7) -> bytes:
    return struct.pack("<IBI", identifier, direction, distance) + street


def test_wireshark_complains_of_no_packet_and_takes_each_for_what_it_is(tour: Tour, tmp_path):
    capture = tour("regular").folder / CAPTURE
    found = [complaint for half in halves(capture, tmp_path) for complaint in complaints(half)]
    assert [complaint for complaint in found if not is_explained(complaint)] == []
    packets = read(capture, "hci_h4.direction", "hci_h4.type", "bthci_cmd.opcode", "frame.time_delta")
    assert int(packets[0][2], 0) == RESET
    sides = {(int(code, 0), int(direction, 0)) for direction, code, _, _ in packets}
    assert sides & {(COMMAND, 1), (EVENT, 0)} == set() and {(COMMAND, 0), (EVENT, 1)} <= sides
    assert all(float(delta) >= 0 for *_, delta in packets)


def test_a_ride_has_the_instructions_and_identifiers_that_the_events_tell(tour: Tour):
    run = tour("regular")
    seen, events = instructions(run.capture), told(run.events)
    # One that the phone replaces while its parts are read is read once more, and told only then.
    torn = [one for one in seen if one not in events]
    assert all(len(street.encode()) > ONE_ANSWER for _, _, street in torn)
    assert without_repeats(one for one in seen if one not in torn) == events
    assert complaints_of_dissector(run.capture) == []
    rows = dissected(run.capture, "komoot.identifier", "btatt.opcode", "komoot.direction", "_ws.col.Info")
    assert {event["id"] for event in run.named("instruction")} <= {int(identifier, 0) for identifier, *_ in rows}
    # An iPhone's notification is an identifier alone.
    notified = [info for _, opcode, direction, info in rows if int(opcode, 0) == NOTIFICATION and not direction]
    assert notified and all("komoot: identifier 0x" in info for info in notified)


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


async def test_what_is_wrong_with_a_value_is_said_and_the_next_one_is_told(lenker, tmp_path):
    """One after the other; the identifier and the distance tell them apart."""
    capture = tmp_path / "radio.btsnoop"
    wrong = {
        "utf8": value(b"\xff\xfeWeg"),
        "cut": value("Straß".encode()[:-1], identifier=8),
        "control": value(b"Weg\x07", identifier=9),
        "unknown": value(b"Weg", direction=77, identifier=10),
        "short": value(b"", identifier=11)[:8],
        "long": value(b"a" * 600, identifier=12),
    }
    async with hostile_phone(value(b"Weg", distance=1), mtu=517) as phone:
        async with lenker(phone.port, f"btsnoop=file:{capture}") as firmware:
            for distance, content in enumerate(wrong.values(), 2):
                await firmware.log.wait_for("instruction", 30, distance=distance - 1)
                phone.script.say(content)
                for _ in range(2):  # what was asked for the second time had come the first time
                    await phone.script.next_reading()
                phone.script.say(value(b"Weg", distance=distance, identifier=20 + distance))
            await firmware.log.wait_for("instruction", 30, distance=len(wrong) + 1)
            await firmware.stop()
    assert complaints_of_dissector(capture) == list(wrong)
    assert firmware.log.malformed == []


def test_without_a_discovery_the_handle_must_be_given(tour: Tour, tmp_path):
    """As when a remembered phone is asked by the handles that it had."""
    whole, part = tour("regular").capture, tmp_path / "part.btsnoop"
    declaration = f"btatt contains {bytes(CHARACTERISTIC).hex(':')}"
    (handle,) = {int(row[0], 0) for row in dissected(whole, "btatt.handle", only="btatt.opcode == 0x1b and komoot")}
    command = ["tshark", "-r", whole, "-Y", f"not ({declaration})", "-F", "btsnoop", "-w", part]
    subprocess.run(command, capture_output=True, check=True)
    assert dissected(part, "frame.number") == []
    rows = dissected(part, "frame.number", handle=handle)
    assert len(rows) == len(dissected(whole, "frame.number"))
    assert bytes(CHARACTERISTIC).hex() in DISSECTOR.read_text("utf-8")

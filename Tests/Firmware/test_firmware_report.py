"""The rider's report: written by the real program, read by Wireshark's own reader, and replayed."""

import struct
from pathlib import Path

import pytest

from lenker_bench.programs.processes import running_phone
from recording import told, wait_for_instructions
from replay import events_of_replay, replay_of
from tshark import read

RECORD = struct.Struct(">IIIIQ")  # of btsnoop, as snoop has it in RFC 1761: two lengths, flags, drops, time
DISCONNECT = bytes.fromhex("01060403")  # H4 and HCI_Disconnect
NOTIFICATION = b"\x1b"  # behind the headers of H4, ACL and L2CAP


async def saved(firmware, path: Path) -> bytes:
    """Makes a report by the gesture, and reads it."""
    firmware.press("r")
    event = await firmware.log.wait_for("report", 30)
    assert (event["state"], event["path"]) == ("saved", str(path))
    return path.read_bytes()


def pictures(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.glob("frame-*.pbm"))]


@pytest.mark.parametrize(
    ("build", "kind"), [("regular", "ios-background"), ("armv6", "android-2019")], indirect=["build"]
)
async def test_the_report_of_a_ride_replays_without_a_divergence(build, kind, lenker, a_ride, tmp_path):
    report = tmp_path / "report.btsnoop"
    async with running_phone(
        "--ride", a_ride, "--kind", kind, "--pairing=just-works", "--drop-every=7", "--seed", 1
    ) as phone:
        settings = (f"report=file:{report}", "pairing=preferred", f"store={tmp_path / 'bond'}")
        async with lenker(phone.port, *settings) as firmware:
            firmware.press("a")
            await firmware.log.wait_for("pairing", 30, state="ask")
            firmware.press("a")
            await wait_for_instructions(firmware.log, 3)
            await saved(firmware, report)
            await firmware.stop()
    events = events_of_replay(report, tmp_path / "replay")
    assert len(told(events)) >= 3
    again, then = (pictures(folder) for folder in (tmp_path / "replay", tmp_path))
    assert len(again) >= 4 and again == then[: len(again)]


async def test_wireshark_reads_it(lenker, a_ride, tmp_path):
    report = tmp_path / "report.btsnoop"
    async with running_phone("--ride", a_ride, "--seed", 1) as phone:
        async with lenker(phone.port, f"report=file:{report}") as firmware:
            await firmware.log.wait_for("instruction", 30)
            await saved(firmware, report)
    packets = read(report, "hci_mon.opcode", "bthci_cmd.opcode", "btatt.opcode", "_ws.malformed")
    # Wireshark 4.0 takes the name in a line of text for a number, later versions do not; and it wants a byte in each
    # Read Blob Response, though at the end of a value there is none: Vol 3, Part F, 3.4.4.5.
    assert not any(malformed for kind, _, pdu, malformed in packets if int(kind, 0) != 13 and pdu != "0x0d")
    assert {int(opcode, 0) for opcode, *_ in packets} == {2, 3, 4, 5, 13}
    commands = [int(opcode, 0) for _, opcode, _, _ in packets if opcode]
    assert commands[0] == 0x0C03, "Reset comes first"


async def test_a_capture_replays_too(lenker, a_ride, tmp_path):
    capture = tmp_path / "radio.btsnoop"
    async with running_phone("--ride", a_ride, "--seed", 1) as phone:
        async with lenker(phone.port, f"btsnoop=file:{capture}") as firmware:
            await wait_for_instructions(firmware.log, 3)
            await firmware.stop()
    result = replay_of(capture, "pairing=off")
    assert result.returncode == 0, result.stdout + result.stderr

    capture.write_bytes(with_a_last_word(capture.read_bytes()))
    result = replay_of(capture, "pairing=off")
    assert result.returncode == 0, "what came when it ended needs no answer: " + result.stdout


def with_a_last_word(capture: bytes) -> bytes:
    """The phone notifies once more in the very turn in which the firmware ends the link."""
    header, rest = capture[:16], capture[16:]
    records = []
    while rest:
        size = RECORD.size + RECORD.unpack_from(rest)[1]
        records.append(rest[:size])
        rest = rest[size:]
    end = max(index for index, record in enumerate(records) if record[RECORD.size :].startswith(DISCONNECT))
    word = next(record for record in reversed(records[:end]) if record[RECORD.size + 9 :][:1] == NOTIFICATION)
    *facts, _ = RECORD.unpack_from(word)
    time = RECORD.unpack_from(records[end])[-1]
    records.insert(end, RECORD.pack(*facts, time) + word[RECORD.size :])
    return header + b"".join(records)


@pytest.mark.parametrize(
    ("content", "status", "complaint"),
    [
        (None, 66, "cannot be read"),
        (b"", 65, "is empty, or a report that was not written to its end"),
        (b"# a board file\n", 65, "is no btsnoop file"),
        (b"btsnoop\0\0\0\0\1\0\0\3\xea" + b"\0\0\0\5" * 3, 65, "byte 16: the record is cut off or damaged"),
    ],
)
def test_what_is_no_recording_is_named(tmp_path, content, status, complaint):
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    result = replay_of(path)
    assert result.returncode == status
    assert result.stderr.startswith(f"replay: {path}: ") and complaint in result.stderr

"""Captures of HCI packets, as Wireshark's own reader understands them."""

import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

FILE_HEADER = 16
RECORD = struct.Struct(">IIIIQ")  # of btsnoop, as snoop has it in RFC 1761: two lengths, flags, drops, time
ACL, CONTINUATION, ATTRIBUTE_CHANNEL = 0x02, 0b01, b"\x04\x00"
MTU_EXCHANGE = (0x02, 0x03)  # one MTU holds for both
WARNING = 0x600000  # PI_WARN; an error is more
MALFORMED = "Malformed Packet (Exception occurred)"
READ_BLOB_RESPONSE = 0x0D


def read(capture: Path, *fields: str, only: str = "", options: Sequence[str] = ()) -> list[list[str]]:
    """One list of these fields for each packet, or for those that pass the display filter `only`."""
    named = [option for field in fields for option in ("-e", field)]
    result = subprocess.run(
        ["tshark", *options, "-r", str(capture), "-Y", only, "-T", "fields", "-E", "aggregator=;", *named],
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.split("\t") for line in result.stdout.splitlines()]


@dataclass(frozen=True)
class Complaint:
    """A packet that Wireshark calls malformed or cut, or warns of."""

    capture: str
    frame: int
    is_sent: bool
    message: str
    opcode: int | None
    """Of the attribute PDU in it."""


def complaints(capture: Path) -> list[Complaint]:
    """All of a capture, in its order."""
    fields = ("frame.number", "hci_h4.direction", "_ws.expert.message", "btatt.opcode")
    wrong = f"_ws.malformed || _ws.short || _ws.expert.severity >= {WARNING}"
    return [
        Complaint(capture.stem, int(frame), int(direction, 0) == 0, message, int(opcode, 0) if opcode else None)
        for frame, direction, message, opcode in read(capture, *fields, only=wrong)
    ]


def is_explained(found: Complaint) -> bool:
    """An empty Read Blob Response says that the value has ended (Vol 3, Part F, 3.4.4.6); Wireshark wants a byte."""
    return found.message == MALFORMED and found.opcode == READ_BLOB_RESPONSE and not found.is_sent


def records(capture: Path) -> Iterator[tuple[bytes, bytes]]:
    """Each record of a capture, and the packet in it."""
    content, position = capture.read_bytes(), FILE_HEADER
    while position < len(content):
        length = RECORD.unpack_from(content, position)[1]
        end = position + RECORD.size + length
        yield content[position:end], content[position + RECORD.size : end]
        position = end


def halves(capture: Path, folder: Path) -> tuple[Path, Path]:
    """The capture without what the phone asks of our server, and without what we ask of the phone's.

    On a link on which both sides ask at the same time, Wireshark takes the answer to the one for that to the other.
    """
    content = capture.read_bytes()
    ours, phones = bytearray(content[:FILE_HEADER]), bytearray(content[:FILE_HEADER])
    both = (ours, phones)
    kept = [both, both]
    for record, packet in records(capture):
        is_received = RECORD.unpack_from(record)[2] & 1
        if packet[0] == ACL and packet[2] >> 4 & 3 != CONTINUATION:
            kept[is_received] = both
            if packet[7:9] == ATTRIBUTE_CHANNEL and packet[9] not in MTU_EXCHANGE:
                kept[is_received] = (ours,) if packet[9] & 1 == is_received else (phones,)
        for half in kept[is_received] if packet[0] == ACL else both:
            half.extend(record)
    paths = folder / f"{capture.stem}-ours.btsnoop", folder / f"{capture.stem}-phones.btsnoop"
    for path, half in zip(paths, (ours, phones), strict=True):
        path.write_bytes(half)
    return paths

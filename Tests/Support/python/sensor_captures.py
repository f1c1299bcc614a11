"""What sensors said in a capture, as Wireshark reads it, and what is to be told of it."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from tshark import ACL, FILE_HEADER, read, records

CIRCUMFERENCE = 2105  # millimetres; the default
LIFETIME = 2.1  # seconds: each sensor says something each second, and figures are told once a second
TOLERANCE = 0.1  # seconds between the clocks of capture and events
LE_META, CONNECTION_COMPLETE = b"\x04\x3e", 0x01

Row = list[int | None]
Figures = dict[str, int | None]

FIELDS = {
    "heart": ("value.8", "value.16", "flags.sensor_contact_status.support", "flags.sensor_contact_status.contact"),
    "speed": ("cumulative_wheel_revolutions", "cumulative_crank_revolutions", "last_event_time"),
    "power": (
        *("wheel_revolution_data_cumulative_wheel_revolutions", "wheel_revolution_data_last_wheel_event_time"),
        *("crank_revolution_data_cumulative_crank_revolutions", "crank_revolution_data_last_crank_event_time"),
        "instantaneous_power",
    ),
}
PROTOCOL = {"heart": "heart_rate_measurement", "speed": "csc_measurement", "power": "cycling_power_measurement"}
RESOLUTION = {"speed": 1024, "power": 2048}  # of the wheel's times


def dissected(capture: Path, kind: str) -> list[tuple[float, Row]]:
    """The time and the fields of each notified value of a kind; the time counts from the first packet."""
    fields = [f"btatt.{PROTOCOL[kind]}.{name}" for name in FIELDS[kind]]
    only = f"btatt.opcode == 0x1b && btatt.{PROTOCOL[kind]}.flags"
    found = []
    for part in parts(capture):
        for time, *texts in read(part, "frame.time_relative", *fields, only=only):
            row = with_own_times(*texts) if kind == "speed" else texts
            found.append((float(time), [int(field, 0) if field else None for field in row]))
    return sorted(found, key=lambda value: value[0])


def parts(capture: Path) -> list[Path]:
    """The capture once for each peer, without the data of the others.

    Wireshark takes an attribute handle for the same attribute on all links.
    """
    contents: dict[bytes, bytearray] = {}
    peers: dict[int, bytes] = {}
    shared = bytearray(capture.read_bytes()[:FILE_HEADER])
    for record, packet in records(capture):
        if packet[:2] == LE_META and packet[3] == CONNECTION_COMPLETE:
            handle, peer = int.from_bytes(packet[5:7], "little"), packet[9:15]
            peers[handle] = peer
            contents.setdefault(peer, bytearray(shared))
        if packet[0] != ACL:
            shared += record
        owner = peers.get(int.from_bytes(packet[1:3], "little") & 0x0FFF) if packet[0] == ACL else None
        for peer, content in contents.items():
            if packet[0] != ACL or peer == owner:
                content.extend(record)
    paths = []
    for peer, content in contents.items():
        paths.append(capture.with_name(f"{capture.stem}-{peer[::-1].hex()}.btsnoop"))
        paths[-1].write_bytes(content)
    return paths


def with_own_times(wheel: str, crank: str, times: str) -> list[str]:
    """Wireshark gives the times of wheel and crank the same name."""
    first, _, last = times.partition(";")
    return [wheel, first if wheel else "", crank, (last or first) if crank else ""]


def heart_of(row: Row) -> int | None:
    short, long, is_supported, is_there = row
    return None if is_supported and not is_there else short if short is not None else long


def rate(before: tuple, after: tuple, unit: int) -> int | None:
    """Of something that turned between two values; none if it is not in both, or did not turn."""
    if None in (*before, *after) or not (ticks := (after[1] - before[1]) % 2**16):
        return None
    turns = (after[0] - before[0]) % 2**16
    return (2 * turns * unit + ticks) // (2 * ticks) if turns else None


def figures_of(kind: str, before: Row, row: Row) -> Figures:
    """What is to be told of a value, by its fields and those of the one before."""
    if kind == "heart":
        return {"heart": heart_of(row)}
    found = {
        "speed": rate(tuple(before[:2]), tuple(row[:2]), CIRCUMFERENCE * RESOLUTION[kind]),
        "cadence": rate(tuple(before[2:4]), tuple(row[2:4]), 60 * 1024),
    }
    return found | ({"power": row[4]} if kind == "power" else {})


def untold(capture: Path, events: Iterable[dict]) -> list[tuple[float, str, int]]:
    """Time, name and value of each figure among the events that follows from no value of the time before it."""
    said: list[tuple[float, str, int | None]] = []
    for kind in FIELDS:
        rows = dissected(capture, kind)
        for (_, before), (time, row) in pairwise([*rows[:1], *rows]):
            said += [(time, name, value) for name, value in figures_of(kind, before, row).items()]
    return [
        (event["t"], name, value)
        for event in events
        if event["event"] == "measure"
        for name, value in event.items()
        if name in ("heart", "speed", "cadence", "power")
        if not any(
            (name, value) == (other, told) and -LIFETIME < time - event["t"] < TOLERANCE for time, other, told in said
        )
    ]

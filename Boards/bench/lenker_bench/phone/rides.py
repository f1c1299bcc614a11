"""Rides: what a phone says while it navigates, read from a file.

Two formats are known by their content:

* the bench's own, `milliseconds,direction,distance,street` with that header, quoted as RFC 4180;
* the logs that komoot's iOS app recorded, fourteen columns without a header.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

OWN_RIDE = Path(__file__).resolve().parents[2] / "rides" / "lenker-tour.csv"

HEADER = ["milliseconds", "direction", "distance", "street"]

LOG_COLUMNS = 14
LOG_KIND, LOG_STREET, LOG_TEXT, LOG_ICON, LOG_DIRECTION, LOG_RECEIVED = 0, 8, 9, 10, 11, 12

# The recorded START rows carry code 5 (left), but show the start arrow and no turn.
START_DIRECTION = 2

WANTED = (
    f"a ride is a text file with the header {','.join(HEADER)}, or a log of komoot's app with {LOG_COLUMNS} columns"
)
BEGINNING = 40  # letters of another kind of file that are shown

DISTANCE_TEXT = re.compile(r"In (\d+(?:[.,]\d+)?) (m|km)")
NO_DISTANCE_TEXTS = {"Now", "Jetzt", "Follow", "Folgen"}


class RideError(Exception):
    """A ride file that cannot be used; the message names file, line and reason."""


@dataclass(frozen=True)
class Step:
    """One instruction of a ride.

    `milliseconds` counts from the start of the ride, `distance` is in metres.
    """

    milliseconds: int
    direction: int
    distance: int
    street: str


def read_ride(path: Path) -> list[Step]:
    """Reads a ride of either format; its first step is at 0 ms. Raises `RideError`."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RideError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise RideError(f"{path}:{line}: not UTF-8: byte 0x{error.object[error.start]:02x}; {WANTED}") from error
    if not text.strip():
        raise RideError(f"{path}:1: the ride is empty")
    steps_of = _reader(path, text)
    if steps_of is None:
        raise RideError(f"{path}:1: this is no ride: {WANTED}; this one begins with '{_beginning(text)}'")
    rows = list(_rows(path, text))
    steps = steps_of(path, rows)
    if not steps:
        raise RideError(f"{path}:{rows[-1][0]}: the ride has no instruction")
    start = steps[0].milliseconds
    return [Step(s.milliseconds - start, s.direction, s.distance, s.street) for s in steps]


def _reader(path: Path, text: str) -> Callable[[Path, list[tuple[int, list[str]]]], list[Step]] | None:
    """The function that reads a file of this kind; none if it is no ride."""
    rows = (row for _, row in _rows(path, text))
    try:
        first = next(rows)
        if first == HEADER:
            return _own_steps
        # A log may begin with its route, encoded in one column.
        if len(first) == 1:
            first = next(rows, [])
    except RideError:
        return None
    return _log_steps if len(first) == LOG_COLUMNS else None


def _beginning(text: str) -> str:
    line = text.strip().splitlines()[0]
    shown = "".join(letter if letter.isprintable() else "·" for letter in line[:BEGINNING])
    return shown if len(line) <= BEGINNING else f"{shown}…"


def _rows(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yields each row with the number of its first line, empty lines left out."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise RideError(f"{path}:{line}: {error}") from error


def _own_steps(path: Path, rows: list[tuple[int, list[str]]]) -> list[Step]:
    steps: list[Step] = []
    for line, row in rows[1:]:
        where = f"{path}:{line}"
        if len(row) != len(HEADER):
            raise RideError(f"{where}: {len(row)} columns instead of {','.join(HEADER)}")
        steps.append(
            Step(
                _number(where, "milliseconds", row[0], 2**53),
                _number(where, "direction", row[1], 0xFF),
                _number(where, "distance", row[2], 0xFFFF_FFFF),
                row[3],
            )
        )
        _check_order(where, steps)
    return steps


def _log_steps(path: Path, rows: list[tuple[int, list[str]]]) -> list[Step]:
    if len(rows[0][1]) == 1:
        rows = rows[1:]
    steps: list[Step] = []
    for line, row in rows:
        where = f"{path}:{line}"
        if len(row) != LOG_COLUMNS:
            raise RideError(f"{where}: {len(row)} columns; a recorded log has {LOG_COLUMNS}")
        is_start = row[LOG_KIND] == "START"
        direction = _number(where, "direction", row[LOG_DIRECTION], 0xFF)
        steps.append(
            Step(
                _log_time(where, row[LOG_RECEIVED]),
                START_DIRECTION if is_start else direction,
                _log_distance(where, row[LOG_TEXT]),
                row[LOG_STREET],
            )
        )
        _check_order(where, steps)
    return steps


def _number(where: str, name: str, text: str, maximum: int) -> int:
    if not re.fullmatch(r"[0-9]{1,16}", text) or int(text) > maximum:
        raise RideError(f"{where}: {name} '{text}' is not a whole number from 0 to {maximum}")
    return int(text)


def _log_time(where: str, text: str) -> int:
    try:
        return int(Decimal(text))
    except (InvalidOperation, ValueError, OverflowError) as error:
        raise RideError(f"{where}: time received '{text}' is not milliseconds") from error


def _log_distance(where: str, text: str) -> int:
    if text in NO_DISTANCE_TEXTS:
        return 0
    match = DISTANCE_TEXT.fullmatch(text)
    if not match:
        raise RideError(f"{where}: no distance in '{text}'; known are 'In 110 m', 'In 1.2 km', 'Now' and 'Follow'")
    metres = Decimal(match[1].replace(",", ".")) * (1000 if match[2] == "km" else 1)
    return int(metres)


def _check_order(where: str, steps: list[Step]) -> None:
    if len(steps) > 1 and steps[-1].milliseconds < steps[-2].milliseconds:
        raise RideError(f"{where}: earlier than the line before it")

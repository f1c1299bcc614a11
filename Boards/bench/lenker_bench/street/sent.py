"""Everything that was on the air, in a file: what a program that scans must have printed, field by field."""

import json
from collections.abc import Callable
from pathlib import Path

from bumble import hci

from ..wire.advertising import UNKNOWN_STRENGTH, Advertisement, ReportType

NAMES = {
    ReportType.ADV_IND: "connectable",
    ReportType.ADV_DIRECT_IND: "directed",
    ReportType.ADV_SCAN_IND: "scannable",
    ReportType.ADV_NONCONN_IND: "nonconnectable",
    ReportType.SCAN_RSP: "scan-response",
}


def type_of(address: hci.Address) -> str:
    """`public`, `resolvable`, or `random` for any other random one."""
    if address.is_public:
        return "public"
    return "resolvable" if address.is_resolvable else "random"


class SentFile:
    """A JSON object for each PDU, as a scanner's `on_pdu` is told of it; `reported` says whether the host was, too."""

    def __init__(self, path: Path, seconds: Callable[[], float]) -> None:
        """`seconds` is the clock of the lines. Raises `OSError`."""
        self._file = path.open("w", encoding="ascii")
        self._seconds = seconds

    def write(
        self, advertisement: Advertisement, kind: ReportType, data: bytes, strength: int, is_reported: bool
    ) -> None:
        address = advertisement.advertiser_address
        line = {
            "t": round(self._seconds(), 3),
            "address": address.to_string(False),
            "type": type_of(address),
            "kind": NAMES[kind],
            "rssi": None if strength == UNKNOWN_STRENGTH else strength,
            "data": data.hex(),
            "reported": is_reported,
        }
        self._file.write(json.dumps(line) + "\n")

    def close(self) -> None:
        self._file.close()

"""Captures of HCI packets, as Wireshark's own reader understands them."""

import subprocess
from pathlib import Path


def read(capture: Path, *fields: str) -> list[list[str]]:
    """One list of these fields for each packet."""
    options = [option for field in fields for option in ("-e", field)]
    result = subprocess.run(
        ["tshark", "-r", str(capture), "-T", "fields", *options], capture_output=True, text=True, timeout=60, check=True
    )
    return [line.split("\t") for line in result.stdout.splitlines()]

"""A ride in virtual time: the firmware's device with a phone, without a process, a radio or a clock."""

import dataclasses
import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ..phone.rides import Step


class SettingError(Exception):
    """A board key that the firmware refuses."""


def ride_in_virtual_time(command: list[str], steps: Sequence[Step], settings: Sequence[str], folder: Path) -> None:
    """Leaves pictures and events in the folder, the same ones each time. Raises `SettingError`."""
    ride = json.dumps([dataclasses.asdict(step) for step in steps])
    result = subprocess.run([*command, folder, *settings], input=ride, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        complaint = result.stderr.strip()
        raise SettingError(re.sub(r"^argument:(\d+)", lambda place: settings[int(place[1]) - 1], complaint))

"""The firmware's builds: one command line for each machine that it is built for."""

import os
import shlex
import shutil
from pathlib import Path

import pytest

from lenker_bench.programs.processes import ROOT

BUILDS: dict[str, list[str]] = {
    "regular": shlex.split(os.environ.get("LENKER", str(ROOT / ".build" / "release" / "lenker"))),
    "armv6": [
        "qemu-arm",
        "-cpu",
        "arm1176",
        str(ROOT / ".build" / "pi-zero-w" / "lenker"),
    ],
    "aarch64": [
        "qemu-aarch64",
        str(ROOT / ".build" / "pi-zero-2-w" / "lenker"),
    ],
}
HOW_TO_BUILD = {
    "regular": "swift build -c release --product lenker",
    "armv6": "Boards/pi-zero-w/build",
    "aarch64": "Boards/pi-zero-2-w/build",
}


AARCH64 = pytest.param("aarch64", marks=pytest.mark.nightly)
every_build = pytest.mark.parametrize("build", ["regular", "armv6", AARCH64], indirect=True)
regular_and_armv6 = pytest.mark.parametrize("build", ["regular", "armv6"], indirect=True)
LATER_ARMV6 = pytest.param("armv6", marks=pytest.mark.thorough)
regular_and_later_armv6 = pytest.mark.parametrize("build", ["regular", LATER_ARMV6], indirect=True)
"""For what takes long: the second build is for `Tests/run all`."""
regular_and_aarch64 = pytest.mark.parametrize("build", ["regular", AARCH64], indirect=True)
"""For `lenker-scan`, which no card has."""


def command_of(build: str) -> list[str]:
    """The command that runs this build.

    A build for a board that is not there skips the test, or fails it where LENKER_ALL_BUILDS is set.
    """
    command = BUILDS[build]
    missing = []
    if not any(Path(part).is_file() for part in command):
        missing.append(f"no firmware at {command[-1]}; build it with {HOW_TO_BUILD[build]}")
    if build != "regular" and shutil.which(command[0]) is None:
        missing.append(f"no {command[0]}; install it with Boards/install boards")
    if missing and (build == "regular" or os.environ.get("LENKER_ALL_BUILDS")):
        pytest.fail("; ".join(missing))
    if missing:
        pytest.skip("; ".join(missing))
    return command


def scan_command_of(build: str) -> list[str]:
    """The command that runs this build of the tool that scans; it is beside that of the firmware."""
    *emulator, firmware = command_of(build)
    program = Path(firmware).with_name("lenker-scan")
    if not program.is_file():
        pytest.fail(f"no tool at {program}; build it with {HOW_TO_BUILD[build].replace('lenker', 'lenker-scan')}")
    return [*emulator, str(program)]

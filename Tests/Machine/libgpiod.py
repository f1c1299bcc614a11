"""The firmware with either libgpiod: 1.6, which is installed, and 2, which comes from Debian's backports.

Only `CLinux/gpio.c` sees which one it is. So the second firmware is the first one with that file compiled again, by the
very commands of the package's own build with the other header and library.
"""

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from builds import HOW_TO_BUILD, command_of
from lenker_bench.programs.processes import ROOT
from machine import HERE

LIBGPIOD_1, LIBGPIOD_2 = "libgpiod-1.6", "libgpiod-2"
UNPACKED = ROOT / ".build" / "libgpiod-2"

with_either_libgpiod = pytest.mark.parametrize(
    "archive", [LIBGPIOD_1, pytest.param(LIBGPIOD_2, marks=pytest.mark.thorough)], indirect=True
)
"""The test's machine has the firmware with the one, and then, for `Tests/run all`, with the other."""
beside_the_chip = pytest.mark.parametrize("archive", [LIBGPIOD_1], indirect=True)
"""The test shares the machine of those with the first."""


def firmware_with(library: str) -> Path:
    """The firmware that is linked with this library."""
    regular = Path(command_of("regular")[0])
    return regular if library == LIBGPIOD_1 else _relinked(regular.parent, regular.name)


def _relinked(program_folder: Path, name: str) -> Path:
    """The last build's firmware, linked with libgpiod 2."""
    fetched = subprocess.run([HERE / "libgpiod-2"], capture_output=True, text=True, check=False)
    if fetched.returncode == 69:
        pytest.skip(fetched.stderr.splitlines()[-1])
    assert fetched.returncode == 0, fetched.stderr
    commands = _commands_of_build(program_folder.name)
    object_file, program = UNPACKED / "gpio.o", UNPACKED / name
    headers = UNPACKED / "usr" / "include"
    (libraries,) = {library.parent for library in UNPACKED.glob("usr/lib/**/libgpiod.so")}

    compilation = _only(command for command in commands if "-c" in command and _output(command).endswith("/gpio.c.o"))
    original = _output(compilation)
    # It writes what it included too, which is for the package's own build and must stay as it is.
    included = original.removesuffix(".o") + ".d"
    _run(compilation, {original: str(object_file), included: f"{object_file}.d"}, "-isystem", str(headers))

    linking = _only(
        command for command in commands if "-emit-executable" in command and Path(_output(command)).name == name
    )
    (old_list,) = [word for word in linking if word.endswith("LinkFileList")]
    files = Path(old_list.removeprefix("@")).read_text().replace(original, str(object_file))
    assert str(object_file) in files, f"{original} is no part of {name}"
    new_list = UNPACKED / "objects"
    new_list.write_text(files)
    options = ["-L", str(libraries), "-Xlinker", f"-rpath={libraries}"]
    _run(linking, {_output(linking): str(program), old_list: f"@{new_list}"}, *options)
    return program


def _commands_of_build(configuration: str) -> list[list[str]]:
    """Each command of the package's last build, as the package manager left them for its own builder."""
    plan = ROOT / ".build" / f"{configuration}.yaml"
    assert plan.exists(), f"no {plan}; make it with {HOW_TO_BUILD['regular']}"
    lines = (line.strip() for line in plan.read_text().splitlines())
    return [json.loads(line.removeprefix("args: ")) for line in lines if line.startswith("args: [")]


def _only(commands: Iterable[list[str]]) -> list[str]:
    found = list(commands)
    assert len(found) == 1, f"not one such command in the build, but {len(found)}: is it another package manager?"
    return found[0]


def _output(command: list[str]) -> str:
    return command[command.index("-o") + 1] if "-o" in command else ""


def _run(command: list[str], replaced: dict[str, str], *options: str) -> None:
    """Runs a command of the build with other files, and more options before its own."""
    words = [replaced.get(word, word) for word in command if word != "-v"]
    done = subprocess.run([words[0], *options, *words[1:]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

"""Which program guard starts: Boards/pi-zero-w/update.c, compiled for this machine, with checks of its memory."""

import subprocess
from pathlib import Path

from lenker_bench.programs.processes import ROOT
from machine import HERE
from updates import number

BOARD = ROOT / "Boards" / "pi-zero-w"


class Decider:
    """update.c, and where it puts the program that it takes."""

    def __init__(self, folder: Path, own_version: str) -> None:
        self.program = folder / "lenker"
        self._command = folder / "update"
        own = [f'-DOWN_VERSION="{own_version}"', f"-DOWN_NUMBER={number(own_version)}", '-DBOARD="pi-zero-w"']
        checks = ["-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover"]
        sources = [HERE / "update_main.c", BOARD / "update.c", BOARD / "keep.c"]
        subprocess.run(["cc", *checks, *own, f"-I{BOARD}", "-o", self._command, *sources], check=True)

    def __call__(self, *drives: Path) -> list[tuple[str, str]]:
        """For each drive the version that is started, or `-` for the image's own, and what is said."""
        result = subprocess.run([self._command, self.program, *drives], check=True, capture_output=True, text=True)
        assert not self.program.with_suffix(".new").exists()
        found = [tuple(block.split("\n", 1)) for block in result.stdout.split("\n\n")[:-1]]
        assert len(found) == len(drives)
        return [(version, "".join(said)) for version, *said in found]

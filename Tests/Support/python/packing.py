"""The package for Raspberry Pi OS as the tests have it: made once, whichever of them want it."""

import os
import subprocess
from pathlib import Path

from builds import command_of
from lenker_bench.programs.processes import ROOT

BOARD = ROOT / "Boards" / "pi-zero-2-w"


def pack(**variables: str) -> Path:
    """Packs the binary that is there, with these environment variables; the package."""
    command = [BOARD / "deb", command_of("aarch64")[-1]]
    result = subprocess.run(
        command, env={**os.environ, **variables}, cwd="/", capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return Path(result.stdout.splitlines()[-1])

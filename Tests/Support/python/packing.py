"""The package for Raspberry Pi OS as the tests have it: made once, whichever of them want it."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

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


@pytest.fixture(scope="session")
def package(tmp_path_factory) -> Path:
    """The package, in a place where nobody makes it anew, the same for all processes of a run."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with open(folder / "package.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = sorted(folder.glob("*.deb"))
        return made[0] if made else Path(shutil.copy(pack(), folder))

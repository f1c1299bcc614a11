"""What several files of tests of the real program share: the tour."""

import asyncio
import fcntl
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from lenker_bench.phone.rides import OWN_RIDE
from recording import Recording
from touring import Tour, ridden, ride


@pytest.fixture(scope="session")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Tour:
    """`tour(build)` is our own ride, ridden once by that build for all of pytest's workers."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def tour(build: str) -> Recording:
        folder = shared / f"tour-{build}"
        with open(shared / f"tour-{build}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                with tempfile.TemporaryDirectory(dir=shared) as unfinished:
                    asyncio.run(ride(build, Path(unfinished), OWN_RIDE))
                    shutil.copytree(unfinished, folder)
        return ridden(folder)

    return tour

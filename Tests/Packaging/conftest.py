"""The package for Raspberry Pi OS, made once for all of its tests, at night: it has the build for AArch64."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest

from packing import pack


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "package" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.nightly)


@pytest.fixture(scope="session")
def package(tmp_path_factory) -> Path:
    """The package, in a place where nobody makes it again, the same for all processes of a run."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with open(folder / "package.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = sorted(folder.glob("*.deb"))
        return made[0] if made else Path(shutil.copy(pack(), folder))

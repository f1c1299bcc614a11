"""Fixtures of the tests in the virtual machine.

A test may be a coroutine. It takes the fixture `machine`:

    async def test_it_is_up(machine):
        async with machine() as pc:
            assert await pc.run("uname") == "Linux"
"""

import asyncio
import fcntl
import inspect
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from bonding import riders_phone
from builds import command_of
from card import Card, copy_of, make_image
from hostile_phone import HostilePhone
from initramfs import Archive
from libgpiod import LIBGPIOD_1, LIBGPIOD_2, firmware_with
from machine import HERE, Machine, first_file_system, running_machine
from pi import BUTTONS, set_board

RUNNER = asyncio.Runner()
SHARED = ["test_service.py", LIBGPIOD_1, LIBGPIOD_2]


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a coroutine test in the event loop of all."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    RUNNER.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


class MachineScheduling(LoadScopeScheduling):
    """Tests that share a machine, or are to have the same firmware made, run in one worker."""

    def _split_scope(self, nodeid: str) -> str:
        return next((shared for shared in SHARED if shared in nodeid), nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> MachineScheduling | None:
    """Takes the place of `--dist loadscope`."""
    return MachineScheduling(config, log) if config.getoption("dist") == "loadscope" else None


@pytest.fixture(scope="session")
def archive(request: pytest.FixtureRequest) -> Archive:
    """What the machine is started from, see `with_either_libgpiod` for its one parameter."""
    subprocess.run([HERE / "prepare"], check=True)
    return first_file_system(firmware_with(getattr(request, "param", LIBGPIOD_1)))


@pytest.fixture(scope="session")
def card_image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The card of the Pi Zero W, one for all workers of a run; see `card.copy_of` for one that is written to."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    path = folder / "lenker.img"
    with (folder / "lenker.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            make_image(path, command_of("armv6")[-1])
    return path


@pytest.fixture
def card(card_image: Path, tmp_path: Path) -> Card:
    """A card that has not been used; lenker tells its events, and a fifo takes the place of the buttons."""
    card = copy_of(card_image, tmp_path / "card.img")
    set_board(card, {"events": "stderr", "buttons": f"fifo:{BUTTONS}"})
    return card


@pytest.fixture
def machine(archive: Archive, tmp_path: Path) -> Callable[..., AbstractAsyncContextManager[Machine]]:
    """`machine(radio=PORT)` starts a machine, see `running_machine`."""
    return lambda **options: running_machine(archive, tmp_path, **options)


@pytest.fixture(scope="session")
def started(archive: Archive, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    starting = running_machine(archive, tmp_path_factory.mktemp("alone"), is_alone=True)
    pc = RUNNER.run(starting.__aenter__())
    RUNNER.run(pc.add_chip())
    yield pc
    RUNNER.run(starting.__aexit__(None, None, None))


@pytest.fixture
def chip_pc(started: Machine) -> Iterator[Machine]:
    """A machine with a GPIO chip and a time of its own, shared by many tests, as it takes long to start one."""
    yield started
    RUNNER.run(started.clear_chip())


@pytest.fixture
def phone() -> Callable[..., AbstractAsyncContextManager[HostilePhone]]:
    """`riders_phone`: its chip is one that the kernel can set up, too."""
    return riders_phone

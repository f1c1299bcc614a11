"""Fixtures of the tests of the firmware, the bench and the packages.

A test may be a coroutine. A test of the real firmware takes the fixture `lenker`:

    async def test_it_shows_the_first_instruction(lenker, a_ride):
        async with running_phone("--ride", a_ride) as phone, lenker(phone.port) as firmware:
            await firmware.log.wait_for("instruction", direction=2)

It is the build for this machine, unless a mark of `builds` asks for others:

    @every_build
    async def test_it_rides(build, lenker): ...

The environment variable LENKER names another way to run it, such as `qemu-arm -cpu arm1176 PATH`.
"""

import asyncio
import contextlib
import inspect
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from builds import command_of, scan_command_of
from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import FirmwareProcess, running_firmware
from virtual_time import VirtualTimeLoop


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a coroutine test in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    loop_factory = VirtualTimeLoop if pyfuncitem.get_closest_marker("virtual_time") else None
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        runner.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture
def build(request: pytest.FixtureRequest) -> str:
    """Which build of the firmware is tested: see `builds`."""
    return getattr(request, "param", "regular")


@pytest.fixture
def lenker_command(build: str) -> list[str]:
    return command_of(build)


@pytest.fixture
def scan_command(build: str) -> list[str]:
    """The tool that scans, in this build."""
    return scan_command_of(build)


@pytest.fixture
def lenker(lenker_command: list[str], tmp_path: Path) -> Callable[..., contextlib.AbstractAsyncContextManager]:
    """`lenker(port, *keys)` runs the firmware with its radio at that port, all its outputs below `tmp_path`.

    A key of the test's own replaces the usual one. What the firmware says on standard error is shown when a test fails.
    """

    @contextlib.asynccontextmanager
    async def start(port: int, *keys: str) -> AsyncIterator[FirmwareProcess]:
        outputs = Outputs(tmp_path)
        own_names = {key.partition("=")[0] for key in keys}
        usual = [f"{name}={value}" for name, value in outputs.keys(port).items() if name not in own_names]
        try:
            async with running_firmware(
                lenker_command,
                [*usual, *keys],
                events=outputs.events,
                buttons=outputs.buttons,
                log=outputs.firmware_log,
            ) as firmware:
                yield firmware
        finally:
            print(outputs.firmware_log.read_text("utf-8", "replace"))

    return start


@pytest.fixture
def a_ride(tmp_path: Path) -> Path:
    """A ride of four instructions, a second apart."""
    path = tmp_path / "ride.csv"
    path.write_text(
        "milliseconds,direction,distance,street\n"
        "0,2,0,Lennéstraße\n"
        "1000,5,110,Voßstraße\n"
        "2000,5,100,Voßstraße\n"
        "3000,3,0,\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port of this machine where nobody listens, and that nobody else is given; a server may still take it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", 0))
        yield probe.getsockname()[1]

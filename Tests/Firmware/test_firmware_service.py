"""The program under a service manager, which is a datagram socket here: what it hears, and when it hears nothing.

sd_notify(3) and sd_watchdog_enabled(3).
"""

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from builds import every_build
from lenker_bench.programs.processes import FirmwareProcess, running_firmware

LONG = 60.0  # seconds for what takes a moment
TIMEOUT = 0.3  # seconds, of a watchdog that is impatient
FOR_THIS_PROCESS, FOR_ANOTHER = "$$", "1"
START_WITH_ITS_NUMBER = 'WATCHDOG_PID=%s exec "$@"'


class ServiceManager:
    """Listens at a path, or at an abstract name that begins with @."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.bind("\0" + name[1:] if name.startswith("@") else name)

    def close(self) -> None:
        self._socket.close()

    async def hear(self, timeout: float = LONG) -> str:
        """The next that it is told."""
        return (await asyncio.wait_for(asyncio.get_running_loop().sock_recv(self._socket, 4096), timeout)).decode()

    def heard(self) -> list[str]:
        """What it has been told and has not looked at yet."""
        messages = []
        with contextlib.suppress(BlockingIOError):
            while True:
                messages.append(self._socket.recv(4096).decode())
        return messages


@pytest.fixture(params=["path", "abstract"])
def manager(request, tmp_path):
    name = str(tmp_path / "notify") if request.param == "path" else f"@lenker-test-{os.getpid()}"
    manager = ServiceManager(name)
    yield manager
    manager.close()


@pytest.fixture
def service(lenker_command: list[str], closed_port: int, manager: ServiceManager, tmp_path: Path):
    """`service(watched)` runs the program with this manager, a watchdog for that process, and no device at all."""
    keys = [f"hci=tcp:127.0.0.1:{closed_port}", f"display=pbm:{tmp_path}/frames", f"store={tmp_path}/bond"]

    def run(watched: str = FOR_THIS_PROCESS) -> contextlib.AbstractAsyncContextManager[FirmwareProcess]:
        variables = [f"NOTIFY_SOCKET={manager.name}", f"WATCHDOG_USEC={TIMEOUT * 1e6:.0f}"]
        numbered = ["sh", "-c", START_WITH_ITS_NUMBER % watched, "sh", *lenker_command]
        events = tmp_path / "events.jsonl"
        return running_firmware(["env", *variables, *numbered], [*keys, f"events=file:{events}"], events=events)

    return run


Service = Callable[..., contextlib.AbstractAsyncContextManager[FirmwareProcess]]


async def end(firmware: FirmwareProcess) -> None:
    firmware.process.send_signal(signal.SIGTERM)
    assert await asyncio.wait_for(firmware.process.wait(), LONG) == 0


@every_build
async def test_it_hears_the_beginning_signs_of_life_and_the_end(build, service: Service, manager):
    async with service() as firmware:
        assert await manager.hear() == "READY=1"
        for _ in range(4):
            assert await manager.hear() == "WATCHDOG=1"
        await end(firmware)
    *before, last = manager.heard()
    assert last == "STOPPING=1" and set(before) <= {"WATCHDOG=1"}


async def test_a_process_that_hangs_gives_no_sign_of_life(service: Service, manager):
    async with service() as firmware:
        assert await manager.hear() == "READY=1"
        assert await manager.hear() == "WATCHDOG=1"
        firmware.process.send_signal(signal.SIGSTOP)
        # It has stopped when this returns, and what it said before is there.
        await asyncio.to_thread(os.waitid, os.P_PID, firmware.process.pid, os.WSTOPPED | os.WNOWAIT)
        manager.heard()
        with pytest.raises(TimeoutError):
            await manager.hear(2 * TIMEOUT)
        firmware.process.send_signal(signal.SIGCONT)
        assert await manager.hear() == "WATCHDOG=1"


async def test_a_watchdog_of_another_process_is_not_fed(service: Service, manager):
    async with service(watched=FOR_ANOTHER) as firmware:
        assert await manager.hear() == "READY=1"
        # It lives for longer than its own watchdog would wait.
        with pytest.raises(TimeoutError):
            await manager.hear(TIMEOUT)
        await end(firmware)
    assert manager.heard() == ["STOPPING=1"]


async def test_without_its_socket_nobody_hears_anything(lenker, closed_port, monkeypatch, manager):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.setenv("WATCHDOG_USEC", "3000")
    async with lenker(closed_port) as firmware:
        await firmware.log.wait_for("error", source="hci")
        await end(firmware)
    assert manager.heard() == []

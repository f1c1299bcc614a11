"""The real program on the kernel's HCI user channel, with `user_channel.c` in the kernel's place."""

import asyncio
import contextlib
import errno
import socket
import struct
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bumble.transport.common import PacketParser

import interposing
from builds import command_of
from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs.processes import running_phone
from recording import wait_for_instructions

LONG = 60.0
USER = 1  # HCI_CHANNEL_USER
OPENED, RECEIVE_BUFFER, FAIL = 0xF0, 0xF1, 0xF2
RECEIVE = b"r"


class Kernel:
    """Carries packets between the program's channel and a controller at a port; `fail` is what a kernel does."""

    def __init__(self, path: Path, port: int) -> None:
        self.path = path
        self.opened: list[bytes] = []
        self.receive_buffers: list[int] = []
        self._port = port
        self._program: socket.socket | None = None
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listener.setblocking(False)
        self._tasks: list[asyncio.Task] = []

    def start(self) -> None:
        self._listener.bind(str(self.path))
        self._listener.listen()
        self._tasks.append(asyncio.create_task(self._serve()))

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._listener.close()

    def on_packet(self, packet: bytes) -> None:
        """Takes a packet from the controller."""
        with contextlib.suppress(OSError):
            self._program.send(packet)

    def fail(self, number: int, call: bytes) -> None:
        """The controller goes: from now on each such call gives this error."""
        self._program.send(bytes([FAIL, number]) + call)

    async def _serve(self) -> None:
        while True:
            program, _ = await asyncio.get_running_loop().sock_accept(self._listener)
            program.setblocking(False)
            program.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
            self._program = program
            await self._carry(program)

    async def _carry(self, program: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        answers = asyncio.create_task(self._answer(reader))
        # A program that closes with packets unread resets the connection.
        with contextlib.suppress(ConnectionResetError):
            while message := await loop.sock_recv(program, 2048):
                self._take(message, writer)
        answers.cancel()
        writer.close()
        program.close()

    def _take(self, message: bytes, writer: asyncio.StreamWriter) -> None:
        if message[0] == OPENED:
            self.opened.append(message[1:])
        elif message[0] == RECEIVE_BUFFER:
            self.receive_buffers += struct.unpack("<i", message[1:])
        else:
            writer.write(message)

    async def _answer(self, reader: asyncio.StreamReader) -> None:
        parser = PacketParser(self)
        while data := await reader.read(1 << 16):
            parser.feed_data(data)


@pytest.fixture(scope="session")
def interposer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kernel's part as a library to be loaded before the C library."""
    return interposing.interposer("user_channel", tmp_path_factory.mktemp("user-channel"))


@pytest.fixture
def lenker_command(build, interposer, tmp_path) -> list[str]:
    return ["env", f"LD_PRELOAD={interposer}", f"USER_CHANNEL={tmp_path / 'hci0'}", *command_of(build)]


@pytest.fixture
def riding(lenker, tmp_path):
    """`async with riding() as (firmware, kernel)`: a ride under way, by the user channel of hci0."""

    @contextlib.asynccontextmanager
    async def start() -> AsyncIterator:
        async with running_phone("--kind=android", "--ride", OWN_RIDE, "--speed=4") as phone:
            kernel = Kernel(tmp_path / "hci0", phone.port)
            kernel.start()
            try:
                async with lenker(phone.port, "hci=hci0") as firmware:
                    await firmware.log.wait_for("instruction", LONG)
                    yield firmware, kernel
            finally:
                kernel.close()

    return start


async def test_central_behaviour_8_it_is_ours_alone_drained_and_opened_again_when_the_controller_comes_back(riding):
    async with riding() as (firmware, kernel):
        # hci0, its user channel, and HCIDEVDOWN before.
        assert kernel.opened == [bytes([0, USER, 1])]
        # The kernel drops events without a word once it is full; 1 MiB holds a minute of a busy street.
        assert kernel.receive_buffers[0] >= 1 << 20
        for number in range(500):
            kernel.on_packet(bytes([0x04, 0xFF, 2, number & 0xFF, number >> 8]))
        await wait_for_instructions(firmware.log, 2)
        assert firmware.log.named("error") == []
        kernel.fail(errno.EPIPE, RECEIVE)
        error = await firmware.log.wait_for("error", LONG, source="hci")
        assert error["message"].startswith("hci0: the controller went away")
        await firmware.log.wait_for("controller", LONG)
        await firmware.log.wait_for("link", LONG, state="ready")
        await wait_for_instructions(firmware.log, 2)
        assert len(kernel.opened) == 2

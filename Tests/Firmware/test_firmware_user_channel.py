"""What the program asks of the kernel's HCI user channel, with `user_channel.c` in the kernel's place.

A ride on a real kernel's is in `Machine/test_user_channel.py`.
"""

import asyncio
import errno
import socket
import struct
from pathlib import Path

import pytest

import interposing
from builds import command_of

LONG = 60.0
USER = 1  # HCI_CHANNEL_USER
OPENED, RECEIVE_BUFFER, FAIL = 0xF0, 0xF1, 0xF2
RECEIVE = b"r"
RESET = bytes.fromhex("01030c00")


@pytest.fixture
def lenker_command(build, tmp_path: Path) -> list[str]:
    kernel = interposing.interposer("user_channel", tmp_path)
    return ["env", f"LD_PRELOAD={kernel}", f"USER_CHANNEL={tmp_path / 'hci0'}", *command_of(build)]


async def test_central_behaviour_8_it_is_ours_alone_has_a_large_buffer_and_is_opened_again(lenker, tmp_path):
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as kernel:
        kernel.setblocking(False)
        kernel.bind(str(tmp_path / "hci0"))
        kernel.listen()
        async with asyncio.timeout(LONG), lenker(0, "hci=hci0"):
            for _ in range(2):
                program, _ = await loop.sock_accept(kernel)
                with program:
                    program.setblocking(False)
                    opened, buffer, first = [await loop.sock_recv(program, 2048) for _ in range(3)]
                    # hci0, its user channel, and HCIDEVDOWN before.
                    assert opened == bytes([OPENED, 0, USER, 1])
                    # The kernel drops events without a word once it is full; 1 MiB holds a minute of a busy street.
                    assert buffer[0] == RECEIVE_BUFFER and struct.unpack("<i", buffer[1:])[0] >= 1 << 20
                    assert first == RESET
                    program.send(bytes([FAIL, errno.EPIPE]) + RECEIVE)

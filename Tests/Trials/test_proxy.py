"""The wire between firmware and controller: whole packets either way, wherever the stream splits them."""

import asyncio

from lenker_bench.wire.framing import Framer
from lenker_trials.sessions.proxy import TO_CONTROLLER, TO_FIRMWARE, Proxy

# Core Specification, Vol 4, Part E, 7.7: LE Read Buffer Size answered, and ACL data of a link; then Reset.
PACKETS = [
    bytes.fromhex("040e0701022000 1b0008"),
    bytes.fromhex("0240200700 0300 0400 0b6162"),
    bytes.fromhex("01030c00"),
]


def test_any_split_of_the_stream_gives_the_same_packets():
    stream = b"".join(PACKETS)
    for size in (1, 2, 3, 5, 100):
        framer = Framer()
        parts = (stream[start : start + size] for start in range(0, len(stream), size))
        assert [packet for part in parts for packet in framer.feed(part)] == PACKETS
    assert list(Framer().feed(PACKETS[0] + b"\xff\x01\x02")) == [PACKETS[0], b"\xff\x01\x02"]


async def test_what_passes_is_heard_may_be_damaged_and_ends_on_both_sides():
    controllers: asyncio.Queue = asyncio.Queue()
    server = await asyncio.start_server(lambda *ends: controllers.put_nowait(ends), "127.0.0.1", 0)
    heard = []

    def damage(direction: str, packet: bytes) -> bytes:
        heard.append((direction, packet))
        return packet * 2

    proxy = Proxy(server.sockets[0].getsockname(), damage)
    await proxy.start()
    async with asyncio.timeout(30):
        answers, firmware = await asyncio.open_connection("127.0.0.1", proxy.port)
        commands, controller = await controllers.get()
        firmware.write(PACKETS[2])
        assert await commands.readexactly(8) == PACKETS[2] * 2
        controller.write(PACKETS[0])
        assert await answers.readexactly(20) == PACKETS[0] * 2
        proxy.say(PACKETS[1])
        proxy.hang_up()
        assert await answers.read() == PACKETS[1]
        assert await commands.read() == b""
    assert heard == [(TO_CONTROLLER, PACKETS[2]), (TO_FIRMWARE, PACKETS[0])]
    proxy.close()
    server.close()

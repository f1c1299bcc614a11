"""A wire between firmware and controller that is listened to, and may be damaged: H4 over TCP on both sides."""

import asyncio
from collections.abc import Callable

from lenker_bench.wire.framing import Framer

TO_CONTROLLER, TO_FIRMWARE = "to-controller", "to-firmware"


class Proxy:
    """Listens for the firmware, and carries what is said between it and the controller at this address.

    `on_packet` is called for each packet, with its direction, and says what is sent on.
    """

    def __init__(self, controller: tuple[str, int], on_packet: Callable[[str, bytes], bytes]) -> None:
        self._controller = controller
        self._on_packet = on_packet
        self.port = 0
        self._server: asyncio.Server | None = None
        self._firmware: asyncio.StreamWriter | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, firmware: asyncio.StreamWriter) -> None:
        self._firmware = firmware
        answers, controller = await asyncio.open_connection(*self._controller)
        lanes = (
            asyncio.create_task(self._carry(TO_CONTROLLER, reader, controller)),
            asyncio.create_task(self._carry(TO_FIRMWARE, answers, firmware)),
        )
        try:
            await asyncio.wait(lanes, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            pass  # the bench ends
        finally:
            for lane in lanes:
                lane.cancel()
            firmware.close()
            controller.close()

    async def _carry(self, direction: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carries packets until the stream ends."""
        framer = Framer()
        while data := await reader.read(1 << 16):
            for packet in framer.feed(data):
                writer.write(self._on_packet(direction, packet))

    def say(self, packet: bytes) -> None:
        """Sends the firmware a packet in the controller's name."""
        self._firmware.write(packet)

    def hang_up(self) -> None:
        """Ends the stream on both sides."""
        if self._firmware is not None:
            self._firmware.close()

    def close(self) -> None:
        self._server.close()
        self.hang_up()

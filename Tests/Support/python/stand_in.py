"""A stand-in for the firmware, to test the runner: takes its keys, writes its events and frames, hears the phone.

With `--deaf` it never connects, with `--mortal` it dies after its first instruction, with `--stubborn` it ignores
SIGTERM, with `--gibberish` it writes an event that is none.
"""

import asyncio
import json
import os
import signal
import struct
import sys
import time
from pathlib import Path

from central import Central, central_at

WIDTH, HEIGHT = 128, 64
start = time.monotonic()


def stay() -> None:
    """Does nothing else until it is killed; not even a lost link then ends it."""
    while True:
        signal.pause()


class StandIn:
    def __init__(self, flags: set[str], keys: dict[str, str]) -> None:
        self.flags = flags
        self.frames = Path(keys["display"].removeprefix("pbm:"))
        self.events = open(keys["events"].removeprefix("file:"), "w", buffering=1, encoding="utf-8")
        self.port = int(keys["hci"].rpartition(":")[2])
        self.number = 0
        self.last = b""

    def event(self, name: str, **fields: object) -> None:
        self.events.write(json.dumps({"t": round(time.monotonic() - start, 3), "event": name, **fields}) + "\n")

    def show(self, value: bytes) -> None:
        identifier, direction, distance = struct.unpack_from("<IBI", value)
        street = value[9:].decode("utf-8", "replace")
        self.event("instruction", id=identifier, direction=direction, distance=distance, street=street)
        self.number += 1
        lit = (value * WIDTH)[: WIDTH * HEIGHT // 8]
        picture = f"P4\n{WIDTH} {HEIGHT}\n".encode() + lit
        (self.frames / f"frame-{self.number:06}.pbm").write_bytes(picture)
        temporary = self.frames / "latest.tmp"
        temporary.write_bytes(picture)
        temporary.replace(self.frames / "latest.pbm")
        self.event("frame", number=self.number, bytes=100, messages=2)

    async def follow(self, central: Central) -> None:
        while True:
            try:
                await self.ride(central)
            except asyncio.CancelledError:  # also Bumble's word for a request whose link was lost
                if not central.disconnected.is_set():
                    raise
            self.event("link", state="disconnected", reason=central.reason)

    async def ride(self, central: Central) -> None:
        """Until the link is lost."""
        await central.connect(mtu=517)
        self.event("link", state="connected")
        await central.subscribe()
        while True:
            gone = asyncio.create_task(central.disconnected.wait())
            told = asyncio.create_task(central.next_notification(timeout=None))
            await asyncio.wait({gone, told}, return_when=asyncio.FIRST_COMPLETED)
            gone.cancel()
            if not told.done():
                told.cancel()
                return
            value = await central.read()
            if value[4:] != self.last[4:]:
                self.show(value)
                self.last = value
                if "--mortal" in self.flags:
                    os._exit(3)

    async def run(self) -> None:
        stopped = asyncio.Event()
        if "--stubborn" in self.flags:
            signal.signal(signal.SIGTERM, lambda *_: stay())
        else:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
        self.event("start", version="0", board="")
        if "--gibberish" in self.flags:
            self.events.write("not an event\n")
        async with central_at(self.port) as central:
            following = asyncio.create_task(stopped.wait() if "--deaf" in self.flags else self.follow(central))
            stopping = asyncio.create_task(stopped.wait())
            await asyncio.wait({following, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if following.done():
                following.result()
            os._exit(0)  # as quick as a firmware, however busy the machine is


asyncio.run(
    StandIn(
        {argument for argument in sys.argv[1:] if argument.startswith("--")},
        dict(argument.split("=", 1) for argument in sys.argv[1:] if "=" in argument),
    ).run()
)

"""The host without the rest of Lenker: a program of sixty lines reads a strap that an independent stack makes."""

import asyncio
import os
import random
import tty

from hostile_phone import FIRMWARE_ADDRESS
from lenker_bench.phone.rides import OWN_RIDE, read_ride
from lenker_bench.programs.events import PATIENCE
from lenker_bench.programs.processes import ROOT
from lenker_bench.sensors.sensor import sensors_of
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.h4 import FirmwareServer, FirmwareWire

PROGRAM = ROOT / ".build" / "debug" / "Strap"
SOURCE = ROOT / "Tests" / "Support" / "Strap" / "Strap.swift"


class SerialPort(asyncio.Transport):
    """Our end of a serial port; `path` is the program's."""

    def __init__(self) -> None:
        super().__init__()
        self.ours, self.theirs = os.openpty()
        tty.setraw(self.theirs)
        self.path = os.ttyname(self.theirs)

    def write(self, data: bytes) -> None:
        os.write(self.ours, data)

    def is_closing(self) -> bool:
        return False


def silent(*_: object, **__: object) -> None:
    pass


async def test_the_host_alone_reads_a_strap_by_a_program_of_sixty_lines():
    assert len(SOURCE.read_text().splitlines()) <= 60
    air, port = Air(), SerialPort()
    (sensor,) = sensors_of(air, ["heart:value=72"], read_ride(OWN_RIDE), 1, silent)
    wire = FirmwareWire(FirmwareServer(Chip("program", air, FIRMWARE_ADDRESS, random.Random(2)), silent))
    wire.connection_made(port)
    asyncio.get_running_loop().add_reader(port.ours, lambda: wire.data_received(os.read(port.ours, 1024)))
    await sensor.start()
    process = await asyncio.create_subprocess_exec("stdbuf", "-oL", PROGRAM, port.path, stdout=asyncio.subprocess.PIPE)
    try:
        async with asyncio.timeout(PATIENCE):
            assert [await process.stdout.readline() for _ in range(3)] == [b"72\n"] * 3
    finally:
        process.kill()
        await process.wait()
        await sensor.stop()

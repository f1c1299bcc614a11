"""A heart rate strap that is BlueZ's own example: its GATT server and its advertisement under bluetoothd.

They run in the machine, on the kernel's own Bluetooth; the kernel's controller is a chip on the bench's air.
"""

import asyncio
import contextlib
import random
import re
import subprocess
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from bumble.hci import Address

from initramfs import Archive
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.h4 import FirmwareServer
from machine import HERE, MADE, PATIENCE, Machine, first_file_system, running_machine

ADDRESS = "00:1A:7D:DA:71:0A"

PYTHON = "/usr/bin/python3"
"""Debian's, for which there are its modules of D-Bus and GLib."""
PROGRAMS = [PYTHON, "/usr/bin/dbus-daemon", "/usr/bin/dbus-send"]
EXAMPLES = ["example-gatt-server", "example-advertisement"]
READY = {"GATT application registered", "Advertisement registered"}
VALUE = re.compile(r"Updating value: \[dbus\.Byte\(\d+\), dbus\.Byte\((\d+)\)")

CONFIGURATION = """[LE]
MinAdvertisementInterval=400
MaxAdvertisementInterval=400
"""
"""A quarter of a second, as straps have it, in units of 0.625 ms: BlueZ's own 1.28 s are seldom met in 30 ms of 300."""
BUS_CONFIGURATION = "/usr/share/dbus-1/session.conf"
"""On this bus everybody may say everything; the system's own wants users that the machine does not have."""
SYSTEM_BUS = "unix:path=/run/dbus/system_bus_socket"
ASK = "dbus-send --system --print-reply --dest=org.bluez"
OBJECTS = f"{ASK} / org.freedesktop.DBus.ObjectManager.GetManagedObjects"


def system_with_bluez(firmware: Path, *programs: Path) -> Archive:
    """What the machine has besides: bluetoothd and its bus, these programs and Python."""
    archive = first_file_system(firmware)
    for program in PROGRAMS:
        archive.add_program(program, Path(program))
    archive.add_program("bin/bluetoothd", MADE / "bluetoothd")
    archive.add(BUS_CONFIGURATION.removeprefix("/"), Path(BUS_CONFIGURATION).read_bytes())
    archive.add("etc/bluetooth/main.conf", CONFIGURATION.encode())
    for folder in ("run/dbus", "var/lib"):
        archive.add(f"{folder}/.keep", b"")
    for program in programs:
        archive.add(f"bin/{program.name}", program.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        command = [PYTHON, "-I", HERE / "python_files.py", folder, *programs]
        libraries = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        for library in libraries:
            archive.add_program(library, Path(library))
        for module in Path(folder).rglob("*.pyc"):
            archive.add(str(module.relative_to(folder)), module.read_bytes())
    return archive


async def start_bluetoothd(pc: Machine) -> None:
    """It and its bus go on in the background."""
    await pc.run(f"dbus-daemon --config-file={BUS_CONFIGURATION} --address={SYSTEM_BUS} --fork --nopidfile")
    await pc.run("bluetoothd --nodetach >/dev/console 2>&1 &")


class BluezStrap:
    """A strap that advertises whenever it has no central, and notifies a new value each second."""

    address = Address(ADDRESS, Address.PUBLIC_DEVICE_ADDRESS)

    def __init__(self, pc: Machine, chip: Chip) -> None:
        self.rates: list[int] = []
        """All that it has notified, in beats a minute."""
        self._pc = pc
        self._chip = chip
        self._said = pc.bridge[0]

    async def start(self) -> None:
        """It advertises afterwards, with all its services."""
        await self._pc.attach_radio()
        await start_bluetoothd(self._pc)
        # The examples want its adapter, and do not wait for it.
        await self._pc.run(f"until {OBJECTS} | grep -q LEAdvertisingManager1; do usleep 100000; done")
        # They share the port, which can be opened once.
        programs = " ".join(f"{PYTHON} -Iu /bin/{example} 2>&1 &" for example in EXAMPLES)
        await self._pc.run(f"( {programs} ) >/dev/vport0p3")
        missing = set(READY)
        async with asyncio.timeout(PATIENCE):
            while missing:
                line = await self._line()
                missing = {words for words in missing if words not in line}

    async def _line(self) -> str:
        """What the examples say next, which may be both in one line; nothing when the machine has ended."""
        line = (await self._said.readline()).decode()
        print(line, end="")
        self.rates += map(int, VALUE.findall(line))
        return line

    async def follow(self) -> None:
        """Until the machine ends."""
        while not self._said.at_eof():
            await self._line()

    def drop(self) -> None:
        """Loses its link, as by a supervision timeout."""
        for link in list(self._chip.le_connections.values()):
            self._chip.lose_link(link)

    async def hang_up(self) -> None:
        """bluetoothd ends its link, as for a user who says so."""
        (central,) = self._chip.le_connections
        path = f"/org/bluez/hci0/dev_{central.to_string(False).replace(':', '_')}"
        await self._pc.run(f"{ASK} {path} org.bluez.Device1.Disconnect")


@contextlib.asynccontextmanager
async def bluez_strap(firmware: Path, folder: Path, air: Air) -> AsyncIterator[BluezStrap]:
    """A strap on this air. What it said until the end is known behind the block."""
    chip = Chip("strap", air, ADDRESS, random.Random(ADDRESS))
    server = FirmwareServer(chip, lambda event, **fields: None)
    await server.start("tcp-server:127.0.0.1:0")
    try:
        archive = system_with_bluez(firmware, *(MADE / example for example in EXAMPLES))
        async with running_machine(archive, folder, radio=server.port) as pc:
            strap = BluezStrap(pc, chip)
            await strap.start()
            following = asyncio.create_task(strap.follow())
            yield strap
        await following
    finally:
        server.close()

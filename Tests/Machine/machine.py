"""A PC in QEMU with Debian's kernel, the real firmware in it, and a console to watch it by.

    async with running_machine(archive, folder, radio=phone.port) as machine:
        await machine.run("guest attach /dev/ttyS1")

`prepare` makes what it is started from. Time goes by in it as it does outside, if not told otherwise.
"""

import asyncio
import base64
import contextlib
import gzip
import re
import socket
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from types import MappingProxyType

from builds import scan_command_of
from initramfs import PROGRAM, Archive, add_modules
from lenker_bench.programs.events import EventLog
from lenker_bench.programs.processes import ROOT, die_with_parent

HERE = Path(__file__).parent
MADE = ROOT / ".build" / "machine"

PATIENCE = 120.0  # seconds for what takes one or two on a machine that does nothing else

MODULES = [
    "virtio_pci",
    "virtio_console",
    "hci_uart",
    "hci_vhci",
    "i2c-dev",
    "i2c-stub",
    "panel-bus",
    "gpio-sim",
    "ecb",
    "cmac",
    "drbg",
    "sha512_generic",
    "algif_hash",
    "algif_skcipher",
]

TRACING = "/sys/kernel/tracing"
BUS_WRITE = re.compile(r"smbus_write: i2c-0 a=03c f=0000 c=(\w+) I2C_BLOCK_DATA l=\d+ \[\w\w-([\w-]+)\]")
"""Its first byte, and the others behind their number."""

BANK = "/sys/kernel/config/gpio-sim/lenker/bank"
CHIP = "/dev/buttons"
"""The simulated chip, as a rule of udev would name it: one that comes back has another number in Debian's kernel."""
CONTACTS = "/tmp/contacts"
A, B, ALERT = 17, 27, 22
"""Its lines of the buttons and of the buzzer."""
READING_TIME = 1_100  # milliseconds; a press sooner than a second after the number is no answer to it
BUTTONS = [f"buttons=gpio:{CHIP}", f"button-a={A}", f"button-b={B}"]
NO_PANEL = ["display=i2c:/dev/i2c-9@0x3c", "pairing=off"]
"""This saves the time of drawing pictures."""
NO_OTHERS = ["hci=hci9", *NO_PANEL]
"""There is nothing but what the chip has."""
LINE_WRITE = re.compile(r" (\d+\.\d+): gpio_value: \d+ set (\d)")
"""When, in seconds, and to what level."""


class MachineError(Exception):
    """A command in the machine that failed, or a machine that ended."""


def first_file_system(firmware: Path) -> Archive:
    """What every machine has: both programs, the modules and the tools."""
    archive = Archive()
    archive.add("init", (HERE / "init").read_bytes(), PROGRAM)
    archive.add("etc/passwd", b"root:x:0:0::/:/bin/sh\n")
    archive.add_program("bin/lenker", firmware)
    archive.add_program("bin/lenker-scan", Path(scan_command_of("regular")[0]))
    for name in ("busybox", "guest", "btvirt"):
        archive.add_program(f"bin/{name}", MADE / name)
    archive.add_program("lib/closed-contact.so", MADE / "closed-contact.so")
    add_modules(archive, MADE / "modules", (MADE / "kernel").read_text().strip(), MODULES)
    return archive


class Firmware:
    """The firmware in the machine, with its events; the last one is `exit` with its `status`."""

    def __init__(self, machine: "Machine", log: EventLog) -> None:
        self.log = log
        self._machine = machine

    async def stop(self) -> int:
        """Asks it to end; its exit status."""
        await self._machine.run("killall lenker")
        return (await self.log.wait_for("exit", PATIENCE))["status"]


class Machine:
    """A machine that runs. Its commands are lines of the shell."""

    def __init__(
        self,
        control: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        events: asyncio.StreamReader,
        bridge: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        self.bridge = bridge
        self._from_control, self._to_control = control
        self._log = EventLog()
        self._following = asyncio.create_task(self._follow(events))

    async def _follow(self, events: asyncio.StreamReader) -> None:
        while data := await events.read(1 << 16):
            self._log.feed(data)

    async def attempt(self, command: str, timeout: float = PATIENCE) -> tuple[int, str]:
        """Runs a command; its exit status and what it said. Raises `MachineError` if the machine ends meanwhile."""
        assert "\n" not in command
        self._to_control.write(command.encode() + b"\n")
        return await self.answer(timeout)

    async def answer(self, timeout: float = PATIENCE) -> tuple[int, str]:
        """The next answer: the first one, without a command, is that the machine is up."""
        lines: list[str] = []
        try:
            async with asyncio.timeout(timeout):
                while line := (await self._from_control.readline()).decode("utf-8", "replace"):
                    kind, text = line[:2], line[2:].rstrip("\n")
                    if kind == "= ":
                        return int(text), "\n".join(lines)
                    lines.append(text)
        except TimeoutError:
            # The answer would be taken for that to the next command.
            self._from_control.feed_eof()
            raise MachineError(f"no answer in {timeout} s after {lines}") from None
        raise MachineError(f"the machine ended after {lines}")

    async def run(self, command: str, timeout: float = PATIENCE) -> str:
        """Runs a command; what it said. Raises `MachineError` if it fails."""
        status, output = await self.attempt(command, timeout)
        if status != 0:
            raise MachineError(f"`{command}` ended with status {status}: {output}")
        return output

    async def add_terminals(self) -> None:
        """`guest terminal` can be run afterwards."""
        await self.run("mkdir -p /dev/pts && mount -t devpts none /dev/pts")

    async def start_firmware(self, *keys: str, prefix: str = "") -> Firmware:
        """Starts the firmware with these `KEY=VALUE`s; it goes on in the background."""
        words = " ".join(f"'{key}'" for key in keys)
        # The status is an event of its own, so that a test can wait for it.
        lines = f'{prefix} lenker events=stderr {words}; echo \'{{"event":"exit","status":\'$?\'}}\' >&2'
        self._log = EventLog(print)
        await self.run(f"( {lines} ) >/dev/null 2>/dev/vport0p2 &")
        return Firmware(self, self._log)

    # Devices

    async def attach_radio(self) -> None:
        """The controller at the serial port is there as hci0 afterwards, and set up by the kernel."""
        await self.run("modprobe hci_uart")
        assert await self.run("guest attach /dev/ttyS1") == "hci0"

    async def detach_radio(self) -> None:
        """The controller is gone afterwards, as when its module is pulled."""
        await self.run("guest detach /dev/ttyS1")

    async def set_bus(self, *addresses: int) -> None:
        """A bus without messages, SMBus only, with devices that take everything: /dev/i2c-0, and none before."""
        devices = ",".join(f"{address:#x}" for address in addresses)
        await self.run(f"rmmod i2c-stub; modprobe i2c-dev && modprobe i2c-stub chip_addr={devices}")

    async def add_bus(self) -> None:
        """A bus with a device at 0x3c, of which the kernel remembers what goes over it, see `bus_writes`."""
        await self.set_bus(0x3C)
        await self._remember("smbus/smbus_write")

    async def bus_writes(self) -> list[bytes]:
        """All that the kernel wrote to the device so far, one element for each transfer on the bus."""
        lines = (await self.run(f"cat {TRACING}/trace")).splitlines()
        found = [match for line in lines if (match := BUS_WRITE.search(line))]
        return [bytes([int(match[1], 16)]) + bytes.fromhex(match[2].replace("-", "")) for match in found]

    async def _remember(self, event: str) -> None:
        """The kernel writes down each such event from now on."""
        await self.run(f"grep -q {TRACING} /proc/mounts || mount -t tracefs none {TRACING}")
        await self.run(f"echo 8192 >{TRACING}/buffer_size_kb && echo 1 >{TRACING}/events/{event}/enable")

    async def add_chip(self) -> None:
        """A GPIO chip of 32 lines: /dev/gpiochip0, and `CHIP`."""
        await self.run("modprobe gpio-sim && mount -t configfs none /sys/kernel/config")
        await self.run(f"mkdir -p {BANK} && echo 32 >{BANK}/num_lines")
        await self.plug_chip()

    async def plug_chip(self) -> None:
        """The chip is there."""
        await self.run(f"echo 1 >{BANK}/../live")
        name = await self.run(f"cat {BANK}/chip_name")
        await self.run(f"ln -s {name} {CHIP} && ln -s /sys/devices/platform/gpio-sim.0/{name} {CONTACTS}")

    async def unplug_chip(self) -> None:
        """The chip goes, whoever has lines of it."""
        await self.run(f"rm {CHIP} {CONTACTS} && echo 0 >{BANK}/../live")

    async def clear_chip(self) -> None:
        """Ends what a test that failed has left. The next firmware's pull-ups open all contacts."""
        await self.run("killall -KILL lenker 2>/dev/null; true")
        if (await self.attempt(f"test -e {CHIP}"))[0] != 0:
            await self.plug_chip()

    async def play(self, script: str, timeout: float = PATIENCE, before: str = "true", behind: str = "true") -> None:
        """Writes levels to contacts at given times, see `guest play`.

        The commands right before and behind it are one with it: between two commands, while it waits for the next,
        any time may pass in a machine whose time is its own.
        """
        packed = base64.b64encode(gzip.compress(script.encode())).decode()
        playing = f"({before}) && guest play /tmp/script && ({behind})"
        await self.run(f"echo {packed} | base64 -d | gunzip >/tmp/script && {playing}", timeout)

    async def line(self, offset: int) -> str:
        """Who has a line of the chip, and as what."""
        return await self.run(f"guest line {CHIP} {offset}")

    async def wait_for_line(self, offset: int) -> None:
        """Until the firmware has it."""
        has_it = f"guest line {CHIP} {offset} | grep -q lenker"
        await self.run(f"timeout 30 sh -c 'until {has_it}; do usleep 100000; done'")

    async def remember_lines(self) -> None:
        """The kernel remembers what outputs are set to, see `line_writes`."""
        await self._remember("gpio/gpio_value")

    async def line_writes(self) -> list[tuple[float, int]]:
        """When each output was set, and to what level."""
        lines = (await self.run(f"cat {TRACING}/trace")).splitlines()
        return [(float(match[1]), int(match[2])) for line in lines if (match := LINE_WRITE.search(line))]

    async def set_button(self, line: int, is_pressed: bool) -> None:
        """Closes the contact to ground, or lets the pull-up have the line."""
        await self.run(f"echo {'pull-down' if is_pressed else 'pull-up'} >{contact(line)}")

    async def press(self, line: int, after: int = 0) -> None:
        """A short press of 100 ms, without bounces, `after` milliseconds in which the rider reads.

        If the machine stood still during the press, the press was a long one: another press follows.
        """
        wait = f"usleep {after * 1000}; " if after else ""
        close = f"echo pull-down >{contact(line)}; read s _ </proc/uptime; usleep 100000"
        release = f"read e _ </proc/uptime; echo pull-up >{contact(line)}"
        hundredths = "$((${e%.*}${e#*.} - ${s%.*}${s#*.}))"
        was_long = f"[ {hundredths} -ge 90 ]"
        await self.run(f"{wait}while {close}; {release}; {was_long}; do usleep {READING_TIME * 1000}; done")


def contact(line: int) -> str:
    """The file of the simulated chip that a button's contact is."""
    return f"{CONTACTS}/sim_gpio{line}/pull"


def level(line: int) -> str:
    """The file of the simulated chip that tells a line's level."""
    return f"{CONTACTS}/sim_gpio{line}/value"


def _arguments(file_system: Path, console: Path, ports: list[int], radio: int | None, is_alone: bool) -> list[str]:
    """QEMU's command line; the serial ports are the console and the radio."""
    arguments = ["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-m", "512", "-no-reboot"]
    arguments += ["-nodefaults", "-display", "none", "-kernel", str(MADE / "vmlinux"), "-initrd", str(file_system)]
    # The kernel's own test of P-256 is slower than its patience here, and without it there is no Secure Connections.
    # Nor may it check its timer, which seems broken where this machine is busy.
    options = "nokaslr mitigations=off cryptomgr.notests=1 no_timer_check"
    arguments += ["-append", f"console=ttyS0 panic=-1 loglevel=5 {options}"]
    if is_alone:
        # Its time counts instructions and not the seconds of this machine, and waiting takes none.
        # Beside a radio, which answers by the clock of this machine, less of it passes with each instruction.
        arguments += ["-icount", f"shift={3 if radio is None else 1},sleep=off"]
    arguments += ["-serial", f"file:{console}"]
    arguments += ["-serial", f"tcp:127.0.0.1:{radio}" if radio is not None else "null"]
    arguments += ["-device", "virtio-serial-pci"]
    for number, descriptor in enumerate(ports, 1):
        arguments += ["-chardev", f"socket,id=port{number},fd={descriptor}"]
        arguments += ["-device", f"virtserialport,chardev=port{number},nr={number}"]
    return arguments


@contextlib.asynccontextmanager
async def running_machine(
    archive: Archive,
    folder: Path,
    radio: int | None = None,
    is_alone: bool = False,
    files: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[Machine]:
    """A machine that is up; whatever happens, it has ended behind the block.

    `radio` is the port of an H4 controller for its second serial port. One that is alone, with nobody outside whom it
    could outrun, has a time of its own: what happens in it is the same on a fast and on a slow machine. `files` are
    there besides what is in the archive. Its console is printed at the end, for pytest to show when the test fails;
    the firmware's events are printed as they come.
    """
    file_system, console = folder / "initrd", folder / "console.log"
    added = Archive()
    for path, content in files.items():
        added.add(path, content.encode())
    file_system.write_bytes(bytes(archive) + bytes(added))
    ours, theirs = zip(*(socket.socketpair() for _ in range(3)), strict=True)
    ports = [end.fileno() for end in theirs]
    process = await asyncio.create_subprocess_exec(
        *_arguments(file_system, console, ports, radio, is_alone),
        stdin=asyncio.subprocess.DEVNULL,
        pass_fds=ports,
        preexec_fn=die_with_parent,
    )
    for end in theirs:
        end.close()
    try:
        control, events, bridge = [await asyncio.open_connection(sock=end) for end in ours]
        machine = Machine(control, events[0], bridge)
        await machine.answer()
        yield machine
        control[1].write_eof()
        async with asyncio.timeout(PATIENCE):
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        file_system.unlink()
        print(console.read_text("utf-8", "replace") if console.exists() else "the machine said nothing")

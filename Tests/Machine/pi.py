"""A Raspberry Pi Zero W in QEMU that is started from a card image, with the card in it, and a panel on its bus.

    async with running_pi(card, folder, radio=phone.port) as pi:
        await pi.log.wait_for("frame")

Its kernel and first file system are the image's own; its device tree is, but for the power block, which the emulator
lacks, and the serial number, which the Pi's own firmware adds. What does not come from the image is `monitor`, which
runs beside it and lets a test look around, and the kernel's software watchdog, a module that a test may load in place
of that block's.
"""

import asyncio
import contextlib
import functools
import lzma
import re
import socket
import struct
import subprocess
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

import pytest

from card import Card
from initramfs import PROGRAM, Archive
from lenker_bench.programs.events import EventLog
from lenker_bench.programs.processes import ROOT, die_with_parent
from machine import HERE, PATIENCE, MachineError

MODULES = ROOT / ".build" / "pi-zero-w" / "debian" / "armel" / "lib" / "modules"
SHELL = ROOT / ".build" / "emulator" / "pi" / "bin" / "busybox"
POWER_BLOCK = "/soc/watchdog@7e100000"
SETTING = re.compile(r"^(\S+) = ", re.MULTILINE)

ZERO_W, ZERO_2_W = "zero", "zero2"
EMULATED = {ZERO_W: "raspi0", ZERO_2_W: "raspi2b"}
"""The emulator has no Zero 2 W: a Pi 2 has another processor, and all else that matters here."""

SERIAL_NUMBER, ADDRESS = "00000000a3f1c2d4", "B8:27:EB:5B:68:7E"
"""The board's, as its firmware tells it, and the address that Raspberry Pi OS makes of it."""

NOISE = "\ufffd"
XZ = b"\xfd7zXZ\0\0\x01"
UIMAGE, UIMAGE_OF_KERNEL = 0x27051956, (5, 2, 2, 0)
"""U-Boot's format, and in it Linux, ARM, a kernel, not packed."""
KERNEL_PLACE = 0x8000
"""Where in the memory the Zero W's kernel unpacks itself to; the Zero 2 W's has another place."""

READING_TIME = 1_100_000  # microseconds

BUTTONS = "/run/buttons"
"""The emulator has no pull-up resistors: a fifo takes the place of the buttons."""


def emulator() -> str:
    """Its path. Skips the test where it cannot be had."""
    found = subprocess.run([HERE / "emulator"], capture_output=True, text=True, check=False)
    if found.returncode == 69:
        pytest.skip(found.stderr.splitlines()[-1])
    assert found.returncode == 0, found.stderr
    return found.stdout.splitlines()[-1]


def set_board(card: Card, keys: Mapping[str, str]) -> None:
    """Changes settings on the card, as a person would do in an editor."""
    text = card.read("board.conf").decode()
    lines = []
    for line in text.splitlines(keepends=True):
        match = SETTING.match(line)
        value = keys.get(match[1]) if match else None
        lines.append(f"{match[1]} = {value}\n" if match and value is not None else line)
    card.write("board.conf", "".join(lines).encode())


LOAD = "grep -h VmRSS /proc/$(pidof lenker)/status; cat /proc/$(pidof lenker)/schedstat /proc/uptime"


class Pi:
    """A Pi that runs; `log` has lenker's events if the card's board file sends them to standard error."""

    def __init__(
        self,
        console: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        process: asyncio.subprocess.Process,
        show: Callable[[object], None],
    ) -> None:
        self.log = EventLog(show)
        self.is_on = True
        self._process = process
        self._show = show
        self._from_console, self._to_console = console
        self._answers: asyncio.Queue[tuple[int, str]] = asyncio.Queue()
        self._said: asyncio.Queue[str] = asyncio.Queue()
        self._following = asyncio.create_task(self._follow())
        self._pressing: set[asyncio.Task] = set()

    async def _follow(self) -> None:
        output: list[str] = []
        while line := await self._from_console.readline():
            # The first line has noise before it.
            text = line.decode("utf-8", "replace").rstrip("\r\n").lstrip(NOISE)
            if text.startswith("{"):
                self.log.feed(text.encode() + b"\n")
            elif text.startswith("| "):
                output.append(text[2:])
            elif text.startswith("= "):
                self._answers.put_nowait((int(text[2:]), "\n".join(output)))
                output.clear()
            else:
                self._show(text)
                self._said.put_nowait(text)

    def cut_power(self) -> None:
        """Stops it in the middle of what it does."""
        self._process.kill()
        self.is_on = False
        for task in self._pressing:
            task.cancel()

    async def says(self, words: str) -> None:
        """Waits until the console says this, in what it said since the last time. Raises `TimeoutError`."""
        async with asyncio.timeout(PATIENCE):
            while words not in await self._said.get():
                pass

    async def is_up(self) -> None:
        """Waits until it takes commands."""
        await self._answer("its start")

    async def run(self, command: str) -> str:
        """Runs a line of the shell; what it said. Raises `MachineError` if it fails."""
        assert "\n" not in command
        self._to_console.write(command.encode() + b"\n")
        return await self._answer(command)

    async def _answer(self, command: str) -> str:
        try:
            status, output = await asyncio.wait_for(self._answers.get(), PATIENCE)
        except TimeoutError:
            raise MachineError(f"no answer to `{command}` in {PATIENCE} s") from None
        if status != 0:
            raise MachineError(f"`{command}` ended with status {status}: {output}")
        return output

    async def press(self, gesture: str) -> None:
        """`p`, `P`, `u` or `U`, if the card's board file has `buttons = fifo:/run/buttons`."""
        await self.run(f"printf {gesture} >{BUTTONS}")

    def press_soon(self, gestures: str) -> None:
        """The same without waiting for it, which would take for ever if the card fails at once."""
        task = asyncio.create_task(self.press(gestures))
        self._pressing.add(task)
        task.add_done_callback(self._pressing.discard)

    async def press_after_reading(self, gesture: str) -> None:
        """A press sooner than a second after a number has come up is no answer to it."""
        await self.run(f"usleep {READING_TIME}; printf {gesture} >{BUTTONS}")


@functools.cache
def _unpacked(kernel: bytes) -> bytes:
    """The Zero W's kernel as it is once it has unpacked itself, in U-Boot's format, which says where that is."""
    image = lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(kernel[kernel.index(XZ) :])
    numbers = [0, len(image), KERNEL_PLACE, KERNEL_PLACE, zlib.crc32(image)]
    header = struct.pack(">7I4B32s", UIMAGE, 0, *numbers, *UIMAGE_OF_KERNEL, b"")
    return header[:4] + struct.pack(">I", zlib.crc32(header)) + header[8:] + image


def _prepare(card: Card, folder: Path, board: str, is_packed: bool) -> list[Path]:
    """Kernel, device tree and first file system from the card, as the Pi's firmware takes them from there."""
    kernel, tree, files = (folder / f"{board}.{kind}" for kind in ("img", "dtb", "gz"))
    content = card.read(kernel.name)
    kernel.write_bytes(content if is_packed else _unpacked(content))
    tree.write_bytes(card.read(tree.name))
    subprocess.run(["fdtput", "-t", "s", tree, POWER_BLOCK, "status", "disabled"], check=True)
    subprocess.run(["fdtput", "-t", "s", tree, "/", "serial-number", SERIAL_NUMBER], check=True)
    added = Archive()
    added.add("bin/busybox", SHELL.read_bytes(), PROGRAM)
    added.add("monitor", (HERE / "monitor").read_bytes(), PROGRAM)
    content = card.read(files.name)
    # The kernel takes archives one after the other, each at a multiple of four bytes.
    for module in MODULES.rglob("softdog.ko"):
        added.add(module.name, module.read_bytes())
    files.write_bytes(content + bytes(-len(content) % 4) + bytes(added))
    return [kernel, tree, files]


def _arguments(card: Card, boot: list[Path], trace: Path, console: int, radio: int | None, options: str) -> list[str]:
    """QEMU's command line; its first serial port is the radio's, the second the console."""
    kernel, tree, files = map(str, boot)
    arguments = [emulator(), "-M", EMULATED[boot[0].stem], "-nodefaults", "-display", "none", "-no-reboot"]
    if boot[0].stem == ZERO_2_W:
        # The other processors run in a loop until the kernel wants them: each of their instructions takes time, too.
        arguments += ["-global", "bcm2836.enabled-cpus=1"]
    arguments += ["-kernel", kernel, "-dtb", tree, "-initrd", files]
    arguments += ["-drive", f"if=sd,format=raw,cache=writethrough,{card.drive}"]
    arguments += ["-append", f"{card.read('cmdline.txt').decode().strip()} rdinit=/monitor {options}"]
    arguments += ["-serial", f"tcp:127.0.0.1:{radio},nodelay=on" if radio is not None else "null"]
    arguments += ["-chardev", f"socket,id=console,fd={console}", "-serial", "chardev:console"]
    # It takes whatever a panel is sent.
    arguments += ["-device", "at24c-eeprom,bus=i2c-bus.1,address=0x3c,rom-size=4096"]
    return [*arguments, "-trace", f"i2c_*,file={trace}"]


@contextlib.asynccontextmanager
async def running_pi(
    card: Card,
    folder: Path,
    radio: int | None = None,
    is_alone: bool = False,
    by_clock: bool = False,
    options: str = "",
    board: str = ZERO_W,
    is_packed: bool = False,
    show: Callable[[object], None] = print,
) -> AsyncIterator[Pi]:
    """A Pi that has been switched on; its current is cut behind the block.

    `radio` is the port of an H4 controller, see `broadcom`. Time counts its instructions, one nanosecond each; while it
    waits, time passes as it does here, or at once if it is alone. With `by_clock` all time is that of this machine. A
    busy one may then keep the emulator from setting a timer in time, and the Pi waits for it for more than an hour.
    `options` are more for the kernel; `board` is the one whose files are taken from the card. Its kernel has unpacked
    itself already, which takes the emulator longer than all that follows, or is as it is on the card: `is_packed`.
    `show` gets each event, and each line of the console.
    """
    trace = folder / "i2c.trace"
    trace.unlink(missing_ok=True)
    ours, theirs = socket.socketpair()
    arguments = _arguments(card, _prepare(card, folder, board, is_packed), trace, theirs.fileno(), radio, options)
    if not by_clock:
        arguments += ["-icount", f"shift=0,sleep={'off' if is_alone else 'on'}"]
    process = await asyncio.create_subprocess_exec(
        *arguments, stdin=asyncio.subprocess.DEVNULL, pass_fds=[theirs.fileno(), *card.descriptors],
        preexec_fn=die_with_parent,
    )  # fmt: skip
    theirs.close()
    pi = Pi(await asyncio.open_connection(sock=ours, limit=1 << 20), process, show)
    try:
        yield pi
    finally:
        # Asked to end, it writes the rest of the trace; the card has all that it was told to have.
        if pi.is_on and process.returncode is None:
            process.terminate()
        await process.wait()


async def load(pi: Pi) -> tuple[int, float, float]:
    """What lenker needs: resident bytes, seconds of the processor, and when that is, in seconds since the start."""
    resident, busy, uptime = (await pi.run(LOAD)).splitlines()
    return int(resident.split()[1]) * 1024, int(busy.split()[0]) / 1e9, float(uptime.split()[0])


async def start_time(pi: Pi) -> float:
    """How many seconds after /init lenker was started."""
    kernel = await pi.run("dmesg | grep 'as init process'")
    ticks = (await pi.run("cat /proc/$(pidof lenker)/stat")).rpartition(")")[2].split()
    return int(ticks[19]) / 100 - float(re.search(r"\[ *(\d+\.\d+)\]", kernel)[1])

"""Command line of the bench: this PC is the display, and the rider's own phone the phone."""

import argparse
import asyncio
import contextlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

from ..programs import keeper
from ..programs.building import build
from ..programs.buttons import open_fifo, press
from ..programs.children import PACKAGES, ROOT, StartError
from ..programs.events import EventFile, EventLog
from ..programs.outputs import OutputError, Outputs, prepare
from ..view.live import KEYS, LiveView
from ..view.reached import APPS, KOMOOT, Reached
from ..view.terminal import Terminal
from .parser import EXIT_USAGE, Parser, positive
from .quitting import Quitting

EXIT_OK, EXIT_FAILED, EXIT_INTERRUPTED = 0, 1, 130
REPORT = "for-an-issue.txt"
OURS = ("hci", "display", "events", "buttons", "store")


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="run --phone real",
        description="Rides with your own phone: this PC's Bluetooth and terminal are the display.",
        epilog=f"In the terminal, keys press the buttons: {', '.join(KEYS)}. Options of a virtual phone are none here.",
    )
    parser.add_argument("--phone", choices=["real"], required=True, help="your own, instead of a virtual one")
    parser.add_argument("--controller", metavar="hciN", help="which of several controllers")
    parser.add_argument("--app", choices=APPS, default=KOMOOT, help=f"whose turns they are (default: {KOMOOT})")
    parser.add_argument(
        "--advertise", action="store_true", help="let a phone connect by itself, as Gadgetbridge and OsmAnd need it"
    )
    parser.add_argument("--pairing", choices=["preferred", "required", "off"], help="as the board key")
    parser.add_argument("--yes", action="store_true", help="do not ask before Bluetooth is taken")
    parser.add_argument("--seconds", metavar="N", type=positive, help="end after N seconds")
    parser.add_argument("--out", metavar="DIR", type=Path, help="folder for frames and events (default: a fresh one)")
    parser.add_argument("--firmware", metavar="CMD", help="how to run the firmware (default: build it, then run it)")
    parser.add_argument("keys", metavar="KEY=VALUE", nargs="*", help="more board keys for the firmware")
    options = parser.parse_args(arguments)
    for key in options.keys:
        name, separator, _ = key.partition("=")
        if not separator or name.strip() in OURS:
            parser.error(f"'{key}' is {'set here already' if separator else 'not KEY=VALUE'}")
    if options.app != KOMOOT:
        options.advertise = True
    try:
        options.controller = chosen(options.controller, keeper.controllers())
    except keeper.LoanError as error:
        parser.exit(keeper.UNAVAILABLE, f"{parser.prog}: {error}\n")
    if os.geteuid() != 0 and shutil.which("sudo") is None:
        parser.exit(
            keeper.UNAVAILABLE, f"{parser.prog}: taking Bluetooth needs root: run it as root, or install sudo\n"
        )
    if not options.yes and not sys.stdin.isatty():
        parser.exit(EXIT_USAGE, f"{parser.prog}: there is nobody to ask: say --yes\n")
    return options


def chosen(wanted: str | None, there: list[str]) -> str:
    """The controller to take. Raises `LoanError`."""
    if not there:
        raise keeper.LoanError("this PC has no Bluetooth controller: switch Bluetooth on, or plug in a USB dongle")
    if wanted is None and len(there) > 1:
        raise keeper.LoanError(f"there are {' and '.join(there)}: choose one, such as --controller {there[0]}")
    if wanted is not None and wanted not in there:
        raise keeper.LoanError(f"there is no {wanted}, but {' and '.join(there)}")
    return wanted or there[0]


def agreed(options: argparse.Namespace) -> bool:
    """Says what is about to happen, and asks once."""
    print(
        f"{options.controller} becomes Lenker's until you press q. Meanwhile nothing else on this PC has Bluetooth:\n"
        "bluetoothd is stopped, and a mouse, a keyboard or headphones are cut off. Afterwards this PC has it again."
        + ("" if os.geteuid() == 0 else "\nThis needs root: sudo may ask for your password.")
    )
    return options.yes or input("Go on? [y/N] ").strip().lower() in ("y", "yes")


def settings(options: argparse.Namespace) -> list[str]:
    """The board keys that options stand for."""
    pairing = [f"pairing={options.pairing}"] if options.pairing else []
    return ["advertise=on", *pairing] if options.advertise else pairing


def board_keys(options: argparse.Namespace, outputs: Outputs) -> list[str]:
    ours = outputs.keys(0, pairs=True) | {"hci": options.controller}
    return [
        *(f"{name}={value}" for name, value in ours.items() if name != "i2c-trace"),
        *settings(options),
        *options.keys,
    ]


@contextlib.asynccontextmanager
async def lent(controller: str, command: list[str], log: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """The keeper, which has taken the controller and started the program; afterwards it has given it back.

    Raises `StartError`.
    """
    words = [sys.executable, "-B", "-m", keeper.__name__, controller, *command]
    if os.geteuid() != 0:
        words = ["sudo", "-n", "env", f"PYTHONPATH={PACKAGES}", *words]
    with log.open("wb") as output:
        # A group of its own, so that Ctrl-C is for the bench alone, in the session in which sudo knows the rider.
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=output,
            env={**os.environ, "PYTHONPATH": str(PACKAGES)},
            process_group=0,
        )
    try:
        said = (await process.stdout.readline()).decode().strip()
        if said != "lent":
            raise StartError(said or log.read_text("utf-8", "replace").strip())
        yield process
    finally:
        process.stdin.close()
        for line in (await process.stdout.read()).decode().splitlines():
            print(f"run: {line}", file=sys.stderr)
        await process.wait()


class Lines:
    """What is new, a line each, where there is no terminal."""

    def __init__(self, reached: Reached) -> None:
        self._reached, self._said = reached, ""

    def changed(self) -> None:
        if (advice := self._reached.status_lines()[0]) != self._said:
            self._said = advice
            print(advice, file=sys.stderr, flush=True)


async def ride(options: argparse.Namespace, command: list[str], outputs: Outputs) -> int:
    # What a key is set to may tell who or where: the beacon at home.
    others = [key.partition("=")[0].strip() for key in options.keys]
    reached = Reached(options.app, [*settings(options), *others])
    quitting = Quitting()
    view: LiveView | Lines = Lines(reached)

    def on_event(event: dict) -> None:
        reached.on_event(event)
        view.changed()

    buttons = open_fifo(outputs.buttons)
    following = EventFile(EventLog(on_event), outputs.events)
    try:
        async with lent(options.controller, [*command, *board_keys(options, outputs)], outputs.firmware_log) as program:
            with contextlib.ExitStack() as stack:
                if Terminal.is_available():
                    view = stack.enter_context(
                        LiveView(Terminal(), outputs.folder, reached, partial(press, buttons), quitting.set)
                    )
                ends = [asyncio.create_task(program.wait()), asyncio.create_task(quitting.wait())]
                await asyncio.wait(ends, timeout=options.seconds, return_when=asyncio.FIRST_COMPLETED)
                ended_by_itself = ends[0].done()
                reached.end()
    finally:
        following.close()
        os.close(buttons)
        outputs.buttons.unlink()
    return conclude(reached, outputs, ended_by_itself, quitting.by_signal)


def conclude(reached: Reached, outputs: Outputs, ended_by_itself: bool, was_interrupted: bool) -> int:
    """Prints what an issue gets, and returns the exit status."""
    report = outputs.folder / REPORT
    report.write_text(reached.report(), "utf-8")
    print(f"{reached.report()}\nfor an issue, as it works or not: {report}")
    if ended_by_itself:
        said = outputs.firmware_log.read_text("utf-8", "replace").strip()
        print(f"run: the firmware ended by itself\n{said[-2000:]}", file=sys.stderr)
        return EXIT_FAILED
    if was_interrupted:
        return EXIT_INTERRUPTED
    return EXIT_OK if reached.instructions else EXIT_FAILED


async def run(options: argparse.Namespace) -> int:
    command = shlex.split(options.firmware) if options.firmware else await build()
    # Behind the build, as sudo forgets who was asked after a while.
    if os.geteuid() != 0:
        await asyncio.to_thread(subprocess.run, ["sudo", "--validate"], check=True)
    return await ride(options, command, prepare(options.out, ROOT / ".build"))


def main() -> int:
    options = parse(sys.argv[1:])
    try:
        if not agreed(options):
            return EXIT_OK
        return asyncio.run(run(options))
    except (StartError, OutputError, subprocess.CalledProcessError, EOFError) as error:
        print(f"run: {error or 'nothing was taken'}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())

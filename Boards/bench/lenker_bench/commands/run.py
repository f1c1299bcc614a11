"""Command line of the bench: the firmware and a virtual phone on one ride."""

import argparse
import asyncio
import contextlib
import json
import re
import shlex
import sys
import time
from pathlib import Path

from ..phone.kinds import ALL_KINDS
from ..phone.navigators import KOMOOT
from ..phone.pairing import NONE
from ..phone.rides import RideError, read_ride
from ..programs.building import build
from ..programs.events import Follower
from ..programs.outputs import OutputError, Outputs, prepare
from ..programs.processes import (
    POLITE_END,
    ROOT,
    FirmwareProcess,
    PhoneProcess,
    StartError,
    running_firmware,
    running_phone,
)
from ..programs.rider import Rider, RiderError
from ..sensors.sensor import SensorChoice
from ..view.live import KEYS, LiveView
from ..view.summary import Progress, Tally
from ..view.terminal import Terminal
from .options import (
    add_ride_options,
    check_controller_options,
    check_pairing_options,
    complete_app_options,
    ride_arguments,
)
from .parser import EXIT_USAGE, Parser, positive
from .quitting import Quitting

EXIT_OK, EXIT_FAILED, EXIT_INTERRUPTED = 0, 1, 130
ASKED = ("ask", "confirm")
READING = 1.2  # seconds until the rider has read what is asked; a press sooner than a second is no answer
REFUSALS = {64, 78}  # the firmware's statuses for bad arguments and board keys (sysexits.h)
FIRST_INSTRUCTION = 60.0  # seconds that a run without a terminal and without `--seconds` waits for it


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="run",
        description="Rides with the firmware and a virtual phone; shows the panel, or writes what it showed.",
        epilog=f"In a terminal, keys press the buttons: {', '.join(KEYS)}.",
    )
    parser.add_argument(
        "--phone",
        choices=["virtual"],
        default="virtual",
        help="your own with --phone real: --phone real --help says more",
    )
    add_ride_options(parser)
    parser.add_argument("--seconds", metavar="N", type=positive, help="end after N seconds")
    parser.add_argument("--out", metavar="DIR", type=Path, help="folder for frames and events (default: a fresh one)")
    parser.add_argument("--firmware", metavar="CMD", help="how to run the firmware (default: build it, then run it)")
    parser.add_argument("keys", metavar="KEY=VALUE", nargs="*", help="board keys for the firmware; yours replace ours")
    options = parser.parse_args(arguments)
    complete_app_options(parser, options)
    check_pairing_options(parser, options)
    check_controller_options(parser, options)
    for key in options.keys:
        name, separator, value = key.partition("=")
        if not separator:
            parser.error(f"'{key}' is not KEY=VALUE")
        if name.strip() == "hci":
            parser.error("hci is the virtual phone's; for another radio start the firmware itself")
        if name.strip() == "events" and not value.strip().startswith("file:"):
            parser.error(f"{key}: the bench reads the events, so this must be events=file:PATH")
    return options


def board_keys(outputs: Outputs, port: int, users: list[str], pairs: bool) -> list[str]:
    """Our keys that the user did not give, then the user's: a key given twice would be an error."""
    names = {key.partition("=")[0].strip() for key in users}
    ours = [f"{name}={value}" for name, value in outputs.keys(port, pairs).items() if name not in names]
    return [*ours, *users]


def key_path(keys: list[str], name: str, kind: str) -> Path | None:
    """The path in a key such as `events=file:PATH`."""
    for key in keys:
        found, _, value = key.partition("=")
        if found.strip() == name and value.strip().startswith(kind):
            return Path(value.strip().removeprefix(kind)).absolute()
    return None


def with_own_arguments(complaint: str, command: list[str], keys: list[str]) -> str:
    """The firmware's complaint with each argument itself in place of its number, which counts ours, too."""
    files = [index for index, word in enumerate(command) if Path(word).is_file() and command[index - 1] != "--board"]
    before = len(command) - 1 - max(files, default=0)

    def argument(match: re.Match) -> str:
        index = int(match[1]) - before - 1
        return keys[index] if 0 <= index < len(keys) else match[0]

    return re.sub(r"argument[ :](\d+)", argument, complaint)


async def until_over(
    phone: PhoneProcess, firmware: FirmwareProcess, seconds: float | None, quitting: asyncio.Event
) -> str:
    """Waits for the end of the ride and returns what went wrong, or an empty string."""
    begun = asyncio.create_task(firmware.log.wait_for("instruction", timeout=None))
    finished = asyncio.create_task(phone.log.wait_for("finished", timeout=None))
    ends = [finished, *map(asyncio.create_task, (phone.wait(), firmware.process.wait(), quitting.wait()))]
    if seconds is None and not Terminal.is_available():
        await asyncio.wait([begun, *ends], timeout=FIRST_INSTRUCTION, return_when=asyncio.FIRST_COMPLETED)
        if not any(work.done() for work in (begun, *ends)):
            quitting.set()
    await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for work in (begun, *ends):
        work.cancel()
    if firmware.status is not None:
        return f"the firmware ended by itself, status {firmware.status}"
    if finished.done() and not finished.cancelled():
        return "" if finished.result()["last_heard"] else "the last instruction was not heard"
    if phone.status is not None:
        return f"the phone ended by itself, status {phone.status}"
    return ""


async def add_sensors(firmware: FirmwareProcess, options: argparse.Namespace) -> None:
    """Adds a sensor of each kind that is on the air, where nobody is there to press buttons."""
    if Terminal.is_available() or not options.sensors:
        return
    await Follower(firmware.log).next(lambda event: event["event"] == "instruction", timeout=None)
    rider = Rider(firmware.log, firmware.press)
    try:
        await rider.add_each({SensorChoice.parsed(text).kind for text in options.sensors})
    except RiderError as error:
        print(f"run: {error}", file=sys.stderr)


async def agree(firmware: FirmwareProcess, options: argparse.Namespace) -> None:
    """Agrees to each pairing without which nothing is told, where nobody is there to press a button."""
    if (
        Terminal.is_available()
        or options.pairing == NONE
        or (options.app == KOMOOT and not ALL_KINDS[options.kind].comes)
    ):
        return
    asked = Follower(firmware.log)
    while True:
        await asked.next(lambda event: event["event"] == "pairing" and event["state"] in ASKED, timeout=None)
        await asyncio.sleep(READING)
        firmware.press("a")


async def ride(options: argparse.Namespace, command: list[str], outputs: Outputs) -> int:
    tally = Tally()
    quitting = Quitting()
    view: LiveView | Progress = Progress(tally)

    with outputs.phone_events.open("w", encoding="utf-8") as phone_file:

        def on_phone_event(event: dict) -> None:
            phone_file.write(json.dumps(event, ensure_ascii=False) + "\n")
            tally.on_phone_event(event)
            view.changed()

        def on_firmware_event(event: dict) -> None:
            tally.on_firmware_event(event)
            view.changed()

        async with contextlib.AsyncExitStack() as stack:
            phone = await stack.enter_async_context(running_phone(*ride_arguments(options), on_event=on_phone_event))
            keys = board_keys(outputs, phone.port, options.keys, options.pairing != NONE)
            start = time.monotonic()
            firmware = await stack.enter_async_context(
                running_firmware(
                    command,
                    keys,
                    events=key_path(keys, "events", "file:"),
                    buttons=outputs.buttons if f"buttons=fifo:{outputs.buttons}" in keys else None,
                    log=outputs.firmware_log,
                    on_event=on_firmware_event,
                )
            )
            frames = key_path(keys, "display", "pbm:")
            if Terminal.is_available() and frames is not None:
                view = LiveView(Terminal(), frames, tally, firmware.press, quitting.set)
            stack.enter_context(view)
            agreeing = asyncio.create_task(agree(firmware, options))
            adding = asyncio.create_task(add_sensors(firmware, options))
            failure = await until_over(phone, firmware, options.seconds, quitting)
            adding.cancel()
            agreeing.cancel()
            duration = time.monotonic() - start
            ending = await firmware.stop()
            await phone.stop()

    if firmware.status in REFUSALS:
        said = outputs.firmware_log.read_text("utf-8", "replace").strip()
        print(f"run: {with_own_arguments(said.removeprefix('lenker: '), command, keys)}", file=sys.stderr)
        return EXIT_USAGE
    if not failure and ending > POLITE_END:
        failure = f"the firmware took {ending:.1f} s to end after SIGTERM"
    if not failure and firmware.status != 0:
        failure = f"the firmware ended with status {firmware.status} after SIGTERM"
    return conclude(tally, outputs, duration, failure, firmware, quitting.by_signal)


def conclude(
    tally: Tally, outputs: Outputs, duration: float, failure: str, firmware: FirmwareProcess, interrupted: bool
) -> int:
    """Prints the summary and returns the exit status."""
    print("\n".join(tally.report_lines(duration)))
    print(f"frames and events: {outputs.folder}")
    if not failure and firmware.log.malformed:
        failure = f"{len(firmware.log.malformed)} lines of events are not JSON, first {firmware.log.malformed[0]!r}"
    if not failure and not tally.shown:
        failure = "no instruction was ever shown"
    if not failure:
        return EXIT_INTERRUPTED if interrupted else EXIT_OK
    said = outputs.firmware_log.read_text("utf-8", "replace").strip()
    if said:
        print(f"the firmware said:\n{said[-2000:]}", file=sys.stderr)
    print(f"run: {failure}", file=sys.stderr)
    return EXIT_FAILED


async def run(options: argparse.Namespace) -> int:
    command = shlex.split(options.firmware) if options.firmware else await build()
    return await ride(options, command, prepare(options.out, ROOT / ".build"))


def main() -> int:
    options = parse(sys.argv[1:])
    try:
        read_ride(options.ride)
    except RideError as error:
        print(f"run: {error}", file=sys.stderr)
        return EXIT_USAGE
    try:
        return asyncio.run(run(options))
    except (StartError, OutputError) as error:
        print(f"run: {error}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())

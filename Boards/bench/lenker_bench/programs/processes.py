"""The two processes of the bench, the phone and the firmware; neither outlives it."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from ..wire.true_air import INSTANT
from .buttons import open_fifo, press
from .children import PACKAGES as PACKAGES
from .children import ROOT as ROOT
from .children import StartError as StartError
from .children import die_with_parent as die_with_parent
from .events import EventFile, EventLog, feed_from

START_PATIENCE = 60.0  # seconds
POLITE_END = 3.0  # seconds that firmware or phone may take to end: three times what is promised, for a busy machine
FORCED_END = 5.0


async def start(command: Sequence[str], **options) -> asyncio.subprocess.Process:
    """Starts a process that does not outlive us. Raises `StartError`."""
    try:
        # A session of its own: Ctrl-C in the terminal is for the bench, which then ends the others in order.
        options = {"stdin": asyncio.subprocess.DEVNULL, **options}
        return await asyncio.create_subprocess_exec(
            *command, start_new_session=True, preexec_fn=die_with_parent, **options
        )
    except OSError as error:
        raise StartError(f"cannot run {command[0]}: {error.strerror}") from error


async def kill(process: asyncio.subprocess.Process) -> None:
    """Ends a process that still runs, and whatever it started."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


class PhoneProcess:
    """A running phone; `port` is where its radio for the firmware is."""

    def __init__(self, process: asyncio.subprocess.Process, log: EventLog) -> None:
        self.log = log
        self.port = 0
        self._process = process
        self._reading = asyncio.create_task(feed_from(log, process.stdout))

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def status(self) -> int | None:
        return self._process.returncode

    async def wait(self) -> int:
        """Waits for its end and returns its status; then all its events are in the log."""
        # Who is tired of waiting does not end the reading.
        await asyncio.shield(self._reading)
        return await self._process.wait()

    async def stop(self) -> None:
        """Asks it to end, so that it tells its last events, and waits for `POLITE_END` at most."""
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(POLITE_END):
                await self.wait()


@contextlib.asynccontextmanager
async def running_phone(
    *options: object, on_event: Callable[[dict], None] | None = None
) -> AsyncIterator[PhoneProcess]:
    """Runs the phone with these command-line options; it is ready inside the block.

    Without an `--air` it is the instant one: who measures or tests something else than the air need not wait for it.
    """
    environment = {**os.environ, "PYTHONPATH": str(PACKAGES)}
    command = [sys.executable, "-m", "lenker_bench.commands.phone", f"--air={INSTANT}", *map(str, options)]
    process = await start(command, stdout=asyncio.subprocess.PIPE, env=environment)
    try:
        phone = PhoneProcess(process, EventLog(on_event))
        ready = asyncio.create_task(phone.log.wait_for("ready", START_PATIENCE))
        ended = asyncio.create_task(phone.wait())
        await asyncio.wait({ready, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            ready.cancel()
            raise StartError(f"the phone ended with status {ended.result()}")
        phone.port = ready.result()["port"]
        yield phone
    finally:
        await kill(process)


class FirmwareProcess:
    """A running firmware with its events."""

    def __init__(self, process: asyncio.subprocess.Process, log: EventLog, buttons: int | None) -> None:
        self.log = log
        self.process = process
        self._buttons = buttons

    @property
    def status(self) -> int | None:
        return self.process.returncode

    def press(self, gesture: str) -> None:
        """Presses a button, see `buttons.press`."""
        if self._buttons is not None:
            press(self._buttons, gesture)

    async def stop(self) -> float:
        """Asks it to end, and kills it after `FORCED_END`; the seconds that it took."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        if self.status is None:
            self.process.terminate()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FORCED_END):
                    await self.process.wait()
        if self.status is None:
            await kill(self.process)
        return loop.time() - begun


@contextlib.asynccontextmanager
async def running_firmware(
    command: Sequence[str],
    keys: Sequence[str],
    *,
    events: Path | None,
    buttons: Path | None = None,
    log: Path | None = None,
    on_event: Callable[[dict], None] | None = None,
) -> AsyncIterator[FirmwareProcess]:
    """Runs the firmware with these `KEY=VALUE`s.

    `events` is the file that it writes events to, `buttons` the FIFO that it reads; the latter is made here. Its
    standard error goes to the file `log`, else to ours.
    """
    descriptor = open_fifo(buttons) if buttons is not None else None
    event_log = EventLog(on_event)
    following = EventFile(event_log, events) if events is not None else None
    try:
        with open(log, "wb") if log is not None else contextlib.nullcontext() as output:
            process = await start([*command, *keys], stdout=output, stderr=output)
        try:
            yield FirmwareProcess(process, event_log, descriptor)
        finally:
            await kill(process)
    finally:
        if following is not None:
            following.close()
        if descriptor is not None:
            os.close(descriptor)
            buttons.unlink(missing_ok=True)


@contextlib.asynccontextmanager
async def telling_firmware(
    command: Sequence[str],
    port: int,
    frames: Path,
    on_event: Callable[[dict], None],
    keys: Sequence[str] = ("pairing=off",),
) -> AsyncIterator[FirmwareProcess]:
    """Runs the firmware with its radio at a port of this machine and its events on a pipe.

    Many can run at a time, as no file is watched. Lines that are no events are in `log.malformed`. By its `keys` it
    searches without an end, if nothing else is given: faults shall end that, not the clock.
    """
    buttons, gestures = os.pipe()
    log = EventLog(on_event)
    usual = [f"hci=tcp:127.0.0.1:{port}", f"display=pbm:{frames}", "buttons=stdin", "events=stderr"]
    try:
        process = await start([*command, *usual, *keys], stdin=buttons, stderr=asyncio.subprocess.PIPE)
        following = asyncio.create_task(feed_from(log, process.stderr))
        try:
            yield FirmwareProcess(process, log, gestures)
        finally:
            await kill(process)
            await following
    finally:
        os.close(buttons)
        os.close(gestures)

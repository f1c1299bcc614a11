"""Standard input and a fifo as buttons, and what the processor does for them and for `keep-awake`."""

import asyncio
import contextlib
import os
from pathlib import Path

from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import running_firmware, running_phone
from process_figures import processor_time

LOADED = 0.5  # seconds of the processor; without a load two minutes take less


@contextlib.asynccontextmanager
async def typed_to(command: list[str], folder: Path, ride: Path):
    """A firmware that shows the first instruction of a ride that stands still; its buttons are its standard input."""
    outputs = Outputs(folder)
    async with running_phone("--kind=android", "--ride", ride, "--speed=0.001") as phone:
        board = outputs.keys(phone.port) | {"buttons": "stdin"}
        keys = [f"{name}={value}" for name, value in board.items()]
        async with running_firmware(command, keys, events=outputs.events) as firmware:
            await firmware.log.wait_for("instruction", 30)
            yield firmware


async def test_standard_input_is_buttons_too_and_its_end_costs_nothing(lenker_command, a_ride, tmp_path):
    fifo = tmp_path / "keys"
    os.mkfifo(fifo)
    # Open here, too, so that its end comes when the test says so.
    keys = os.open(fifo, os.O_RDWR | os.O_CLOEXEC)
    command = ["sh", "-c", 'exec "$@" <"$0"', str(fifo), *lenker_command]
    async with typed_to(command, tmp_path, a_ride) as firmware:
        for gesture, name, press in ((b"\n\na\n", "a", "short"), (b"A", "a", "long"), (b"zb", "b", "short")):
            os.write(keys, gesture)
            await firmware.log.wait_for("button", name=name, press=press)
        os.write(keys, b"B")
        await firmware.log.wait_for("link", state="disconnected")
        os.close(keys)
        before = processor_time(firmware.process.pid)
        await asyncio.sleep(1)  # what is measured, not waited for
        assert processor_time(firmware.process.pid) - before < 0.25
        await firmware.stop()
        assert firmware.status == 0


async def test_standard_input_without_an_end_keeps_nothing_else_waiting(lenker_command, a_ride, tmp_path):
    endless = ["sh", "-c", 'exec "$0" "$@" </dev/zero', *lenker_command]
    async with typed_to(endless, tmp_path, a_ride) as firmware:
        await firmware.stop()
        assert firmware.status == 0


async def loaded(pid: int, end: float) -> None:
    """Waits until the process has worked up to `end`, however busy the machine is."""
    while processor_time(pid) < end:  # noqa: ASYNC110 (the kernel tells nobody of it)
        await asyncio.sleep(0.2)


async def test_the_processor_works_for_keep_awake_and_not_for_a_fifo_that_nobody_writes_to(
    lenker_command, closed_port, tmp_path
):
    """One program with the setting and one without, side by side, neither of which finds its radio."""
    async with contextlib.AsyncExitStack() as stack:
        pids = []
        for key in ("keep-awake=5", "keep-awake=off"):
            outputs = Outputs(tmp_path / key)
            (tmp_path / key).mkdir()
            keys = [f"{name}={value}" for name, value in outputs.keys(closed_port).items()]
            firmware = await stack.enter_async_context(
                running_firmware(lenker_command, [*keys, key], events=outputs.events, buttons=outputs.buttons)
            )
            await firmware.log.wait_for("frame", 30)
            pids.append(firmware.process.pid)
        before = [processor_time(pid) for pid in pids]
        await asyncio.wait_for(loaded(pids[0], before[0] + LOADED), 240)
        assert processor_time(pids[1]) - before[1] < LOADED / 2

"""`keep-awake` on the real program: its processor works now and then, and all else goes on."""

import asyncio
import contextlib

from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import running_firmware
from process_figures import processor_time

LOADED = 0.5  # seconds of the processor; without a load two minutes take less


async def loaded(pid: int, end: float) -> None:
    """Waits until the process has worked up to `end`, however busy the machine is."""
    while processor_time(pid) < end:  # noqa: ASYNC110 (the kernel tells nobody of it)
        await asyncio.sleep(0.2)


async def test_the_processor_works_while_it_would_sleep(lenker_command, closed_port, tmp_path):
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

"""How the program ends: politely, dark and with status 0, whatever it was doing."""

import asyncio
import signal

import pytest

from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import FORCED_END, FirmwareProcess, running_phone
from lenker_bench.view.pbm import read_picture
from silent import serving

REMOTE_USER_TERMINATED, LOCAL_HOST_TERMINATED = 0x13, 0x16


async def end(firmware: FirmwareProcess, number: int = signal.SIGTERM) -> None:
    """Sends the signal; it ends within a second, and on a busy machine may be kept from that for some more."""
    firmware.process.send_signal(number)
    assert await asyncio.wait_for(firmware.process.wait(), FORCED_END) == 0


@pytest.mark.parametrize(
    ("build", "number"), [("regular", signal.SIGINT), ("armv6", signal.SIGTERM)], indirect=["build"]
)
async def test_its_farewell_is_polite_and_its_outputs_are_whole(build, lenker, a_ride, tmp_path, number):
    async with running_phone("--ride", a_ride) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("instruction")
        await firmware.log.wait_for("frame")
        assert any(map(any, read_picture(tmp_path / "latest.pbm").rows))
        await end(firmware, number)
        gone = await phone.log.wait_for("disconnected")
        # A firmware that vanishes is a supervision timeout, 0x08.
        assert gone["reason"] == REMOTE_USER_TERMINATED
    last = firmware.log.named("link")[-1]
    assert (last["state"], last["reason"]) == ("disconnected", LOCAL_HOST_TERMINATED)
    assert not any(map(any, read_picture(tmp_path / "latest.pbm").rows)), "the glass is dark"
    assert firmware.log.named("frame")[-1]["number"] == len(list(tmp_path.glob("frame-*.pbm")))
    for path in (Outputs(tmp_path).events, tmp_path / "i2c.trace"):
        assert path.read_bytes().endswith(b"\n")
    assert not (tmp_path / "next.pbm").exists()


async def test_it_ends_while_nobody_listens(lenker, closed_port, tmp_path):
    async with lenker(closed_port) as firmware:
        await firmware.log.wait_for("error", source="hci")
        await firmware.log.first("frame")
        await end(firmware)
    assert not any(map(any, read_picture(tmp_path / "latest.pbm").rows))


async def test_it_ends_while_the_controller_says_nothing(lenker):
    async with serving() as server, lenker(server.port) as firmware:
        await asyncio.wait_for(server.requests.get(), 30)
        await end(firmware)

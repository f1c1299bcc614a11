"""Rides of the real program where its controller and the phone's are RootCanal's, not Bumble's."""

import pytest

from lenker_bench.phone.questions import L2CAP, LINK_LAYER
from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs.processes import running_phone
from recording import CAPTURE, told, told_apart, without_repeats
from second_controller import refusals, without_complaint

LONG = 60.0
SHORT_RIDE = OWN_RIDE.with_name("lenker-short.csv")


@pytest.mark.parametrize(
    ("build", "kind", "way"),
    [("regular", "ios", L2CAP), ("armv6", "android", LINK_LAYER)],
    indirect=["build"],
)
async def test_a_whole_ride_is_heard_and_no_command_is_refused(build, kind, way, lenker, tmp_path):
    capture = tmp_path / CAPTURE
    options = ("--controller=rootcanal", f"--kind={kind}", f"--ride={SHORT_RIDE}", "--speed=15")
    async with (
        running_phone(*options) as phone,
        without_complaint(phone.log),
        lenker(phone.port, f"btsnoop=file:{capture}") as firmware,
    ):
        await phone.log.wait_for("parameters", LONG, asked=way)
        await phone.log.wait_for("finished", LONG, last_heard=True)
        await firmware.stop()
        assert await phone.wait() == 0
    assert without_repeats(told(firmware.log.events)) == told_apart(SHORT_RIDE)
    assert firmware.log.named("error") == []
    assert refusals(capture) == []

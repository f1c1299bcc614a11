"""A phone that loses the link as soon as a turn has come over it, again and again, on RootCanal."""

import pytest

from lenker_bench.phone import komoot
from lenker_bench.phone.pairing import NONE
from lenker_bench.phone.rides import Step
from recording import CAPTURE
from second_controller import phone_on_rootcanal, refusals

LONG = 60.0
LOSSES = 100
CONNECTION_TIMEOUT = 0x08


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("build", "kind"), [("regular", "ios"), ("armv6", "android")], indirect=["build"])
async def test_the_turn_is_back_after_each_of_a_hundred_losses(build, kind, lenker, tmp_path):
    capture = tmp_path / CAPTURE
    async with (
        phone_on_rootcanal(kind, NONE) as phone,
        lenker(phone.port, "pairing=off", f"btsnoop=file:{capture}") as firmware,
    ):
        await firmware.log.wait_for("instruction", LONG)
        for distance in range(1, LOSSES + 1):
            phone.script.value = komoot.encode(distance, Step(0, 5, distance, "Voßstraße"))
            phone.phone.drop()
            lost = await firmware.log.wait_for("link", LONG, state="disconnected")
            assert lost["reason"] == CONNECTION_TIMEOUT
            await firmware.log.wait_for("instruction", LONG, distance=distance)
        assert len(phone.log.named("dropped")) == LOSSES
        assert firmware.log.named("error") == [] and firmware.log.named("recovery") == []
        await firmware.stop()
    assert refusals(capture) == []

"""A service that moves: the real program finds it again on the same link."""

from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs.processes import running_phone
from recording import wait_for_instructions

LONG = 60.0


async def test_central_behaviour_28_a_service_that_moves_in_mid_ride_is_found_again(lenker):
    options = ("--kind=ios", "--ride", OWN_RIDE, "--speed=2", "--move-every=5")
    async with running_phone(*options) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("link", LONG, state="ready")
        handles = set()
        for _ in range(2):
            # The service moves by the clock, and so perhaps before anybody listens.
            confirmed = await phone.log.wait_for("confirmed", LONG)
            moved = next(event for event in phone.log.named("service") if event["last"] == confirmed["last"])
            await phone.log.wait_for("subscribed", LONG)
            await firmware.log.wait_for("link", LONG, state="ready")
            await wait_for_instructions(firmware.log, 1)
            handles.add(moved["first"])
        assert len(handles) == 2, "the handles really move"
        assert len(phone.log.named("connected")) == 1
        assert phone.log.named("disconnected") == phone.log.named("complaint") == firmware.log.named("error") == []

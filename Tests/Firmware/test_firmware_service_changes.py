"""Services that move and vanish: the real program finds them again on the same link, and does not spin."""

from itertools import pairwise

import pytest

from builds import regular_and_armv6
from lenker_bench.phone.kinds import KINDS
from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs.events import EventLog
from lenker_bench.programs.processes import running_phone
from recording import told, told_apart, wait_for_instructions

LONG = 60.0
PAUSE = 10.0
SILENT = "android-2019"
# Seconds from one search to the next while the service is away.
SEARCH_DELAYS = [2, 4, 8, 16, 30]


def assert_one_link(firmware: EventLog, phone: EventLog) -> None:
    assert len(phone.named("connected")) == 1
    assert phone.named("disconnected") == phone.named("complaint") == firmware.named("error") == []


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", KINDS)
@regular_and_armv6
async def test_central_behaviour_28_a_service_that_moves_in_mid_ride_is_found_again(build, lenker, kind):
    # One that moves in silence is noticed by a read, and looked for 2 s later.
    options = (f"--kind={kind}", "--ride", OWN_RIDE, "--speed=2", "--move-every=5")
    async with running_phone(*options) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("link", LONG, state="ready")
        handles = set()
        for _ in range(2):
            if kind == SILENT:
                moved = await phone.log.wait_for("service", LONG, state="moved")
            else:
                # The service moves by the clock, and so perhaps before anybody listens.
                confirmed = await phone.log.wait_for("confirmed", LONG)
                moved = next(event for event in phone.log.named("service") if event["last"] == confirmed["last"])
                await phone.log.wait_for("subscribed", LONG)
            await firmware.log.wait_for("link", LONG, state="ready")
            await wait_for_instructions(firmware.log, 1)
            handles.add(moved["first"])
        assert len(handles) == 2, "the handles really move"
        assert_one_link(firmware.log, phone.log)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", KINDS)
@regular_and_armv6
async def test_central_behaviour_28_a_service_that_vanishes_after_the_ride_is_waited_for(build, lenker, a_ride, kind):
    options = (f"--kind={kind}", "--ride", a_ride, "--speed=1000", "--rides=2", f"--pause={PAUSE}")
    async with running_phone(*options) as phone, lenker(phone.port) as firmware:
        gone = await phone.log.wait_for("service", LONG, state="gone")
        assert told(firmware.log.events) == told_apart(a_ride)
        back = await phone.log.wait_for("service", LONG, state="back")
        assert back["first"] > gone["last"]
        await phone.log.wait_for("finished", LONG, last_heard=True)
        assert told(firmware.log.events) == told_apart(a_ride) * 2
        assert_one_link(firmware.log, phone.log)

    vain = [event["t"] for event in phone.log.named("searched") if not event["found"]]
    # The first may come in the very millisecond.
    searches = [time for time in vain if gone["t"] <= time <= back["t"]]
    # Who hears that it is gone looks at once; who finds the handle invalid, 2 s later. How soon exactly is a matter of
    # `ServiceChangeTests`: here a busy machine has its part in it.
    if kind == SILENT:
        assert searches[0] - gone["t"] > 0.5 * SEARCH_DELAYS[0]
    waits = [later - earlier for earlier, later in pairwise(searches)]
    assert all(waited > 0.5 * delay for waited, delay in zip(waits, SEARCH_DELAYS, strict=False))
    # A read or so that was under way, and each search.
    assert len(searches) <= back["requests"] <= len(searches) + 3 <= 7


@pytest.mark.timeout(120)
async def test_the_picture_of_the_finish_stays_when_the_service_goes(lenker, a_ride, tmp_path):
    options = ("--kind=ios", "--ride", a_ride, "--speed=1000", "--rides=2", "--pause=30")
    async with running_phone(*options) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("instruction", LONG, direction=3)
        await phone.log.wait_for("service", LONG, state="gone")
        finish = (tmp_path / "latest.pbm").read_bytes()
        await phone.log.wait_for("searched", LONG, found=False)
        assert (tmp_path / "latest.pbm").read_bytes() == finish

"""A street that is too long for the panel runs through the real program's picture, and costs little on the bus."""

import contextlib
import itertools
from pathlib import Path

import pytest

from builds import regular_and_armv6
from lenker_bench.programs.processes import running_phone
from lenker_bench.view.pbm import Picture, read_picture
from recording import PAUSE_OF_STREET, recording

STREET = "Radweg an der Bundesstraße 273 nach Marquardt"
BAND = 16  # rows: the last two pages
STEP, COLUMNS = 0.05, 2
LARGEST_STEP = 320
LONG = 60.0


@pytest.fixture
def a_long_street(tmp_path: Path) -> Path:
    """A ride along one street, whose distance changes after 2.5 s."""
    path = tmp_path / "long.csv"
    path.write_text(
        f"milliseconds,direction,distance,street\n0,20,990,{STREET}\n2500,20,930,{STREET}\n60000,20,900,{STREET}\n",
        encoding="utf-8",
    )
    return path


def band(picture: Picture) -> tuple[tuple[int, ...], ...]:
    return picture.rows[-BAND:]


def is_step(before: Picture, after: Picture) -> bool:
    """Whether the street moved to the left by one step, and nothing else did."""
    return before.rows[:-BAND] == after.rows[:-BAND] and is_moved(before, after)


def is_moved(before: Picture, after: Picture) -> bool:
    return all(old[COLUMNS:] == new[:-COLUMNS] for old, new in zip(band(before), band(after), strict=True))


@pytest.mark.timeout(120)
@regular_and_armv6
async def test_a_long_street_stands_and_then_runs_in_small_steps(build, lenker, a_long_street, tmp_path):
    async with running_phone("--kind=android", "--ride", a_long_street) as phone, lenker(phone.port) as firmware:
        began = await firmware.log.wait_for("instruction", LONG, distance=990)
        first = await firmware.log.wait_for("frame", LONG)
        await firmware.log.wait_for("instruction", LONG, distance=930)
        for _ in range(15):
            await firmware.log.wait_for("frame", LONG)
        await firmware.stop()
    ridden = recording(tmp_path, firmware.log)
    frames = [frame for frame in ridden.named("frame") if frame["number"] >= first["number"]][:-1]
    ticks = [event["t"] for event in ridden.named("instruction") if event["distance"] == 930]
    steps, jumps = [], []
    for before, after in itertools.pairwise(frames):
        pictures = ridden.picture(before["number"]), ridden.picture(after["number"])
        (steps if is_step(*pictures) else jumps).append((before, after))
    assert len(steps) >= 15
    assert all(after["bytes"] < LARGEST_STEP for _, after in steps)
    # Three decimals each; a busy machine makes it later, never sooner.
    assert all(
        after["t"] - before["t"] >= STEP - 0.002
        for before, after in steps[1:]
        if not ticks[0] <= after["t"] <= ticks[0] + 0.1
    )
    # Once from the cut street to the running one, and once at the tick of the distance, which does not start it anew.
    assert jumps[0][1]["t"] - began["t"] >= PAUSE_OF_STREET - 0.002
    assert jumps[0][1]["bytes"] < LARGEST_STEP
    assert len(jumps) == 2
    old, new = (ridden.picture(frame["number"]) for frame in jumps[1])
    assert old.rows[:-BAND] != new.rows[:-BAND]
    # The tick may come in the very millisecond of a step.
    assert band(old) == band(new) or is_moved(old, new)


@pytest.mark.timeout(120)
async def test_without_news_a_long_street_stands_and_with_them_it_runs_again(lenker, a_long_street, tmp_path):
    async with contextlib.AsyncExitStack() as stack:
        phone = await stack.enter_async_context(running_phone("--kind=android", "--ride", a_long_street))
        port = phone.port
        async with lenker(port) as firmware:

            async def next_picture() -> Picture:
                frame = await firmware.log.wait_for("frame", LONG)
                return read_picture(tmp_path / f"frame-{frame['number']:06}.pbm")

            async def wait_for_a_step() -> None:
                before = await next_picture()
                while not is_step(before, after := await next_picture()):
                    before = after

            await firmware.log.wait_for("instruction", LONG)
            standing = await next_picture()
            await wait_for_a_step()
            await stack.aclose()  # the phone and the controller are gone
            await firmware.log.wait_for("stale", LONG)
            stale = await next_picture()
            assert band(stale) == band(standing)
            assert stale.rows[:-BAND] != standing.rows[:-BAND]
            # Of a street that stood still nothing moves while only the age grows.
            await firmware.log.wait_for("stale", LONG)
            assert band(await next_picture()) == band(standing)
            async with running_phone(f"--hci=tcp-server:127.0.0.1:{port}", "--kind=android", "--ride", a_long_street):
                await firmware.log.wait_for("link", LONG, state="ready")
                await firmware.log.wait_for("instruction", LONG)
                await wait_for_a_step()

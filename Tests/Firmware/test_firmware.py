"""The real firmware on the bench, driven from outside only."""

import asyncio

import pytest

from lenker_bench.programs.processes import POLITE_END, running_phone
from lenker_bench.view.pbm import read_picture


@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_it_shows_every_instruction_of_a_ride(lenker, a_ride, kind):
    async with running_phone(f"--kind={kind}", "--ride", a_ride) as phone, lenker(phone.port) as firmware:
        for direction, distance, street in [
            (2, 0, "Lennéstraße"),
            (5, 110, "Voßstraße"),
            (5, 100, "Voßstraße"),
            (3, 0, ""),
        ]:
            await firmware.log.wait_for("instruction", direction=direction, distance=distance, street=street)
        await phone.log.wait_for("finished", last_heard=True)
        assert phone.log.named("complaint") == []
        assert firmware.log.malformed == []


async def test_it_draws_what_it_was_told(lenker, a_ride, tmp_path):
    # Slowly, so that each of them has a picture.
    async with running_phone("--ride", a_ride, "--speed=0.2") as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("instruction", distance=110)
        before = (await firmware.log.wait_for("frame"))["number"]
        await firmware.log.wait_for("instruction", distance=100)
        after = (await firmware.log.wait_for("frame"))["number"]
        pictures = [read_picture(tmp_path / f"frame-{number:06}.pbm") for number in (before, after)]
    assert pictures[0] != pictures[1]
    assert all(100 < sum(map(sum, picture.rows)) < 128 * 64 / 2 for picture in pictures)


async def test_it_comes_back_after_a_loss(lenker, a_ride):
    options = ("--ride", a_ride, "--speed=0.2", "--drop-every=1")
    async with running_phone(*options) as phone, lenker(phone.port) as firmware:
        for _ in range(3):
            await firmware.log.wait_for("link", state="ready")
            await firmware.log.wait_for("link", state="disconnected", reason=8)


@pytest.mark.alone
async def test_it_leaves_politely_when_asked_to_end(lenker, a_ride):
    async with running_phone("--ride", a_ride) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("instruction")
        assert await firmware.stop() < POLITE_END
        assert firmware.status == 0
        # Remote User Terminated, or Power Off; a link that is merely lost would be 0x08.
        assert (await phone.log.wait_for("disconnected"))["reason"] in (0x13, 0x15)


async def test_its_buttons_work(lenker, a_ride):
    async with running_phone("--ride", a_ride) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("instruction")
        firmware.press("P")
        await firmware.log.wait_for("button", name="page", press="long")
        firmware.press("u")
        await firmware.log.wait_for("button", name="unpair", press="short")


async def test_it_survives_a_radio_that_goes_and_comes_back(lenker, a_ride):
    """A newcomer takes the radio's wire; when it leaves, the firmware has to find its way back by itself."""
    async with running_phone("--ride", a_ride, "--speed=0.2") as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("link", state="ready")
        _, thief = await asyncio.open_connection("127.0.0.1", phone.port)
        await firmware.log.wait_for("error", source="hci")
        thief.close()
        await firmware.log.wait_for("link", state="ready")

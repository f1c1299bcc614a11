"""The real firmware on the bench, driven from outside only."""

import asyncio

from lenker_bench.programs.processes import running_phone


async def test_it_shows_every_instruction_of_a_ride(lenker, a_ride):
    async with running_phone("--kind=android", "--ride", a_ride) as phone, lenker(phone.port) as firmware:
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


async def test_it_survives_a_radio_that_goes_and_comes_back(lenker, a_ride):
    """A newcomer takes the radio's wire; when it leaves, the firmware has to find its way back by itself."""
    async with running_phone("--ride", a_ride, "--speed=0.2") as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("link", state="ready")
        _, thief = await asyncio.open_connection("127.0.0.1", phone.port)
        await firmware.log.wait_for("error", source="hci")
        thief.close()
        await firmware.log.wait_for("link", state="ready")

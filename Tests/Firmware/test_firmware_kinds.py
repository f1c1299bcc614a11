"""The real program with each kind of phone that it can find."""

import pytest

from lenker_bench.programs.processes import running_phone
from lenker_bench.wire.chip_kinds import KINDS as CHIPS
from recording import told, told_apart

# Nobody can subscribe to this one.
POLLED = "android-2019"
CYCLING_COMPUTER = 0x0481  # Assigned Numbers, 2.6: cycling 0x12, cycling computer 0x01


async def test_central_behaviour_26_a_phone_without_a_configuration_descriptor_is_heard_by_reading(lenker, a_ride):
    async with (
        running_phone(f"--kind={POLLED}", "--ride", a_ride, "--speed=1000") as phone,
        lenker(phone.port) as firmware,
    ):
        # The first reading starts the ride, and is answered before there is an instruction.
        await phone.log.wait_for("finished", timeout=120, last_heard=True)
        assert told(firmware.log.events) == told_apart(a_ride)
        assert phone.log.named("subscribed") == phone.log.named("complaint") == phone.log.named("unheard") == []


@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_central_behaviour_21_the_phone_learns_who_we_are(lenker, a_ride, kind):
    """It asks while our own side is still searching and subscribing."""
    async with (
        running_phone(f"--kind={kind}", "--ride", a_ride) as phone,
        lenker(phone.port, "name=Fahrrad") as firmware,
    ):
        await phone.log.wait_for("name", name="Fahrrad", appearance=CYCLING_COMPUTER)
        await firmware.log.wait_for("instruction")
        assert phone.log.named("unanswered") == phone.log.named("complaint") == []


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_a_ride_is_shown_over_the_true_air_with_either_chip(lenker, a_ride, kind, chip):
    options = (f"--kind={kind}", "--ride", a_ride, "--air=true", f"--chip={chip}")
    async with running_phone(*options) as phone, lenker(phone.port) as firmware:
        await phone.log.wait_for("finished", timeout=120, last_heard=True)
        assert told(firmware.log.events) == told_apart(a_ride)
        assert firmware.log.named("error") == phone.log.named("complaint") == phone.log.named("unheard") == []

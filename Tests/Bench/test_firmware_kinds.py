"""The real program with each kind of phone that it can find."""

import pytest
from recording import told, told_apart, wait_for_instructions

from lenker_bench.options import OWN_RIDE
from lenker_bench.processes import running_phone

# This one is polled, a reading a second: so its ride is a short one.
POLLED = "android-2019"


@pytest.mark.timeout(300)
@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_a_phone_that_notifies_is_heard_whole(lenker, kind):
    async with (
        running_phone(f"--kind={kind}", "--ride", OWN_RIDE, "--speed=1000") as phone,
        lenker(phone.port) as firmware,
    ):
        expected = told_apart(OWN_RIDE)
        await wait_for_instructions(firmware.log, len(expected))
        await phone.log.wait_for("finished", timeout=60, last_heard=True)
        assert told(firmware.log.events) == expected
        assert phone.log.named("complaint") == phone.log.named("silence") == []


async def test_a_phone_that_never_notifies_is_heard_by_reading(lenker, a_ride):
    async with (
        running_phone(f"--kind={POLLED}", "--ride", a_ride, "--speed=1000") as phone,
        lenker(phone.port) as firmware,
    ):
        # The first reading starts the ride, and is answered before there is an instruction.
        await phone.log.wait_for("finished", timeout=50, last_heard=True)
        heard = told(firmware.log.events)
        assert heard[-1] == told_apart(a_ride)[-1]
        assert set(heard) <= set(told_apart(a_ride))
        assert phone.log.named("subscribed") == phone.log.named("complaint") == []


@pytest.mark.parametrize("kind", ["ios", "android", POLLED])
async def test_the_way_to_a_phone_is_told(lenker, a_ride, kind):
    async with running_phone(f"--kind={kind}", "--ride", a_ride) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("instruction", timeout=30)
        advertising = phone.log.named("advertising")[0]
        firmware_side = [
            (event["event"], event.get("state") or event.get("mode"))
            for event in firmware.log.events
            if event["event"] in ("start", "controller", "scan", "phone", "link")
        ]
        assert firmware_side == [
            ("start", None),
            ("controller", None),
            ("scan", "fast"),
            ("phone", None),
            ("scan", "off"),
            ("link", "connecting"),
            ("link", "connected"),
            ("link", "ready"),
        ]
        found = firmware.log.named("phone")[0]
        assert (found["address"].upper(), found["match"]) == (advertising["address"], "service")
        assert -127 <= found["rssi"] <= 20
        controller = firmware.log.named("controller")[0]
        # What the bench's chip says of itself: the address, Bluetooth 4.1 and Broadcom.
        assert controller["address"].upper() == "B8:27:EB:4C:45:4E"
        assert (controller["version"], controller["manufacturer"]) == (7, 15)

"""Rides with the real program through a busy street: two hundred others advertise, and none of them matters."""

import asyncio
import re
from pathlib import Path

import pytest

from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import running_firmware, running_phone
from recording import (
    CAPTURE,
    Recording,
    are_the_same_but_for_inversion,
    recording,
    told,
    told_apart,
    wait_for_instructions,
)
from touring import settings

RIDE = OWN_RIDE.with_name("lenker-short.csv")
SPEED = 10
# LE Create Connection: 25 bytes, of which interval, window and filter policy come before the type of the peer.
CONNECTING = re.compile(rb"\x0d\x20\x19.{5}.(.{6})", re.DOTALL)


async def ridden(command: list[str], folder: Path, *options: str) -> tuple[Recording, list[dict]]:
    """What the firmware left, and all that the phone said."""
    outputs = Outputs(folder)
    capture = f"btsnoop=file:{folder / CAPTURE}"
    async with running_phone("--ride", RIDE, f"--speed={SPEED}", *options) as phone:
        keys = [f"hci=tcp:127.0.0.1:{phone.port}", capture, *settings(folder)]
        async with running_firmware(command, keys, events=outputs.events) as firmware:
            await wait_for_instructions(firmware.log, len(told_apart(RIDE)))
            await phone.log.wait_for("finished")
            await firmware.stop()
        assert firmware.status == 0
        await phone.stop()
    return recording(folder, firmware.log), phone.log.events


@pytest.mark.parametrize(
    ("seed", "kind", "air"),
    [(1, "ios", "instant"), (2, "android", "instant"), (3, "ios", "true"), (4, "ios-background", "true")],
)
async def test_a_ride_goes_through_a_busy_street_as_through_an_empty_one(lenker_command, tmp_path, seed, kind, air):
    options = (f"--seed={seed}", f"--kind={kind}", f"--air={air}")
    folders = [tmp_path / name for name in ("busy", "empty")]
    for folder in folders:
        folder.mkdir()
    (busy, said), (empty, _) = await asyncio.gather(
        ridden(lenker_command, folders[0], *options, "--street=200"), ridden(lenker_command, folders[1], *options)
    )

    # Heard to its end, on one link.
    assert told(busy.events) == told(empty.events) == told_apart(RIDE)
    assert [event["state"] for event in busy.named("link")].count("connected") == 1
    assert busy.named("error") == []
    assert [event for event in said if event["event"] == "complaint"] == []

    # The panel shows what it shows without a street, where it had the time to.
    pictures, others = busy.pictures_of_instructions(), empty.pictures_of_instructions()
    both = pictures.keys() & others.keys()
    assert len(both) > 2
    assert [key for key in both if not are_the_same_but_for_inversion(pictures[key] | others[key])] == []

    # Nobody but the rider's phone was connected to.
    own = {event["address"] for event in said if event["event"] == "advertising" and event["state"] == "on"}
    asked = {peer[::-1].hex(":").upper() for peer in CONNECTING.findall(busy.capture.read_bytes())}
    assert asked and asked <= own
    (street,) = [event for event in said if event["event"] == "street"]
    assert street["wanted"] == [] and street["reports"] > 50

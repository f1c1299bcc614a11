"""What the real program does when the phone asks for other connection parameters."""

import struct
from dataclasses import replace

import pytest
from bumble import hci

from builds import regular_and_armv6
from hostile_phone import hostile_phone
from lenker_bench.phone.kinds import KINDS
from lenker_bench.phone.questions import L2CAP, LINK_LAYER, NOBODY
from lenker_bench.programs.processes import running_phone
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.parameters import Parameters
from tshark import read

VALUE = struct.pack("<IBI", 1, 5, 100) + b"A"
CONNECTION_UPDATE_COMPLETE = 0x03  # subevent of LE Meta
CONNECTION_UPDATE, REQUEST_REPLY = 0x2013, 0x2020
UNACCEPTABLE = 0x3B  # Core Specification, Vol 1, Part F, 2.56
REQUEST_REPLIES = {
    hci.HCI_LE_REMOTE_CONNECTION_PARAMETER_REQUEST_REPLY_COMMAND,
    hci.HCI_LE_REMOTE_CONNECTION_PARAMETER_REQUEST_NEGATIVE_REPLY_COMMAND,
}

# How each kind asks, and what it then has: milliseconds, intervals, milliseconds.
ASKED = {
    "ios": (L2CAP, 45.0, 0, 2000),
    "ios-background": (L2CAP, 45.0, 0, 2000),
    "android": (LINK_LAYER, 125.0, 2, 5000),
    "android-2019": (LINK_LAYER, 125.0, 2, 5000),
}


@pytest.mark.parametrize("kind", ASKED)
@regular_and_armv6
async def test_central_behaviour_17_the_phone_gets_the_parameters_it_asks_for(build, lenker, a_ride, tmp_path, kind):
    way, *wanted = ASKED[kind]
    capture = tmp_path / "radio.btsnoop"
    options = (f"--kind={kind}", "--ride", a_ride, "--speed=0.1")
    async with running_phone(*options) as phone, lenker(phone.port, f"btsnoop=file:{capture}") as firmware:
        given = await phone.log.wait_for("parameters", 30)
        assert given["asked"] == way
        assert [given["interval"], given["latency"], given["timeout"]] == wanted
        await firmware.stop()
        assert phone.log.named("refused") == phone.log.named("complaint") == []

    packets = read(capture, "bthci_cmd.opcode", "bthci_evt.le_meta_subevent", "bthci_evt.le_con_interval")
    commands = [int(opcode, 0) for opcode, _, _ in packets if opcode]
    assert ((CONNECTION_UPDATE in commands), (REQUEST_REPLY in commands)) == (way == L2CAP, way == LINK_LAYER)
    # The firmware's own side hears of it as well; the interval is in units of 1.25 ms.
    updates = [interval for _, event, interval in packets if event and int(event, 0) == CONNECTION_UPDATE_COMPLETE]
    assert [int(interval, 0) * 1.25 for interval in updates] == wanted[:1]


@pytest.mark.parametrize(
    "missing",
    [
        pytest.param({"le_features": hci.LeFeatureMask.LE_ENCRYPTION}, id="feature"),
        pytest.param({"supported_commands": Chip.supported_commands - REQUEST_REPLIES}, id="commands"),
    ],
)
async def test_central_behaviour_17_a_phone_asks_by_l2cap_where_our_controller_cannot_be_asked(
    lenker, monkeypatch, missing
):
    for name, without in missing.items():
        monkeypatch.setattr(Chip, name, without)
    async with hostile_phone(VALUE, kind="android") as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("instruction", 30)
        given = await phone.log.wait_for("parameters", 30)
        assert (given["asked"], given["interval"]) == (L2CAP, 125.0)
        assert phone.log.named("complaint") == []


UNBEARABLE = {
    "silence of two seconds": Parameters(interval_min=160, interval_max=200, latency=7, timeout=600),
    "loss noticed after 20 s": Parameters(interval_min=24, interval_max=40, latency=0, timeout=2000),
    "forbidden together": Parameters(interval_min=80, interval_max=100, latency=4, timeout=100),
}


@pytest.mark.parametrize("wanted", UNBEARABLE.values(), ids=UNBEARABLE)
async def test_central_behaviour_17_parameters_that_no_ride_could_bear_are_refused_and_the_link_stays(lenker, wanted):
    kind = replace(KINDS["ios"], wanted_parameters=wanted, parameters_after=0.5)
    async with hostile_phone(VALUE, kind) as phone, lenker(phone.port) as firmware:
        refused = await phone.log.wait_for("refused", 30)
        assert (refused["asked"], refused["reason"]) == (L2CAP, UNACCEPTABLE)
        phone.script.say(VALUE[:5] + bytes([7, 0, 0, 0]))
        await firmware.log.wait_for("instruction", 30, distance=7)
        assert [given["asked"] for given in phone.log.named("parameters")] in ([], [NOBODY])
        assert phone.log.named("complaint") == phone.log.named("disconnected") == []


async def test_central_behaviour_17_unbearable_ones_are_refused_to_the_link_layer_too(lenker):
    wanted = UNBEARABLE["loss noticed after 20 s"]
    kind = replace(KINDS["android"], wanted_parameters=wanted, parameters_after=0.5)
    async with hostile_phone(VALUE, kind) as phone, lenker(phone.port) as firmware:
        refused = await phone.log.wait_for("refused", 30)
        assert (refused["asked"], refused["reason"]) == (LINK_LAYER, UNACCEPTABLE)
        phone.script.say(VALUE[:5] + bytes([7, 0, 0, 0]))
        await firmware.log.wait_for("instruction", 30, distance=7)
        assert phone.log.named("complaint") == phone.log.named("disconnected") == []


async def test_a_link_is_relaxed_by_the_firmware_only_where_the_phone_has_no_wish(lenker):
    """Ten seconds after the ride began."""
    kind = replace(KINDS["ios"], parameters_after=60)
    async with hostile_phone(VALUE, kind) as phone, lenker(phone.port):
        given = await phone.log.wait_for("parameters", 40)
        # 100 to 125 ms, and a loss is noticed after 4 s.
        assert (given["asked"], given["interval"], given["latency"], given["timeout"]) == (NOBODY, 125.0, 0, 4000)

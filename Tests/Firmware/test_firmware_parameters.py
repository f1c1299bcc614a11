"""What the real program does when the phone asks for other connection parameters."""

import pytest

from lenker_bench.phone.questions import L2CAP, LINK_LAYER
from lenker_bench.programs.processes import running_phone
from tshark import read

CONNECTION_UPDATE_COMPLETE = 0x03  # subevent of LE Meta
CONNECTION_UPDATE, REQUEST_REPLY = 0x2013, 0x2020

# How each kind asks, and what it then has: milliseconds, intervals, milliseconds.
ASKED = {"ios": (L2CAP, 45.0, 0, 2000), "android": (LINK_LAYER, 125.0, 2, 5000)}


@pytest.mark.parametrize("kind", ASKED)
async def test_central_behaviour_17_the_phone_gets_the_parameters_it_asks_for(lenker, a_ride, tmp_path, kind):
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

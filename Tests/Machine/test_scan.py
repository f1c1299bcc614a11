"""`lenker-scan` at the kernel's HCI user channel, which one program has at a time."""

import json

from bonding import LONG, STREET, states
from lenker_bench.phone import komoot
from lenker_bench.phone.pairing import JUST_WORKS
from lenker_bench.phone.rides import Step
from machine import Machine

SERVICE = "71C1E128-D92F-4FA8-A2B2-0F171DB3436C"
TAKEN = (
    "lenker-scan: hci0: another program has the controller: stop bluetoothd or that program; "
    "if it is the service: sudo systemctl stop lenker"
)
RIGHTS = "lenker-scan: hci0: not permitted without CAP_NET_ADMIN: run as root, or give it to the service"


async def complaint(pc: Machine, prefix: str = "") -> str:
    """What it says without a radio."""
    status, said = await pc.attempt(f"{prefix} lenker-scan --json hci=hci0".strip())
    assert status == 69
    summary, sentence = sorted(said.splitlines(), reverse=True)
    assert json.loads(summary)["event"] == "summary"
    return sentence


async def test_it_leaves_the_firmware_its_radio_and_has_it_afterwards(machine, phone):
    async with phone(JUST_WORKS) as rider, machine(radio=rider.port) as pc:
        await pc.attach_radio()
        firmware = await pc.start_firmware("hci=hci0", "display=pbm:/tmp/glass", "pairing=off")
        await firmware.log.first("instruction", LONG, street=STREET)
        assert await complaint(pc) == TAKEN
        rider.script.say(komoot.encode(8, Step(0, 3, 80, "Lennéstraße")))
        await firmware.log.first("instruction", LONG, id=8)
        assert states(firmware.log, "link").count("connected") == 1
        assert firmware.log.named("error") == [] and "disconnected" not in states(firmware.log, "link")
        assert await firmware.stop() == 0

        assert await complaint(pc, prefix="guest as 1000") == RIGHTS
        # One that is switched on, as bluetoothd leaves it, is nobody's: the firmware takes it, too.
        await pc.run("guest up 0")
        heard = json.loads(await pc.run(f"lenker-scan --json --service {SERVICE} hci=hci0 | head -n 1"))
        assert heard["event"] == "advertisement" and SERVICE in heard["services"]
        checked = await pc.run("lenker --check display=pbm:/tmp/glass")
        assert checked.startswith("ok hci hci0: controller "), "it has let go of it"

"""The kernel's HCI user channel: a controller that goes and comes back, and each reason not to get one."""

import json

from bonding import LONG, STREET
from lenker_bench.phone import komoot
from lenker_bench.phone.pairing import JUST_WORKS
from lenker_bench.phone.rides import Step
from machine import Machine

KEYS = ["hci=hci0", "display=pbm:/tmp/glass", "store=/tmp/bond"]
SERVICE = "71C1E128-D92F-4FA8-A2B2-0F171DB3436C"
TAKEN = (
    "lenker-scan: hci0: another program has the controller: stop bluetoothd or that program; "
    "if it is the service: sudo systemctl stop lenker"
)
RIGHTS = "lenker-scan: hci0: not permitted without CAP_NET_ADMIN: run as root, or give it to the service"


async def check(pc: Machine, *, hci: str = "hci0", prefix: str = "") -> str:
    """What `--check` says of a controller that it does not get."""
    status, said = await pc.attempt(f"{prefix} lenker --check hci={hci} display=pbm:/tmp/glass".strip())
    assert status == 69
    return next(line for line in said.splitlines() if " hci " in line)


async def error(pc: Machine) -> str:
    """What the firmware says of it; it goes on all the same."""
    firmware = await pc.start_firmware("hci=hci0", "display=pbm:/tmp/glass", "pairing=off")
    event = await firmware.log.wait_for("error", LONG, source="hci")
    assert await firmware.stop() == 0
    return event["message"]


async def scan_complaint(pc: Machine, prefix: str = "") -> str:
    """What `lenker-scan` says without a radio."""
    status, said = await pc.attempt(f"{prefix} lenker-scan --json hci=hci0".strip())
    assert status == 69
    summary, sentence = sorted(said.splitlines(), reverse=True)
    assert json.loads(summary)["event"] == "summary"
    return sentence


async def reasons_are_told(pc: Machine) -> None:
    said = "hci0: the kernel has no Bluetooth: load the module bluetooth"
    assert await check(pc) == f"failed hci {said}"
    assert await error(pc) == said

    await pc.attach_radio()
    said = "hci7: no such controller: see hciconfig -a for those there are, and whether its driver is loaded"
    assert await check(pc, hci="hci7") == f"failed hci {said}"

    said = "hci0: not permitted without CAP_NET_ADMIN: run as root, or give it to the service"
    rights = "; a service gets it by AmbientCapabilities=CAP_NET_ADMIN, a file by setcap cap_net_admin+ep"
    assert await check(pc, prefix="chmod 777 /tmp/glass; guest as 1000") == f"failed hci {said}{rights}"
    assert await scan_complaint(pc, prefix="guest as 1000") == RIGHTS

    holder = await pc.run("guest hold 0")
    said = "hci0: another program has the controller: stop bluetoothd or that program"
    hint = "; bluetoothd lets go of it with systemctl disable --now bluetooth"
    assert await check(pc) == f"failed hci {said}{hint}"
    assert await scan_complaint(pc) == TAKEN
    # Its files are closed once it is a zombie, or gone.
    await pc.run(f"kill {holder}; while grep -qs '^State:.[^Z]' /proc/{holder}/status; do usleep 10000; done")

    await pc.run("echo 1 >/sys/class/rfkill/rfkill0/soft")
    assert await check(pc) == "failed hci hci0: the radio is switched off: rfkill unblock bluetooth"
    await pc.run("echo 0 >/sys/class/rfkill/rfkill0/soft")


async def test_each_reason_not_to_get_the_controller_is_told_and_one_that_goes_is_used_again(machine, phone):
    async with phone(JUST_WORKS) as rider, machine(radio=rider.port) as pc:
        await reasons_are_told(pc)
        # One that is switched on, as bluetoothd leaves it, is nobody's: each program takes it, and lets go of it.
        await pc.run("guest up 0")
        heard = json.loads(await pc.run(f"lenker-scan --json --service {SERVICE} hci=hci0 | head -n 1"))
        assert heard["event"] == "advertisement" and SERVICE in heard["services"]
        assert (await pc.run("lenker --check display=pbm:/tmp/glass")).startswith("ok hci hci0: controller ")

        await pc.run("mkfifo /tmp/presses")
        firmware = await pc.start_firmware(*KEYS, "buttons=fifo:/tmp/presses")
        await firmware.log.wait_for("pairing", LONG, state="ask")
        await pc.run("printf a >/tmp/presses")
        await firmware.log.wait_for("bond", LONG, state="saved")
        await firmware.log.first("instruction", LONG, street=STREET)
        for number, remove_driver in enumerate(["", "rmmod hci_uart"], 8):
            await pc.detach_radio()
            gone = await firmware.log.wait_for("error", LONG, source="hci")
            assert gone["message"] == "hci0: the controller went away; it is opened again when it is back"
            await firmware.log.wait_for("link", LONG, state="disconnected")
            await pc.run(remove_driver)
            missing = await firmware.log.wait_for("error", LONG, source="hci")
            assert missing["message"].startswith("hci0: no such controller: ")

            await pc.attach_radio()
            await firmware.log.wait_for("controller", LONG)
            await firmware.log.wait_for("link", LONG, state="encrypted")
            rider.script.say(komoot.encode(number, Step(0, 3, 10 * number, "Lennéstraße")))
            await firmware.log.first("instruction", LONG, id=number)
        assert await firmware.stop() == 0

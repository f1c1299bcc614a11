"""The rider's report in the virtual machine: by real contacts, after all that the kernel can do to a ride."""

import base64
import errno
from pathlib import Path

from bonding import LONG, STREET, compare
from lenker_bench.phone import komoot
from lenker_bench.phone.rides import Step
from machine import BUTTONS, READING_TIME, A, B, Machine, contact
from panel_bus import BUS, add_panel_bus
from recording import told
from replay import events_of_replay

REPORT = "/tmp/report.btsnoop"
KEYS = ["hci=hci0", f"display=i2c:{BUS}@0x3c", "store=/tmp/bond", f"report=file:{REPORT}", *BUTTONS]
BOTH_TIME = 3_200  # milliseconds


async def hold_both(pc: Machine) -> None:
    """As long as a report needs."""
    contacts = f"{contact(A)} {contact(B)}"
    set_both = "for line in {}; do echo {} >$line; done"
    hold = f"usleep {BOTH_TIME * 1000}"
    await pc.run(f"{set_both.format(contacts, 'pull-down')}; {hold}; {set_both.format(contacts, 'pull-up')}")


async def fetch(pc: Machine, path: Path) -> Path:
    path.write_bytes(base64.b64decode(await pc.run(f"base64 {REPORT}")))
    return path


async def test_the_report_of_a_ride_on_which_all_failed_replays(machine, phone, tmp_path):
    async with phone() as rider, machine(radio=rider.port) as pc:
        await pc.attach_radio()
        bus = await add_panel_bus(pc, takes_messages=True)
        await pc.add_chip()
        firmware = await pc.start_firmware(*KEYS)
        log = firmware.log
        await compare(firmware, rider)
        await pc.press(A, after=READING_TIME)
        await log.wait_for("bond", LONG, state="saved")
        await log.first("instruction", LONG, street=STREET)

        await pc.unplug_chip()
        await log.wait_for("report", LONG, state="saved")
        events = events_of_replay(await fetch(pc, tmp_path / "gpio"), tmp_path / "gpio-replay")
        assert told(events) == told(log.events)
        await pc.plug_chip()
        await pc.wait_for_line(B)

        # Behind the first message of a picture, so that the replay must know how far it came.
        whole = log.named("frame")[-1]["number"]
        await bus.fail(errno.ETIMEDOUT, messages=1)
        rider.script.say(komoot.encode(8, Step(0, 5, 90, STREET)))
        await log.wait_for("error", LONG, source="i2c")
        await log.wait_for("report", LONG, state="saved")
        await bus.heal()
        await log.first("frame", LONG, number=whole + 1)

        await hold_both(pc)
        await log.wait_for("report", LONG, state="saved")
        report = await fetch(pc, tmp_path / "report")
        assert {event["source"] for event in log.named("error")} == {"gpio", "i2c"}
        assert await firmware.stop() == 0
    events = events_of_replay(report, tmp_path / "replay")
    assert told(events) == told(log.events)
    for kind in ("button", "error", "frame"):
        again = [event for event in events if event["event"] == kind]
        # The last picture of then is that of the report.
        assert again and again == log.named(kind)[: len(again)]

"""What `--check` says of each device, in the words and colours that a person who has just soldered sees.

`check.txt` is that person's screen, in the order of the mistakes that can be made. `LENKER_RECORD=1` writes what is
said now in its place: read all of it before it is committed.
"""

import errno
import os
import re
from pathlib import Path

from bonding import LONG
from lenker_bench.phone.pairing import JUST_WORKS
from lenker_bench.view.sheet import expected_picture
from machine import READING_TIME, A, B, Machine
from panel_bus import add_panel_bus, panel_after

SCREEN = Path(__file__).with_name("check.txt")
COLORS = {"\x1b[0m": "", "\x1b[31m": "{red}", "\x1b[32m": "{green}", "\x1b[33m": "{yellow}"}

BOARD = f"""hci = hci0
display = i2c:/dev/i2c-1@0x3c
buttons = gpio:/dev/gpiochip0
button-a = {A}
button-b = {B}
alert = 22
store = /tmp/bond
"""


GROUPS = "root:x:0:\nindeed:x:998:\ni2c:x:988:pi,rider\n"


class Person:
    """Who runs `--check` again and again, and keeps what was said."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.screen = ""

    async def checks(self, what: str, *keys: str, prefix: str = "TERM=xterm guest terminal") -> int:
        """The status that it ended with; `what` was done before."""
        said_to = " ".join(["--check", *keys])
        status, said = await self._machine.attempt(f"{prefix} lenker --board /board.conf {said_to}")
        self.screen += f"# {what}\n$ lenker --board board.conf {said_to}\n{readable(said)}\n\n"
        return status


def readable(said: str) -> str:
    """The text with its colours named before each coloured word."""
    text = re.sub("\x1b\\[\\d+m", lambda found: COLORS[found[0]], said)
    assert "\x1b" not in text
    return text.replace("\r", "")


async def test_a_person_who_has_just_soldered_is_told_what_to_do(machine, phone):
    test_picture = expected_picture("check").rows
    files = {"board.conf": BOARD, "etc/group": GROUPS}
    async with phone(JUST_WORKS) as rider, machine(radio=rider.port, files=files) as pc:
        await pc.add_terminals()
        person = Person(pc)
        assert await person.checks("Nothing is switched on yet.") == 69
        await pc.attach_radio()
        await pc.add_chip()
        bus = await add_panel_bus(pc)
        await bus.fail(errno.EREMOTEIO)
        assert await person.checks("SDA and SCL of the panel are swapped.") == 69
        await bus.fail(errno.ETIMEDOUT)
        assert await person.checks("A bridge of solder is between SCL and ground.") == 69
        await bus.heal()
        await pc.set_bus(0x68, 0x3D)
        other = "display=i2c:/dev/i2c-0@0x3c"
        assert await person.checks("It is another bus, and on it a panel with the other address.", other) == 69
        await pc.run("echo dummy 0x3c >/sys/bus/i2c/devices/i2c-1/new_device")
        assert await person.checks("A driver of the kernel has the panel.") == 69
        await pc.run("echo 0x3c >/sys/bus/i2c/devices/i2c-1/delete_device")
        firmware = await pc.start_firmware("--board", "/board.conf")
        await firmware.log.wait_for("pairing", LONG, state="ask")
        await pc.press(A, after=READING_TIME)
        await firmware.log.wait_for("bond", LONG, state="saved")
        assert await person.checks("The service runs, and has remembered a phone.") == 69
        await pc.attempt("lenker --board board.conf --check pairing=off")  # which has no store to know it by
        assert panel_after(await bus.arrivals()).picture() != test_picture, "the rider needs the panel"
        assert await firmware.stop() == 0
        await pc.run("chown 0:988 /dev/i2c-1; chmod 660 /dev/i2c-1")
        as_rider = "TERM=xterm guest as 1000 guest terminal"
        assert await person.checks("Another user checks, without any right.", prefix=as_rider) == 69
        assert await person.checks("All is well.") == 0
        panel = panel_after(await bus.arrivals())
        assert (panel.is_on, panel.picture()) == (True, test_picture)
        assert await person.checks("All is well, and a program reads it.", prefix="") == 0
        if os.environ.get("LENKER_RECORD"):
            SCREEN.write_text(person.screen, encoding="utf-8")
        assert person.screen == SCREEN.read_text("utf-8")

"""`Boards/bench/run --phone real` in the machine: the kernel's Bluetooth is the PC's, and the phone.

Debian's Python runs the bench's own command on a terminal. bluetoothd has both controllers before and afterwards.
"""

import sysconfig
from pathlib import Path

import pytest

from bluez_strap import start_bluetoothd, system_with_bluez
from bonding import INSTRUCTION, STREET
from builds import command_of
from kernel_phone import start_kernel_phone
from lenker_bench.phone import komoot
from lenker_bench.phone.rides import Step
from lenker_bench.programs.children import PACKAGES
from machine import MADE, READING_TIME, Machine, running_machine

PROGRAM = f"""
import sys
sys.path += [{str(PACKAGES)!r}, {sysconfig.get_path("purelib")!r}]
from lenker_bench.commands.real import main
if __name__ == "__main__":
    sys.exit(main())
"""
OUT, KEYS, TEXT = "/tmp/ride", "/tmp/keys", "/tmp/ride/for-an-issue.txt"

BENCH = (
    "for one in /proc/[0-9]*; do case $(readlink $one/exe) in *python3*) "
    "if grep -qs bin/bench $one/cmdline; then echo ${one#/proc/}; fi ;; esac; done"
)
"""Its number, without those of what it has started, or what it is started by."""


class Bench:
    """The command on a terminal of the machine."""

    def __init__(self, pc: Machine) -> None:
        self._pc = pc

    async def start(self) -> None:
        await self._pc.run(f"rm -rf {OUT} {KEYS}; mkfifo {KEYS}")
        options = f"--phone real --controller hci0 --yes --firmware /bin/lenker --out {OUT}"
        on_terminal = f"TERM=xterm guest terminal /usr/bin/python3 -I /bin/bench {options}"
        await self._pc.run(f"({on_terminal} <>{KEYS} >/dev/console 2>&1 &)")
        await self.says('"event":"scan"')

    async def says(self, text: str) -> None:
        """Waits for an event with this in it."""
        await self._pc.run(f"until grep -qs '{text}' {OUT}/events.jsonl; do usleep 100000; done")

    async def key(self, key: str, after: int = 0) -> None:
        await self._pc.run(f"usleep {after * 1000}; printf '{key}' >{KEYS}")


async def bluetooth_works(pc: Machine) -> None:
    """bluetoothd has the controller of before again, and nobody else."""
    show = "bluetoothctl --timeout 20 show 00:AA:01:00:00:00"
    await pc.run(f"until {show} | grep -q 'Powered: yes'; do usleep 200000; done")
    assert (await pc.attempt("pidof lenker"))[0] != 0


@pytest.mark.thorough
@pytest.mark.usefixtures("archive")
async def test_the_pcs_bluetooth_is_lent_for_a_ride_and_given_back_however_that_ends(tmp_path):
    program = tmp_path / "bench"
    program.write_text(PROGRAM)
    archive = system_with_bluez(Path(command_of("regular")[0]), program)
    archive.add_program("bin/bluetoothctl", MADE / "bluetoothctl")
    async with running_machine(archive, tmp_path) as pc:
        await pc.add_terminals()
        phone = await start_kernel_phone(pc, INSTRUCTION)
        await start_bluetoothd(pc)
        await bluetooth_works(pc)
        bench = Bench(pc)

        await bench.start()
        await phone.set_up()
        phone.advertise()
        await bench.says('"state":"confirm"')
        await phone.asked_number()
        await bench.key("a", after=READING_TIME)
        await bench.says(STREET)
        phone.say(komoot.encode(8, Step(0, 3, 20, "Lennéstraße")))
        await bench.says("Lennéstraße")
        await bench.key("q")
        await bluetooth_works(pc)
        text = await pc.run(f"cat {TEXT}")
        assert "instructions: 2" in text and "losses: 0" in text and "errors: 0" in text
        assert "first instruction: no" not in text and "Lenné" not in text

        for ending in (f"printf '\\003' >{KEYS}", f"kill -TERM $({BENCH})", f"kill -KILL $({BENCH})"):
            await bench.start()
            assert (await pc.attempt("pidof bluetoothd"))[0] != 0
            await pc.run(ending)
            await bluetooth_works(pc)

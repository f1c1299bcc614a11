"""`lenker.service` under a real systemd: what it may do, what it may not, and who has the radio.

All tests share a machine, where its time counts instructions and waiting takes none.
"""

import asyncio
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from builds import command_of
from initramfs import Archive
from machine import A, Machine, running_machine
from service_system import system_with_systemd

pytestmark = pytest.mark.thorough

CAP_NET_ADMIN = 1 << 12  # include/uapi/linux/capability.h
EVENTS = "/run/lenker/events"
BOARD = "/etc/lenker/board.conf"
DRIVER = "/sys/bus/serial/drivers/hci_uart_bcm"


class System:
    """The machine, for tests that are no coroutines."""

    def __init__(self, runner: asyncio.Runner, machine: Machine) -> None:
        self._runner = runner
        self._machine = machine

    def run(self, command: str) -> str:
        return self._runner.run(self._machine.run(command))

    def press(self, line: int) -> None:
        self._runner.run(self._machine.press(line))

    def add_bus(self) -> None:
        """The panel's bus, which is /dev/i2c-1 as on the board, behind one that is not ours."""
        self.run("modprobe i2c-piix4")
        self._runner.run(self._machine.add_bus())
        self.run("chgrp i2c /dev/i2c-0 /dev/i2c-1 && chmod 660 /dev/i2c-0 /dev/i2c-1")

    def add_chip(self) -> None:
        self._runner.run(self._machine.add_chip())
        self.run("chgrp gpio /dev/gpiochip0 && chmod 660 /dev/gpiochip0")

    def add_radio(self) -> None:
        self.run("modprobe -a hci_vhci algif_hash algif_skcipher ecb cmac && (btvirt -l2 >/dev/null 2>&1 &)")

    def wait_for(self, text: str) -> None:
        """Waits for an event of the service as it runs now, with this in it."""
        self.run(f"until grep -q '{text}' {EVENTS}; do usleep 50000; done")

    def restart(self) -> None:
        self.run(f"rm -f {EVENTS}; systemctl stop bluetooth && systemctl restart lenker")

    def is_active(self, unit: str) -> bool:
        return self.run(f"systemctl show --value -p ActiveState {unit}") == "active"

    @property
    def pid(self) -> str:
        return self.run("systemctl show --value -p MainPID lenker")


@pytest.fixture(scope="module")
def system(archive: Archive, tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """The chip of the buttons is there from the start, as on a board; the rest comes when the service runs."""
    first = system_with_systemd(Path(command_of("regular")[0]))
    with asyncio.Runner() as runner:
        stack = contextlib.AsyncExitStack()
        running = running_machine(first, tmp_path_factory.mktemp("machine"), is_alone=True)
        system = System(runner, runner.run(stack.enter_async_context(running)))
        try:
            system.run(f"sed -i 's|^events = none |events = file:{EVENTS} |' {BOARD}")
            system.add_chip()
            system.run("systemctl start bluetooth && systemctl start lenker")
            yield system
        finally:
            runner.run(stack.aclose())


def test_a_bluetoothd_that_runs_is_stopped(system):
    assert system.is_active("lenker") and not system.is_active("bluetooth")


def test_it_opens_devices_that_come_later(system):
    system.wait_for('"source":"i2c"')
    system.wait_for('"source":"hci"')
    system.add_bus()
    system.add_radio()
    system.wait_for('"event":"frame"')
    system.wait_for('"event":"scan"')
    system.press(A)
    system.wait_for('"event":"button"')


def test_it_is_one_thread_with_one_capability_and_no_root(system):
    fields = dict(line.split(":\t", 1) for line in system.run(f"cat /proc/{system.pid}/status").splitlines())
    assert "0" not in fields["Uid"].split() + fields["Gid"].split()
    assert {int(fields[name], 16) for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb")} == {CAP_NET_ADMIN}
    assert (fields["NoNewPrivs"], fields["Seccomp"], fields["Threads"]) == ("1", "2", "1")


def test_the_bond_is_its_own(system):
    assert re.match(r"-rw------- .* 4608 ", system.run("ls -l /var/lib/lenker/bond"))
    assert re.match(r"drwx------ .* root ", system.run("ls -ld /var/lib/private"))


def test_another_device_is_closed_to_it_whatever_its_mode(system):
    system.run(f"sed -i s:/dev/i2c-1:/dev/i2c-0: {BOARD}")
    system.restart()
    system.wait_for('"source":"i2c"')
    (error,) = [line for line in system.run(f"cat {EVENTS}").splitlines() if '"i2c"' in line]
    system.run(f"sed -i s:/dev/i2c-0:/dev/i2c-1: {BOARD}")
    assert "not permitted" in error


def test_a_bluetoothd_that_something_starts_later_does_not_run(system):
    """udev and D-Bus do, when a controller shows."""
    system.restart()
    before = system.pid
    system.run("systemctl start bluetooth")
    assert not system.is_active("bluetooth")
    assert system.is_active("lenker") and system.pid == before


def test_central_behaviour_126_bluetooth_that_is_blocked_is_unblocked_before_each_start(system):
    """By rfkill of the kernel: of the controller that is there, and of those that come later."""
    for _ in range(2):
        system.run("systemctl stop lenker && for one in /sys/class/rfkill/*; do echo 1 >$one/soft; done")
        assert system.run("lenker --check events=none hci=hci0 2>&1 | grep -c 'rfkill unblock bluetooth'") == "1"
        system.restart()
        system.wait_for('"event":"scan"')
        assert set(system.run("cat /sys/class/rfkill/*/soft").split()) == {"0"}
    assert system.run("systemctl show --value -p Result lenker-unblock") == "success"


def test_one_that_hangs_is_ended_and_started_again(system):
    system.restart()
    before = system.pid
    system.run(f"kill -STOP {before}")
    system.run("until [ $(systemctl show --value -p NRestarts lenker) = 1 ]; do sleep 10; done")
    system.run("until systemctl is-active lenker; do usleep 100000; done")
    assert system.pid != before
    # The radio was not left to anybody meanwhile.
    assert not system.is_active("bluetooth")


def test_one_that_is_not_hanging_is_left_alone(system):
    system.restart()
    before = system.pid
    system.wait_for('"event":"scan"')
    system.run("sleep 100")
    assert system.pid == before


def test_central_behaviour_61_a_radio_that_stays_away_is_unbound_and_bound_by_a_root_unit_that_does_only_that(system):
    # The driver's folder, whose files the machine's own kernel would take for a device that it does not have.
    system.run(f"modprobe hci_uart && mount -t tmpfs none {DRIVER}")
    system.run(f"sed -i 's/^hci = hci0 /hci = hci7 /' {BOARD}")
    system.restart()
    system.wait_for('"step":"rebind","count":1')
    system.run(f"until [ -e {DRIVER}/bind ]; do usleep 100000; done")
    assert system.run(f"cat {DRIVER}/unbind {DRIVER}/bind").split() == ["serial0-0", "serial0-0"]
    times = [int(time) for time in system.run(f"stat -c %Y {DRIVER}/unbind {DRIVER}/bind").split()]
    assert times[1] > times[0], "in between the chip has no power"
    events = system.run(f"cat {EVENTS}")
    assert '"step":"reboot"' not in events and "bluetoothd" not in events
    system.run(f"umount {DRIVER} && sed -i 's/^hci = hci7 /hci = hci0 /' {BOARD}")


def test_central_behaviour_61_nobody_but_its_group_can_ask_for_that(system):
    system.restart()
    assert re.match(r"srw--w---- .* root +gpio ", system.run("ls -l /run/lenker-rebind"))


def test_a_wrong_board_file_is_not_tried_again(system):
    system.run(f"echo zoom = 2 >>{BOARD} && ! systemctl restart lenker")
    assert system.run("systemctl show --value -p ExecMainStatus -p ActiveState lenker").split() == ["78", "failed"]
    system.run(f"sed -i '/^zoom/d' {BOARD}")


def test_when_it_is_stopped_bluetoothd_may_run_again(system):
    system.restart()
    system.run("systemctl stop lenker && systemctl start bluetooth")
    assert system.is_active("bluetooth") and not system.is_active("lenker-radio.target")

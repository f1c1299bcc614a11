"""Lends this PC's Bluetooth to a program, and gives it back as it was: `keeper hci0 PROGRAM ARGUMENT…`, as root.

Its standard input is a pipe, whose other end the bench has. However the bench ends, the pipe is closed: then the
program is ended, and Bluetooth given back. Its standard output says `lent` when the program has started, and what went
wrong, a line each; the program has its standard error. Ends with 69 where there is nothing to lend.
"""

import contextlib
import fcntl
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from .children import die_with_parent

UNAVAILABLE = 69  # sysexits.h
CLASS, PROCESSES, SYSTEMD = Path("/sys/class/bluetooth"), Path("/proc"), Path("/run/systemd/system")
END = 5.0  # seconds that a program may take to end

# Linux, include/net/bluetooth/hci_sock.h
_BTPROTO_HCI, _HCI_UP = 1, 1 << 0
_HCIDEVUP, _HCIDEVDOWN, _HCIGETDEVINFO = 0x400448C9, 0x400448CA, 0x800448D3
_DEVICE_INFO, _FLAGS_AT = 92, 16  # bytes of struct hci_dev_info, and the place of its flags


class LoanError(Exception):
    """Why it cannot be lent."""


def controllers(folder: Path = CLASS) -> list[str]:
    """The names of this PC's controllers: a link that a controller has is a device there, too."""
    names = [path.name for path in folder.glob("hci*") if re.fullmatch(r"hci\d+", path.name)]
    return sorted(names, key=lambda name: int(name.removeprefix("hci")))


def daemons() -> dict[int, list[str]]:
    """The command line of each bluetoothd that runs, by its number; one that has ended has none."""
    found = {}
    for folder in PROCESSES.glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (folder / "cmdline").read_bytes().decode().rstrip("\0").split("\0")
            if (folder / "comm").read_text().strip() == "bluetoothd" and command[0]:
                found[int(folder.name)] = command
    return found


def _is_ended(pid: int) -> bool:
    """Waits for a process that need not be our child."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], END)[0])
    finally:
        os.close(descriptor)


def _control(request: int, argument: int | bytearray) -> None:
    with socket.socket(socket.AF_BLUETOOTH, socket.SOCK_RAW, _BTPROTO_HCI) as control:
        fcntl.ioctl(control, request, argument)


def _systemctl(verb: str) -> bool:
    """Whether systemd is there and did that with bluetoothd."""
    if not SYSTEMD.exists():
        return False
    command = ["systemctl", "--quiet", verb, "bluetooth.service"]
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False).returncode == 0


@dataclass
class Loan:
    """What was taken of a controller so far, and how it was before."""

    name: str
    _was_up: bool = False
    _blocked: list[Path] = field(default_factory=list)
    _is_service_stopped: bool = False
    _stopped: dict[int, list[str]] = field(default_factory=dict)

    def take(self) -> None:
        """Nobody else has the controller afterwards. Raises `LoanError`; `give_back` is right all the same."""
        self._was_up = self._is_up()
        self._stop_daemons()
        self._unblock()
        self._switch(_HCIDEVDOWN)

    def give_back(self) -> None:
        """As it was, as far as it is there."""
        if (CLASS / self.name).exists():
            if self._was_up:
                try:
                    self._switch(_HCIDEVUP)
                except LoanError as error:
                    say(f"{error}; try `bluetoothctl power on`")
            for file in self._blocked:
                file.write_text("1")
        else:
            say(f"{self.name} is gone: plug it in again, and it is as it was")
        if self._is_service_stopped and not _systemctl("start"):
            say("bluetoothd does not start; try `systemctl start bluetooth`")
        still_there = daemons()
        for command in (command for pid, command in self._stopped.items() if pid not in still_there):
            subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    def _is_up(self) -> bool:
        information = bytearray(struct.pack("<H", int(self.name.removeprefix("hci"))).ljust(_DEVICE_INFO, b"\0"))
        try:
            _control(_HCIGETDEVINFO, information)
        except OSError as error:
            raise LoanError(f"{self.name}: {error.strerror}") from error
        return bool(struct.unpack_from("<I", information, _FLAGS_AT)[0] & _HCI_UP)

    def _stop_daemons(self) -> None:
        if SYSTEMD.exists() and _systemctl("is-active"):
            self._is_service_stopped = _systemctl("stop")
        for pid, command in daemons().items():
            self._stopped[pid] = command
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
            if not _is_ended(pid):
                raise LoanError(f"bluetoothd (process {pid}) does not end: end it, and start this again")

    def _unblock(self) -> None:
        for switch in (CLASS / self.name).glob("rfkill*"):
            if (switch / "hard").read_text().strip() == "1":
                raise LoanError(f"{self.name} is switched off by a key or a switch of this PC: switch it on there")
            if (switch / "soft").read_text().strip() == "1":
                (switch / "soft").write_text("0")
                self._blocked.append(switch / "soft")

    def _switch(self, request: int) -> None:
        try:
            _control(request, int(self.name.removeprefix("hci")))
        except OSError as error:
            raise LoanError(
                f"{self.name} cannot be switched {'on' if request == _HCIDEVUP else 'off'}: {error.strerror}"
            ) from error


def say(line: str) -> None:
    """The bench may have ended by then."""
    with contextlib.suppress(BrokenPipeError):
        print(line, flush=True)


def run(command: list[str]) -> None:
    """Until the program ends, or the bench does."""
    program = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=sys.stderr, start_new_session=True, preexec_fn=die_with_parent
    )
    try:
        say("lent")
        descriptor = os.pidfd_open(program.pid)
        select.select([sys.stdin, descriptor], [], [])
    finally:
        program.terminate()
        try:
            program.wait(END)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()


def _go_on(*_: object) -> None:
    """Handles a signal by nothing: what is ignored here would be ignored by all that is started, too."""


def main() -> int:
    name, *command = sys.argv[1:]
    # Ctrl-C and a closed window are for the bench; who ends this program wants Bluetooth back.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _go_on)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    loan = Loan(name)
    try:
        loan.take()
        run(command)
    except (LoanError, OSError) as error:
        say(str(error))
        return UNAVAILABLE
    finally:
        signal.signal(signal.SIGTERM, _go_on)
        loan.give_back()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The real program with a radio, buttons and a time that a test has in its hands."""

import os
import socket
import subprocess
from pathlib import Path

from builds import command_of
from interposing import interposer

COPY, END = -1, -2  # of a copy of the program


class Program:
    """A process that goes on only when it is told to, and ends when nobody is there to tell it: `given_time.c`."""

    def __init__(self, keys: list[str], folder: Path) -> None:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(f"{folder}/hci")
        listener.listen()
        self._time, time = socket.socketpair()
        self.store = folder / "bond"
        outside = [f"hci=unix:{folder}/hci", f"display=pbm:{folder}", f"store={self.store}", "buttons=stdin"]
        rest = ["events=stderr", "topics=navigation,radio", "sensors=off", "panel=ssd1306-64x48"]
        self._process = subprocess.Popen(
            [*command_of("regular"), *outside, *rest, *keys],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=[time.fileno()],
            env=os.environ | {"LD_PRELOAD": str(interposer("given_time", folder)), "GIVEN_TIME": str(time.fileno())},
        )
        time.close()
        self.buttons, self.events = self._process.stdin, self._process.stderr
        os.set_blocking(self.events.fileno(), False)
        radio, _ = listener.accept()
        radio.setblocking(False)
        self.radio = radio.makefile("rwb", buffering=0)
        self.go_on(None)

    def go_on(self, until: int | None = 0) -> None:
        """It takes what has come; if nothing has, the time passes to what it does next, or to `until`. Then it waits.

        `None`: it is only waited for.
        """
        if until is not None:
            self._time.send(until.to_bytes(8, "little", signed=True))
        said = self._time.recv(8)
        assert len(said) == 8, f"the program has ended with {self._process.wait()}"
        self.now = int.from_bytes(said, "little", signed=True)
        assert self.now >= 0, "the program has crashed"

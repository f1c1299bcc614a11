"""The real program with a radio, buttons and a time that a test has in its hands."""

import os
import socket
import struct
import subprocess
from pathlib import Path

from interposing import interposer
from lenker_bench.programs.children import die_with_parent

COPY, END = -1, -2


class Program:
    """A process from whose state a copy is made for each word, as a start would take too long."""

    def __init__(self, command: list[str], keys: list[str], folder: Path) -> None:
        radio = socket.socket(socket.AF_UNIX)
        radio.bind(str(folder / "hci"))
        radio.listen()
        self._time, time = socket.socketpair()
        self._events, events = os.pipe()
        buttons, self._buttons = os.pipe()
        os.set_blocking(self._events, False)
        self._store = folder / "bond"
        self._kept: list[bytes] = []
        usual = [f"hci=unix:{folder}/hci", f"display=pbm:{folder}", "buttons=stdin", "events=stderr"]
        environment = {
            "LD_PRELOAD": str(interposer("given_time", folder)),
            "GIVEN_TIME": str(time.fileno()),
        }
        self._process = subprocess.Popen(
            [*command, *usual, f"store={self._store}", "topics=navigation,radio", *keys],
            stdin=buttons,
            stderr=events,
            pass_fds=[time.fileno()],
            env={**os.environ, **environment},
            preexec_fn=die_with_parent,
        )
        for descriptor in (buttons, events, time.detach()):
            os.close(descriptor)
        self.radio, _ = radio.accept()
        self.radio.setblocking(False)
        self.now = self._wait()

    def _wait(self) -> int:
        """Until the program waits, too; the time that it has."""
        said = self._time.recv(8)
        assert len(said) == 8, f"the program has ended with {self._process.wait()}"
        (now,) = struct.unpack("<q", said)
        assert now >= 0, "the program has crashed"
        return now

    def _answer(self, value: int) -> None:
        self._time.send(struct.pack("<q", value))
        self.now = self._wait()

    def go_on(self, until: int = 0) -> None:
        """It takes what has come; if nothing has, the time passes to what it does next, or to `until`."""
        self._answer(until)

    def copy(self) -> None:
        self._kept.append(self._store.read_bytes())
        self._answer(COPY)

    def forget_copy(self) -> None:
        """The copy ends, and with it what it has heard and written."""
        self.heard()
        self.told()
        self._answer(END)
        self._store.write_bytes(self._kept.pop())

    def press(self, gesture: str) -> None:
        os.write(self._buttons, gesture.encode())

    def heard(self) -> bytes:
        """What it has sent to its radio."""
        try:
            return self.radio.recv(65536)
        except BlockingIOError:
            return b""

    def told(self) -> bytes:
        """The events since the last look."""
        try:
            return os.read(self._events, 65536)
        except BlockingIOError:
            return b""

    def has_kept(self, key: bytes | None) -> bool:
        return key is not None and key in self._store.read_bytes()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()

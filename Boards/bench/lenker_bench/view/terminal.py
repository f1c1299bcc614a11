"""A terminal that is taken over for a live picture, and restored however the program ends."""

import atexit
import os
import sys
import termios
import tty

from .look import Look

ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"  # alternate screen, no cursor, clear
LEAVE = "\x1b[0m\x1b[?25h\x1b[?1049l"


class Terminal:
    """The terminal on standard input and output; keys come unbuffered and unechoed."""

    def __init__(self) -> None:
        self._input = sys.stdin.fileno()
        self._saved: list | None = None
        self.look = Look.of_terminal(os.environ)

    @staticmethod
    def is_available() -> bool:
        return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    def enter(self) -> None:
        self._saved = termios.tcgetattr(self._input)
        atexit.register(self.leave)
        tty.setcbreak(self._input)
        self.write(ENTER)

    def leave(self) -> None:
        if self._saved is None:
            return
        saved, self._saved = self._saved, None
        try:
            self.write(LEAVE)
            termios.tcsetattr(self._input, termios.TCSADRAIN, saved)
        except (OSError, termios.error):
            pass  # the terminal itself has gone

    def write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def keys(self) -> str:
        """The keys pressed; call when `fileno` is readable. Escape sequences are left out."""
        data = os.read(self._input, 64).decode("utf-8", "ignore")
        return "" if data.startswith("\x1b") else data

    def fileno(self) -> int:
        return self._input

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return os.get_terminal_size(sys.stdout.fileno())

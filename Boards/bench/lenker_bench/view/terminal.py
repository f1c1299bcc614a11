"""A terminal that is taken over for a live picture, and restored however the program ends."""

import atexit
import os
import sys
import termios
import tty
from collections.abc import Mapping
from dataclasses import dataclass

BLOCKS = "▀▄█⣿╭─╮│╰╯"
PLAIN_TEXT = str.maketrans({"·": "-", "²": "2"})


@dataclass(frozen=True)
class Look:
    """How to write for one terminal."""

    encoding: str = "utf-8"
    is_coloured: bool = True

    @classmethod
    def of_terminal(cls, environment: Mapping[str, str]) -> "Look":
        """That of standard output, as the locale and `NO_COLOR` (no-color.org) say."""
        return cls(_encoding(sys.stdout.encoding, environment), not environment.get("NO_COLOR"))

    @property
    def has_blocks(self) -> bool:
        """Whether there are characters to draw pixels with."""
        return self.written(BLOCKS) == BLOCKS

    def written(self, text: str) -> str:
        """The text as the terminal can show it, with a question mark for each letter that it does not have."""
        for candidate in (text, text.translate(PLAIN_TEXT)):
            try:
                return candidate.encode(self.encoding).decode(self.encoding)
            except UnicodeEncodeError:
                continue
        return candidate.encode(self.encoding, "replace").decode(self.encoding)


def _encoding(output: str, environment: Mapping[str, str]) -> str:
    """Python writes UTF-8 in the locale C, too, whose terminal has ASCII only."""
    if "PYTHONIOENCODING" in environment or environment.get("PYTHONUTF8") == "1":
        return output
    locale = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG")
    return "ascii" if locale in ("C", "POSIX") else output


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

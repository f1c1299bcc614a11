"""What a terminal can show: its characters, and whether it wants colours."""

import sys
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

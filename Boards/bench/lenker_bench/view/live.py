"""The live view: the panel, what the firmware says, and the keys that press its buttons."""

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from ..programs.events import FolderWatch
from .drawing import fitted, panel_lines, smallest_size
from .pbm import Picture, PictureError, read_picture
from .terminal import Terminal

KEY_ROWS = 2  # with an empty one
GESTURES = {"a": "A", "A": "brightness", "b": "B", "B": "forget"}
QUIT = "q"
KEYS = [f"{key} {meaning}" for key, meaning in {**GESTURES, QUIT: "quit"}.items()]
HOME, CLEAR_LINE, CLEAR_BELOW, CLEAR = "\x1b[H", "\x1b[K", "\x1b[J", "\x1b[2J"


class Status(Protocol):
    """What stands below the panel."""

    def status_lines(self) -> list[str]:
        """As many lines each time."""


class LiveView:
    """Redraws in place whenever a frame or an event arrives, at most once a turn of the loop."""

    def __init__(self, terminal: Terminal, frames: Path, status: Status, press: Callable[[str], None], quit) -> None:
        self._terminal = terminal
        self._look = terminal.look
        self._latest = frames / "latest.pbm"
        self._status = status
        self._press = press
        self._quit = quit
        self._is_due = False
        self._watch = FolderWatch(frames)
        self._loop = asyncio.get_running_loop()

    def __enter__(self) -> "LiveView":
        self._terminal.enter()
        self._loop.add_reader(self._watch, self._on_frame)
        self._loop.add_reader(self._terminal, self._on_key)
        self._loop.add_signal_handler(signal.SIGWINCH, self._on_resize)
        self.changed()
        return self

    def __exit__(self, *exception: object) -> None:
        self._loop.remove_signal_handler(signal.SIGWINCH)
        self._loop.remove_reader(self._terminal)
        self._loop.remove_reader(self._watch)
        self._watch.close()
        self._terminal.leave()

    def changed(self) -> None:
        """Asks for a redraw, as something to show has changed."""
        if not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._draw)

    def _on_frame(self) -> None:
        self._watch.clear()
        self.changed()

    def _on_resize(self) -> None:
        self._terminal.write(CLEAR)
        self.changed()

    def _on_key(self) -> None:
        for key in self._terminal.keys():
            if key == QUIT:
                self._quit()
            elif key in GESTURES:
                self._press(key)

    def _draw(self) -> None:
        self._is_due = False
        columns, rows = self._terminal.size
        status = self._status.status_lines()
        lines = self._panel(columns, rows, len(status) + KEY_ROWS)
        lines += [fitted(line, columns - 1, self._look) for line in [*status, "   ".join(KEYS)]]
        text = "\r\n".join(line + CLEAR_LINE for line in lines[: rows - 1])
        self._terminal.write(HOME + text + CLEAR_BELOW)

    def _panel(self, columns: int, rows: int, text_rows: int) -> list[str]:
        try:
            picture = read_picture(self._latest)
        except PictureError:
            return ["", "  waiting for the first picture", ""]
        fitting = panel_lines(picture, columns, rows - text_rows, self._look)
        return fitting or self._too_small(picture, columns, rows, text_rows)

    def _too_small(self, picture: Picture, columns: int, rows: int, text_rows: int) -> list[str]:
        needed_columns, needed_rows = smallest_size(picture, self._look)
        has, needs = (columns, rows), (needed_columns, needed_rows + text_rows)
        lines = [
            "the window is too small:",
            "it has {} x {} characters,".format(*has),
            "it takes {} x {}".format(*needs),
        ]
        return [line[: columns - 1] for line in lines]

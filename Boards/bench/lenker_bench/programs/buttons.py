"""The FIFO from which the firmware reads the gestures at its buttons."""

import contextlib
import os
from pathlib import Path


def open_fifo(path: Path) -> int:
    """Makes it, in place of an older one; the descriptor to press by."""
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    # Open for reading, too, so that the firmware never sees its end.
    return os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)


def press(buttons: int, gesture: str) -> None:
    """Writes `a`, `A`, `b`, `B` or `r`; it is lost where nobody reads."""
    with contextlib.suppress(BlockingIOError):
        os.write(buttons, gesture.encode())

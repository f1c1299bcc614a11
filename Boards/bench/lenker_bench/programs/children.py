"""What every program that starts others needs."""

import ctypes
import signal
from pathlib import Path

PACKAGES = Path(__file__).resolve().parents[2]
ROOT = Path(__file__).resolve().parents[4]

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


class StartError(Exception):
    """A process that did not start."""


def die_with_parent() -> None:
    """Runs in a child before its program: when the parent is killed, the child is ended too."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)

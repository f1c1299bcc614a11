"""What a program that is started has from its parent."""

import ctypes
import signal

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def die_with_parent() -> None:
    """Runs in a child before its program: when the parent is killed, the child is ended too."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)

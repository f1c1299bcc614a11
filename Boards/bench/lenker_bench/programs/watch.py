"""Changes in a folder, told by the kernel (inotify(7)), so that nobody needs to poll."""

import ctypes
import os
import select
from pathlib import Path

IN_MODIFY, IN_MOVED_TO, IN_CREATE = 0x02, 0x80, 0x100
LARGEST_RECORD = 16 + 256  # struct inotify_event and a name

_libc = ctypes.CDLL(None, use_errno=True)


class FolderWatch:
    """Readable (`fileno`) when something in the folder was written, made or moved into place."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = _checked(_libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        wanted = IN_MODIFY | IN_MOVED_TO | IN_CREATE
        try:
            _checked(_libc.inotify_add_watch(self._descriptor, os.fsencode(folder), wanted))
        except OSError:
            self.close()
            raise

    def fileno(self) -> int:
        return self._descriptor

    def clear(self) -> None:
        """Forgets the changes so far."""
        while select.select([self], [], [], 0)[0]:
            os.read(self._descriptor, 64 * LARGEST_RECORD)

    def close(self) -> None:
        os.close(self._descriptor)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result

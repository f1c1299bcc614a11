"""An event loop that never waits: where nothing is left to do, it is at once the time of what is due next.

Only for tests without a process or a socket: nobody else's time can be made to pass.
"""

import asyncio
import selectors


class _Selector(selectors.DefaultSelector):
    """Lets the loop's time pass instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("nothing is due, and nothing can happen any more")
            self.now += max(timeout, 0)
        return ready


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)

    def time(self) -> float:
        return self._virtual.now

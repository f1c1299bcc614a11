"""The end of a ride: by its rider, or by a signal."""

import asyncio
import signal


class Quitting(asyncio.Event):
    """Set when the ride is to end."""

    def __init__(self) -> None:
        super().__init__()
        self.by_signal = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, self._interrupt)

    def _interrupt(self) -> None:
        self.by_signal = True
        self.set()

"""What a ride says of itself where nobody sees the panel."""

import asyncio
import sys
import time
from collections.abc import Callable

from .summary import Tally

PAUSE = 10.0  # seconds between two lines while nothing else is new


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class Progress:
    """A line when the link, the question of a pairing or an error is new, and every `PAUSE` seconds."""

    def __init__(self, tally: Tally, say: Callable[[str], None] = _print) -> None:
        self._tally = tally
        self._say = say
        self._start = time.monotonic()
        self._said: tuple[object, ...] = self._news
        self._task: asyncio.Task | None = None

    def __enter__(self) -> "Progress":
        self._task = asyncio.create_task(self._repeat())
        return self

    def __exit__(self, *exception: object) -> None:
        self._task.cancel()

    def changed(self) -> None:
        """An event has been counted."""
        if self._news != self._said:
            self._said = self._news
            self.tell()

    def tell(self) -> None:
        """Says how it stands now."""
        elapsed = time.monotonic() - self._start
        parts = [self._tally.link, f"instructions shown: {len(self._tally.shown)}"]
        if self._tally.question:
            parts.append(self._tally.question)
        if self._tally.errors:
            parts.append(f"last error: {self._tally.errors[-1]}")
        self._say(f"{elapsed:6.1f} s  {', '.join(parts)}")

    @property
    def _news(self) -> tuple[object, ...]:
        return self._tally.link, self._tally.question, len(self._tally.errors), bool(self._tally.shown)

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(PAUSE)
            self.tell()

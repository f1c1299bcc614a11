"""What the bench says while it runs: one JSON object per line on standard output."""

import json
import sys
import time
from collections.abc import Callable

# What JSON is written in; for any other terminal its letters are escaped.
UNICODE = "utf-8"


class Report:
    """Writes events with the seconds since its creation, each line flushed at once.

    `listener`, when given, gets each event instead of standard output.
    """

    def __init__(self, listener: Callable[[dict], None] | None = None) -> None:
        self._start = time.monotonic()
        self._listener = listener or _print

    def seconds(self) -> float:
        """Since its creation."""
        return time.monotonic() - self._start

    def __call__(self, event: str, **fields: object) -> None:
        self._listener({"t": round(self.seconds(), 3), "event": event, **fields})


def _print(event: dict) -> None:
    sys.stdout.write(json.dumps(event, ensure_ascii=sys.stdout.encoding.lower() != UNICODE) + "\n")
    sys.stdout.flush()

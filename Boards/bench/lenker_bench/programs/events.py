"""Events of the phone and the firmware, to be waited for: JSON objects, one per line."""

import asyncio
import ctypes
import json
import os
import select
from collections.abc import Callable
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


PATIENCE = 60.0  # seconds; measures nothing, but ends the waiting for what does not come


class EventLog:
    """All events so far. Each `wait_for` goes on behind the event that the last one found."""

    def __init__(self, on_event: Callable[[dict], None] | None = None) -> None:
        self.events: list[dict] = []
        self.malformed: list[bytes] = []
        self._on_event = on_event
        self._seen = 0
        self._waiting: set[asyncio.Event] = set()
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Adds bytes to the log; a line counts once it is whole, and one that is no event is `malformed`."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            event = _parse(line)
            if event is None:
                self.malformed.append(line)
                continue
            self.events.append(event)
            if self._on_event:
                self._on_event(event)
        for waiting in self._waiting:
            waiting.set()

    def named(self, event: str) -> list[dict]:
        return [found for found in self.events if found["event"] == event]

    async def wait_for(self, event: str, timeout: float | None = PATIENCE, **fields: object) -> dict:
        """The next event of that name whose fields have these values. Raises `TimeoutError`."""

        def next_one() -> dict | None:
            while self._seen < len(self.events):
                found = self.events[self._seen]
                self._seen += 1
                if _is(found, event, fields):
                    return found
            return None

        return await self.wait_until(next_one, timeout, f"no event '{event}' with {fields}")

    async def first(self, event: str, timeout: float | None = PATIENCE, **fields: object) -> dict:
        """The first such event of the whole log, even if it is long past; no later `wait_for` finds it again.

        For an event that can come before or after others that are waited for. Raises `TimeoutError`.
        """

        def first_one() -> dict | None:
            for index, found in enumerate(self.events):
                if _is(found, event, fields):
                    self._seen = max(self._seen, index + 1)
                    return found
            return None

        return await self.wait_until(first_one, timeout, f"no event '{event}' with {fields} at all")

    async def wait_until(self, find: Callable[[], dict | None], timeout: float | None, problem: str) -> dict:
        """What `find` finds, which is asked whenever there is another event. Raises `TimeoutError` with the problem."""
        arrived = asyncio.Event()
        self._waiting.add(arrived)
        try:
            async with asyncio.timeout(timeout):
                while (found := find()) is None:
                    arrived.clear()
                    await arrived.wait()
                return found
        except TimeoutError:
            last = self.events[-1] if self.events else "nothing"
            raise TimeoutError(f"{problem} in {timeout} s; the last was {last}") from None
        finally:
            self._waiting.discard(arrived)


class Follower:
    """Goes through a log from its present end on, at its own pace: what others wait for does not matter."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._seen = len(log.events)

    async def next(self, is_it: Callable[[dict], bool], timeout: float | None = PATIENCE) -> dict:
        """The next event that is it. Raises `TimeoutError`."""

        def next_one() -> dict | None:
            while self._seen < len(self._log.events):
                found = self._log.events[self._seen]
                self._seen += 1
                if is_it(found):
                    return found
            return None

        return await self._log.wait_until(next_one, timeout, "no such event")


def _is(found: dict, event: str, fields: dict[str, object]) -> bool:
    return found["event"] == event and fields.items() <= found.items()


def _parse(line: bytes) -> dict | None:
    try:
        event = json.loads(line)
    except ValueError:
        return None
    is_event = isinstance(event, dict) and isinstance(event.get("event"), str)
    return event if is_event else None


async def feed_from(log: EventLog, stream: asyncio.StreamReader) -> None:
    """Feeds the log with a stream until that ends."""
    while data := await stream.read(1 << 16):
        log.feed(data)


class EventFile:
    """Feeds the log with what is appended to a file, which need not exist yet; its folder must."""

    def __init__(self, log: EventLog, path: Path) -> None:
        self._log = log
        self._path = path
        self._offset = 0
        self._watch = FolderWatch(path.parent)
        asyncio.get_running_loop().add_reader(self._watch, self._on_change)

    def _on_change(self) -> None:
        self._watch.clear()
        self.read()

    def read(self) -> None:
        """Reads what is there now."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                data = file.read()
        except FileNotFoundError:
            return
        self._offset += len(data)
        self._log.feed(data)

    def close(self) -> None:
        """Reads the rest and stops."""
        asyncio.get_running_loop().remove_reader(self._watch)
        self._watch.close()
        self.read()

"""Events by topic: at a unix socket, whoever reads there and however badly, and in a file."""

import asyncio
import contextlib
import os
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Container
from pathlib import Path

import pytest

from event_socket import PATIENCE, connected
from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs.events import EventLog, Follower, feed_from
from lenker_bench.programs.processes import running_phone
from recording import told, told_apart, wait_for_instructions
from touring import SPEED

NAVIGATION = {"instruction", "stale", "progress", "alert"}


@contextlib.asynccontextmanager
async def subscribed(path: Path, *topics: str) -> AsyncIterator[EventLog]:
    """What a good reader of these topics hears, from the answers on."""
    async with connected(path) as (reader, writer):
        log = EventLog()
        following = asyncio.create_task(feed_from(log, reader))
        try:
            for number, topic in enumerate(topics, 1):
                writer.write(f"on {topic}\n".encode())
                await log.wait_for("subscribed", id=number)
            yield log
        finally:
            following.cancel()


@contextlib.asynccontextmanager
async def doing(path: Path, log: EventLog, *habits: Callable) -> AsyncIterator[None]:
    """Other programs at the socket, each with a habit that it has until the end, at each event of the log."""
    tasks = [asyncio.create_task(habit(path, Follower(log))) for habit in habits]
    try:
        yield
        for task in tasks:
            assert not task.done()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def talk_rubbish(path: Path, events: Follower) -> None:
    """Says bytes without a line's end."""
    async with connected(path) as (_, writer):
        while await events.next(bool, None):
            writer.write(bytes(range(11, 256)) * 100)
            await writer.drain()


async def come_and_go(path: Path, events: Follower) -> None:
    """Leaves in the middle of a line, again and again, if there is a place at all."""
    for number in range(1_000_000):
        await events.next(bool, None)
        with contextlib.suppress(OSError):
            async with connected(path) as (_, writer):
                writer.write(b"on all\non al"[: number % 12])
                await writer.drain()


class Hung:
    """Asks for the way to the turn and for much else, and does not read until it is told to."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(os.fspath(path))
        self._socket.setblocking(False)
        self._socket.send(b"on navigation\n")
        with contextlib.suppress(BlockingIOError):
            while True:
                self._socket.send(b"nonsense\n" * 1000)

    async def read(self, count: int) -> list[dict]:
        """What it was told until the events and the losses among that are so many."""
        log = EventLog()
        reader, writer = await asyncio.open_unix_connection(sock=self._socket)
        async with asyncio.timeout(PATIENCE):
            while sum(found.get("lines", 1) for found in log.events if "t" in found) < count:
                data = await reader.read(1 << 16)
                assert data, "it was not let go"
                log.feed(data)
        writer.close()
        assert log.malformed == [], "no line is cut"
        return log.events


def events_in(log: EventLog, names: Container[str] | None = None) -> list[dict]:
    """The events of these names, or all of them, without the answers to subscriptions."""
    return [found for found in log.events if "t" in found and (names is None or found["event"] in names)]


def assert_complete(log: EventLog) -> None:
    """Nothing of the ride is missing, and nothing came twice."""
    assert log.malformed == []
    events = events_in(log)
    assert told(events) == told_apart(OWN_RIDE)
    frames = [found["number"] for found in events if found["event"] == "frame"]
    assert frames == list(range(frames[0], frames[0] + len(frames))) and len(frames) > 100
    times = [found["t"] for found in events]
    assert times == sorted(times)
    assert "lost" not in {found["event"] for found in events}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events"


@contextlib.asynccontextmanager
async def riding(port: int) -> AsyncIterator[None]:
    """The phone of our own ride, as fast as rides are tested."""
    hci = f"--hci=tcp-server:127.0.0.1:{port}"
    async with running_phone(hci, "--ride", OWN_RIDE, f"--speed={SPEED}", "--kind=ios"):
        yield


def assert_told_with_gaps(heard: list[dict], events: list[dict]) -> None:
    """What somebody heard are these events in their order, where a loss stands for so many of them."""
    position = 0
    for found in (found for found in heard if "t" in found):
        if found["event"] == "lost":
            position += found["lines"]
        else:
            assert found == events[position]
            position += 1


@pytest.mark.timeout(400)
async def test_whoever_reads_badly_the_ride_goes_on_and_others_hear_all_of_it(lenker, path, closed_port):
    """One program hears all, one does not read, one talks rubbish, and one comes and goes."""
    async with (
        lenker(closed_port, f"events=unix:{path}") as firmware,
        subscribed(path, "all", "navigation") as log,
    ):
        hung = Hung(path)
        async with doing(path, log, talk_rubbish, come_and_go), riding(closed_port):
            await wait_for_instructions(log, len(told_apart(OWN_RIDE)))
        heard = await hung.read(len(events_in(log, NAVIGATION)))
        firmware.press("a")
        await log.wait_for("button")
        assert firmware.status is None
        await firmware.stop()
        assert firmware.status == 0 and not path.exists()
    assert_complete(log)
    assert_told_with_gaps(heard, events_in(log, NAVIGATION))


@pytest.fixture
def check(lenker_command, tmp_path):
    """What `--check` says of the events of this key, the last line; and the program's status."""

    def check(events: str) -> str:
        keys = ["hci=tcp:127.0.0.1:1", f"display=pbm:{tmp_path}", f"events={events}"]
        done = subprocess.run([*lenker_command, "--check", *keys], stdout=subprocess.PIPE, text=True, check=False)
        return done.stdout.splitlines()[-1]

    return check


def test_a_check_makes_the_socket_and_removes_it_or_says_why_there_is_none(check, tmp_path, path):
    assert check(f"unix:{path}") == f"ok events {path}"
    assert not path.exists()
    (tmp_path / "file").write_text("a letter")
    (tmp_path / "link").symlink_to("nowhere")
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(os.fspath(tmp_path / "other"))
        other.listen()
        said = {name: check(f"unix:{tmp_path}/{name}") for name in ("file", "link", "other", "gone/events")}
    kind = "the path is another kind of file: remove it or choose another path"
    assert said == {
        name: f"failed events {tmp_path}/{name}: {why}"
        for name, why in {
            "file": kind,
            "link": kind,
            "other": "another program listens there: stop it, or choose another path",
            "gone/events": "no such folder: make it, or correct the path",
        }.items()
    }
    assert (tmp_path / "file").read_text() == "a letter" and (tmp_path / "link").is_symlink()
    assert (tmp_path / "other").is_socket()

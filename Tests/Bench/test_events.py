"""The log of events that tests wait for."""

import asyncio
import json

import pytest

from lenker_bench.programs.events import EventLog, Follower


def log_of(*events: dict) -> EventLog:
    log = EventLog()
    say(log, *events)
    return log


def say(log: EventLog, *events: dict) -> None:
    log.feed(b"".join(json.dumps(event).encode() + b"\n" for event in events))


async def test_a_wait_goes_on_behind_the_event_that_the_last_one_found():
    log = log_of({"event": "frame", "number": 1}, {"event": "link"}, {"event": "frame", "number": 2})
    assert [(await log.wait_for("frame"))["number"] for _ in range(2)] == [1, 2]
    with pytest.raises(TimeoutError, match="no event 'link'"):
        await log.wait_for("link", 0)


async def test_a_wait_passes_over_events_with_other_fields():
    log = log_of({"event": "link", "state": "connected"}, {"event": "link", "state": "ready", "t": 2})
    assert (await log.wait_for("link", state="ready"))["t"] == 2


async def test_a_wait_lasts_until_the_event_is_said():
    log = log_of()
    waiting = asyncio.create_task(log.wait_for("link"))
    await asyncio.sleep(0)
    assert not waiting.done()
    say(log, {"event": "frame"}, {"event": "link"})
    assert await waiting == {"event": "link"}


async def test_the_first_event_is_found_however_long_it_is_past_and_no_wait_goes_back_for_it():
    frames = [{"event": "frame", "number": number} for number in (1, 2)]
    log = log_of({"event": "pairing"}, frames[0], {"event": "link"}, frames[1])
    await log.wait_for("link")
    assert await log.first("pairing") == {"event": "pairing"}
    assert (await log.wait_for("frame"))["number"] == 2


async def test_a_wait_goes_on_behind_the_first_event_whether_it_was_there_or_was_waited_for():
    there, *after = {"event": "pairing"}, {"event": "frame", "number": 2}
    log = log_of({"event": "frame", "number": 1}, there, *after)
    assert await log.first("pairing") == there
    assert (await log.wait_for("frame"))["number"] == 2
    log = log_of({"event": "frame", "number": 1})
    waiting = asyncio.create_task(log.first("pairing"))
    await asyncio.sleep(0)
    say(log, there, *after)
    assert await waiting == there
    assert (await log.wait_for("frame"))["number"] == 2


async def test_the_first_event_is_waited_for_when_it_is_still_to_come():
    log = log_of({"event": "pairing", "state": "confirm"})
    waiting = asyncio.create_task(log.first("pairing", state="failed"))
    await asyncio.sleep(0)
    assert not waiting.done()
    say(log, {"event": "pairing", "state": "failed"})
    assert (await waiting)["state"] == "failed"


async def test_half_a_line_counts_once_it_is_whole():
    log = log_of()
    log.feed(b'{"event": "li')
    assert log.events == []
    log.feed(b'nk"}\n{"no": "event"}\nnoise\n')
    assert log.events == [{"event": "link"}]
    assert log.malformed == [b'{"no": "event"}', b"noise"]


async def test_a_follower_hears_what_comes_after_it_whatever_others_wait_for():
    log = log_of({"event": "link", "number": 1})
    follower = Follower(log)
    say(log, {"event": "link", "number": 2}, {"event": "frame"})
    await log.wait_for("frame")
    assert (await follower.next(lambda event: event["event"] == "link"))["number"] == 2
    with pytest.raises(TimeoutError):
        await follower.next(lambda event: event["event"] == "link", 0)

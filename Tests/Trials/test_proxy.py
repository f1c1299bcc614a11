"""The faulty wire: each fault does to a stream of packets what its name says, and a seed repeats it."""

import asyncio
import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest

from lenker_bench.programs.processes import PACKAGES, ROOT
from lenker_bench.wire.framing import Framer, framing_bytes
from lenker_trials.commands import proxy as proxy_command
from lenker_trials.wire.faults import FAULTS, Fault, RandomPlan, Withhold
from lenker_trials.wire.proxy import TO_CONTROLLER, TO_FIRMWARE, Proxy

# Three packets of a controller (Core Specification, Vol 4, Part E, 7.7): LE Read Buffer Size answered, a connection
# with handle 0x0040, and its ACL data.
ANSWER = bytes.fromhex("040e0701022000 1b0008")
CONNECTED = bytes.fromhex("043e13010040000000112233445566 1800 0000 9001 00")
DATA = bytes.fromhex("0240200700 0300 0400 0b6162")
STREAM = (ANSWER, CONNECTED, DATA)
DISCONNECTED_BY_US = bytes.fromhex("0405040040 0016")
HARDWARE_ERROR = bytes.fromhex("04100142")
RESET, RESET_ANSWER = bytes.fromhex("01030c00"), bytes.fromhex("040e0401030c00")
END_LINK, END_LINK_STATUS = bytes.fromhex("0106040340 0013"), bytes.fromhex("040f0400010604")


@dataclass
class Nth:
    """A plan: the fault at the n-th packet of a direction, counted from 0."""

    direction: str
    number: int
    fault: Fault
    seen: int = -1

    def choose(self, direction: str, packet: bytes) -> tuple[str, Fault] | None:
        if direction != self.direction:
            return None
        self.seen += 1
        return ("this", self.fault) if self.seen == self.number else None


class Ends:
    """Both ends of a wire, and what was reported of it."""

    def __init__(self) -> None:
        self.reports: list[dict] = []
        self.accepted: asyncio.Future = asyncio.get_running_loop().create_future()

    async def from_controller(self, *packets: bytes) -> bytes:
        """All that the firmware gets of these packets, the last that a controller says."""
        self.controller_out.write(b"".join(packets))
        self.controller_out.write_eof()
        return await asyncio.wait_for(self.firmware_in.read(), 30)


@contextlib.asynccontextmanager
async def wire(plan, seed: object = 1) -> AsyncIterator[Ends]:
    ends = Ends()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends.accepted.set_result((reader, writer))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    address = server.sockets[0].getsockname()
    proxy = Proxy(address, plan, lambda event, **fields: ends.reports.append({"event": event, **fields}), seed)
    await proxy.start()
    ends.firmware_in, ends.firmware_out = await asyncio.open_connection("127.0.0.1", proxy.port)
    ends.controller_in, ends.controller_out = await asyncio.wait_for(ends.accepted, 30)
    try:
        yield ends
    finally:
        ends.firmware_out.close()
        ends.controller_out.close()
        proxy.close()
        server.close()


async def damaged(fault: Fault, seed: object = 1) -> bytes:
    """What a firmware gets of the three packets when the fault is at the second."""
    async with wire(Nth(TO_FIRMWARE, 1, fault), seed) as ends:
        return await ends.from_controller(*STREAM)


def bits_that_differ(one: bytes, other: bytes) -> list[int]:
    """The offsets of the bytes that differ, each as often as it has other bits."""
    return [i for i, (a, b) in enumerate(zip(one, other, strict=True)) for _ in range((a ^ b).bit_count())]


async def test_without_faults_every_byte_is_carried_both_ways():
    async with wire(Nth(TO_FIRMWARE, -2, FAULTS["drop"])) as ends:
        ends.firmware_out.write(RESET)
        assert await asyncio.wait_for(ends.controller_in.readexactly(4), 30) == RESET
        assert await ends.from_controller(*STREAM) == b"".join(STREAM)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("drop", (ANSWER, DATA)),
        ("duplicate", (ANSWER, CONNECTED, CONNECTED, DATA)),
        ("reorder", (ANSWER, DATA, CONNECTED)),
    ],
)
async def test_whole_packets_are_lost_doubled_or_swapped_by(fault, expected):
    assert await damaged(FAULTS[fault]) == b"".join(expected)


async def test_a_packet_that_nothing_overtakes_comes_by_itself():
    async with wire(Nth(TO_FIRMWARE, 0, FAULTS["reorder"])) as ends:
        ends.controller_out.write(ANSWER)
        assert await asyncio.wait_for(ends.firmware_in.readexactly(len(ANSWER)), 30) == ANSWER


async def test_a_delay_holds_the_packet_and_all_behind_it_in_order():
    loop = asyncio.get_running_loop()
    async with wire(Nth(TO_FIRMWARE, 1, replace(FAULTS["delay"], lasts=0.3))) as ends:
        ends.controller_out.write(b"".join(STREAM))
        start = loop.time()
        assert await asyncio.wait_for(ends.firmware_in.readexactly(len(ANSWER)), 30) == ANSWER
        rest = await asyncio.wait_for(ends.firmware_in.readexactly(len(CONNECTED + DATA)), 30)
        assert rest == CONNECTED + DATA
        assert loop.time() - start >= 0.3


@pytest.mark.parametrize("seed", range(5))
async def test_a_truncated_packet_is_shorter_and_says_so(seed):
    got = await damaged(FAULTS["truncate"], seed)
    packets = list(Framer().feed(got))
    assert [packets[0], packets[2]] == [ANSWER, DATA]
    assert len(packets) == 3 and len(packets[1]) < len(CONNECTED)
    assert packets[1][:2] == CONNECTED[:2] and packets[1][3:] == CONNECTED[3 : len(packets[1])]


@pytest.mark.parametrize("seed", range(5))
async def test_a_cut_packet_is_shorter_and_does_not_say_so(seed):
    got = await damaged(FAULTS["cut"], seed)
    kept = got[len(ANSWER) : -len(DATA)]
    assert got == ANSWER + kept + DATA
    assert 0 < len(kept) < len(CONNECTED) and CONNECTED.startswith(kept)


async def test_corruption_flips_two_bits_and_keeps_the_framing():
    hit = set()
    for seed in range(100):
        got = await damaged(FAULTS["corrupt"], seed)
        packets = list(Framer().feed(got))
        assert [packets[0], packets[2]] == [ANSWER, DATA]
        where = bits_that_differ(packets[1], CONNECTED)
        assert len(where) == 2
        hit |= set(where)
    # Any byte, but for the indicator and the length.
    assert hit == set(range(len(CONNECTED))) - {0, 2}


@pytest.mark.parametrize("seed", range(5))
async def test_misframing_flips_one_bit_of_the_indicator_or_the_length(seed):
    got = await damaged(FAULTS["misframe"], seed)
    where = bits_that_differ(got, b"".join(STREAM))
    assert len(where) == 1 and where[0] - len(ANSWER) in (0, 2)


async def test_garbage_is_no_packet_and_comes_before_one():
    got = await damaged(FAULTS["garbage"])
    assert got.startswith(ANSWER + b"\xff") and got.endswith(CONNECTED + DATA)
    assert len(got) == len(b"".join(STREAM)) + 16


async def test_the_same_seed_damages_the_same_bits():
    outcomes = [await damaged(FAULTS["corrupt"], seed) for seed in (1, 1, 2)]
    assert outcomes[0] == outcomes[1] != outcomes[2]


async def test_answers_are_withheld_for_a_while_and_other_packets_are_not():
    async with wire(Nth(TO_FIRMWARE, 0, Withhold(lasts=30))) as ends:
        assert await ends.from_controller(ANSWER, CONNECTED, END_LINK_STATUS, DATA) == CONNECTED + DATA
    async with wire(Nth(TO_FIRMWARE, 0, Withhold(lasts=0))) as ends:
        assert await ends.from_controller(ANSWER, ANSWER, DATA) == ANSWER + DATA


@pytest.mark.parametrize(("fault", "told"), [("reset", b""), ("reset-told", HARDWARE_ERROR)])
async def test_a_controller_is_reset_behind_the_firmwares_back(fault, told):
    async with wire(Nth(TO_FIRMWARE, 0, FAULTS[fault])) as ends:
        ends.controller_out.write(CONNECTED)
        assert await asyncio.wait_for(ends.controller_in.readexactly(4), 30) == RESET
        # The answer to our Reset is not the firmware's, but that to its own is.
        assert await ends.from_controller(RESET_ANSWER, DATA, RESET_ANSWER) == told + DATA + RESET_ANSWER


async def test_a_link_is_ended_at_the_controller_and_lost_for_the_firmware():
    async with wire(Nth(TO_FIRMWARE, 1, FAULTS["lose-link"])) as ends:
        ends.controller_out.write(CONNECTED + DATA)
        assert await asyncio.wait_for(ends.controller_in.readexactly(len(END_LINK)), 30) == END_LINK
        got = await ends.from_controller(END_LINK_STATUS, DISCONNECTED_BY_US)
        assert got == CONNECTED + DATA + DISCONNECTED_BY_US[:-1] + b"\x08"


async def test_a_closed_stream_ends_on_both_sides():
    async with wire(Nth(TO_CONTROLLER, 1, FAULTS["close"])) as ends:
        ends.firmware_out.write(RESET + RESET)
        assert await asyncio.wait_for(ends.controller_in.read(), 30) == RESET
        assert await asyncio.wait_for(ends.firmware_in.read(), 30) == b""


async def test_each_fault_is_reported_with_its_packet():
    async with wire(Nth(TO_FIRMWARE, 2, FAULTS["drop"])) as ends:
        await ends.from_controller(*STREAM)
        assert [report for report in ends.reports if report["event"] == "fault"] == [
            {"event": "fault", "fault": "this", "direction": TO_FIRMWARE, "packet": DATA.hex()}
        ]


def choices(seed: int, order: str) -> dict[str, list[str | None]]:
    """What a plan chooses in each direction; the order has a letter for each packet, `f` or `c`."""
    plan = RandomPlan(seed, {"drop": 0.2, "delay": 0.2})
    chosen: dict[str, list[str | None]] = {TO_FIRMWARE: [], TO_CONTROLLER: []}
    for letter in order:
        direction = TO_FIRMWARE if letter == "f" else TO_CONTROLLER
        found = plan.choose(direction, DATA)
        chosen[direction].append(found[0] if found else None)
    return chosen


def test_the_same_seed_is_the_same_plan_however_the_directions_mix():
    assert choices(7, "fc" * 200) == choices(7, "f" * 200 + "c" * 200)
    assert choices(7, "fc" * 200) != choices(8, "fc" * 200)


def test_each_fault_is_as_frequent_as_it_was_asked_to_be():
    found = list(itertools.chain(*choices(1, "fc" * 2000).values()))
    for name in ("drop", "delay"):
        assert 0.17 < found.count(name) / len(found) < 0.23
    assert RandomPlan(1, {"drop": 1.0}).choose(TO_FIRMWARE, DATA)[0] == "drop"
    assert RandomPlan(1, {"drop": 0.0}).choose(TO_FIRMWARE, DATA) is None


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_any_split_of_the_stream_gives_the_same_packets(size):
    stream = b"".join(STREAM) + RESET
    framer = Framer()
    parts = (stream[start : start + size] for start in range(0, len(stream), size))
    assert [packet for part in parts for packet in framer.feed(part)] == [*STREAM, RESET]


def test_what_is_no_packet_is_carried_as_it_is():
    assert list(Framer().feed(ANSWER + b"\xff\x01\x02")) == [ANSWER, b"\xff\x01\x02"]
    assert framing_bytes(b"\xff\x01") == [] and framing_bytes(DATA) == [0, 3, 4]


def proxy(*arguments: object) -> subprocess.Popen:
    command = [sys.executable, "-m", "lenker_trials.commands.proxy", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (PACKAGES, ROOT / "Tests" / "Trials")))}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_command_says_its_seed_first_and_ends_when_asked():
    with proxy("--controller=tcp:127.0.0.1:9", "--seed=42", "--drop=0.25") as process:
        ready = json.loads(process.stdout.readline())
        assert (ready["event"], ready["seed"], ready["probabilities"]) == ("ready", 42, {"drop": 0.25})
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def test_the_help_says_what_each_fault_does_in_words(capsys):
    with pytest.raises(SystemExit):
        proxy_command.parse(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "--reset P The controller forgets everything, and the packet with it --reset-told" in said
    assert "--reset-told P The controller forgets everything, and the packet with it, and says so by a Hardware" in said
    assert "_" not in said and "`" not in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--controller=tcp:127.0.0.1:9", "--drop=2"], "'2' is not a probability"),
        (["--controller=tcp:127.0.0.1:9", "--drop=0.7", "--delay=0.7"], "add up to more than 1"),
        (["--controller=127.0.0.1:9"], "is not tcp:HOST:PORT"),
        ([], "required: --controller"),
    ],
)
def test_bad_arguments_of_the_command_are_refused(arguments, message, capsys):
    with pytest.raises(SystemExit) as end:
        proxy_command.parse(arguments)
    assert end.value.code == 64
    assert message in capsys.readouterr().err

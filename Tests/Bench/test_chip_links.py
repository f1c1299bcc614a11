"""The virtual chip with several links: whom it connects to, how many it holds, and what it cannot do at a time."""

import asyncio
import random
import struct
from dataclasses import replace

import pytest

from lenker_bench.wire.air import Air
from lenker_bench.wire.chip_kinds import BCM43430A1, PHONE, ChipKind, LinkRefusal, State
from lenker_bench.wire.true_air import TrueAir
from two_chips import COMPLETE, CONNECTED, EVENT_MASK, LE_EVENT_MASK, LE_META, RESET, STATUS, Host

pytestmark = pytest.mark.virtual_time

COMPLETED = 0x13
ADDRESSES = [bytes.fromhex(f"{number:02x}55443322c1") for number in range(1, 9)]
NOBODY = bytes(6)
SCAN_ON, SCAN_OFF = bytes.fromhex("010c20020100"), bytes.fromhex("010c20020000")
ACTIVE, PASSIVE = bytes.fromhex("010b2007 01 6000 6000 00 00"), bytes.fromhex("010b2007 00 6000 6000 00 00")
CANCEL, CLEAR, LIST_SIZE, STATES = (bytes.fromhex(text) for text in ("010e2000", "01102000", "010f2000", "011c2000"))
ALL_THE_TIME, ONE_TENTH = (0x60, 0x60), (0x1E0, 0x30)


def add(address: bytes) -> bytes:
    return bytes.fromhex("01112007 01") + address


def create(address: bytes = NOBODY, policy: int = 0, times: tuple[int, int] = ALL_THE_TIME) -> bytes:
    """LE Create Connection: to a random address, or by the list; 100 ms, no latency, 4 s."""
    fields = struct.pack("<HHBB6sBHHHHHH", *times, policy, 1, address, 0, 80, 80, 0, 400, 0, 0)
    return b"\x01" + struct.pack("<HB", 0x200D, len(fields)) + fields


class Central(Host):
    """One whose answers are waited for."""

    def __init__(self, air: Air, kind: ChipKind = BCM43430A1) -> None:
        super().__init__(air, "B8:27:EB:00:00:01", kind)
        self.send(RESET, EVENT_MASK, LE_EVENT_MASK)

    async def status(self, command: bytes) -> int:
        """What is answered at once."""
        return (await self.returned(command))[0]

    async def returned(self, command: bytes) -> bytes:
        """Status and what follows it."""
        count = len(self.events)
        self.send(command)
        async with asyncio.timeout(5):
            while True:
                for event in self.events[count:]:
                    if event[0] == COMPLETE and event[2:4] == command[1:3]:
                        return event[4:]
                    if event[0] == STATUS and event[3:5] == command[1:3]:
                        return event[1:2]
                await asyncio.sleep(0.001)

    async def completed(self) -> tuple[int, int, bytes]:
        """Status, handle and peer of the next LE Connection Complete."""
        event = await self.next(LE_META, CONNECTED)
        return (*struct.unpack_from("<BH", event, 1), event[6:12])

    async def connect(self, address: bytes) -> int:
        assert await self.status(create(address)) == 0
        status, handle, peer = await self.completed()
        assert (status, peer) == (0, address)
        return handle


def peripheral(air: Air, number: int, interval: int = 0xA0) -> Host:
    """One that advertises at its address of that number, each `interval` of 0.625 ms."""
    host = Host(air, f"F0:99:B6:00:00:{number:02X}", PHONE)
    advertise = bytes.fromhex("0106200f") + struct.pack("<HH", interval, interval) + bytes.fromhex("00 01 00")
    advertise += NOBODY + bytes.fromhex("07 00")
    address = bytes.fromhex("01052006") + ADDRESSES[number]
    host.send(RESET, EVENT_MASK, LE_EVENT_MASK, address, advertise, bytes.fromhex("010a2001 01"))
    return host


async def test_it_tells_what_it_can_do():
    central = Central(Air())
    # Of each state that the specification knows: 42 bits.
    assert await central.returned(STATES) == b"\0" + bytes.fromhex("ffffffffff030000")
    assert await central.returned(LIST_SIZE) == bytes([0, 128])


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
@pytest.mark.parametrize(("refusal", "expected"), [("status", 0x0D), ("complete", 0x09)])
async def test_it_holds_so_many_links_and_refuses_one_more(limit, refusal, expected):
    air = Air()
    central = Central(air, BCM43430A1.holding(limit, LinkRefusal(refusal)))
    hosts = [peripheral(air, number) for number in range(limit + 1)]
    handles = [await central.connect(ADDRESSES[number]) for number in range(limit)]
    assert len(set(handles)) == limit
    if refusal == "status":
        assert await central.status(create(ADDRESSES[limit])) == expected
    else:
        assert await central.status(create(ADDRESSES[limit])) == 0
        assert (await central.completed())[0] == expected
        assert await central.status(CANCEL) == 0x0C, "that attempt is over"
    # With room there is a link.
    central.send(bytes.fromhex("01060403") + struct.pack("<HB", handles[0], 0x13))
    await asyncio.sleep(1)
    assert await central.connect(ADDRESSES[limit]) == handles[0]
    assert hosts[limit].of(LE_META)


async def test_the_accept_list_lets_in_who_is_on_it():
    air = Air()
    central = Central(air)
    for number in (1, 2):
        assert await central.status(add(ADDRESSES[number])) == 0
    assert await central.status(create(policy=1, times=ONE_TENTH)) == 0
    peripheral(air, 0)
    await asyncio.sleep(10)
    assert central.of(LE_META) == [], "it is not on the list"
    peripheral(air, 1)
    assert (await central.completed())[::2] == (0, ADDRESSES[1])
    # One link for one attempt; the list stays.
    peripheral(air, 2)
    await asyncio.sleep(10)
    assert len(central.of(LE_META)) == 1
    assert await central.status(create(policy=1)) == 0
    assert (await central.completed())[::2] == (0, ADDRESSES[2])


async def test_the_accept_list_is_not_changed_while_it_is_in_use():
    central = Central(Air(), replace(BCM43430A1, accept_list_size=1))
    assert await central.status(add(ADDRESSES[0])) == 0
    assert await central.status(add(ADDRESSES[0])) == 0, "it is there already"
    assert await central.status(add(ADDRESSES[1])) == 0x07
    remove = add(ADDRESSES[0]).replace(bytes.fromhex("1120"), bytes.fromhex("1220"))
    assert await central.status(create(policy=1)) == 0
    for command in (CLEAR, add(ADDRESSES[0]), remove):
        assert await central.status(command) == 0x0C
    assert await central.status(CANCEL) == 0
    assert (await central.completed())[0] == 0x02
    assert await central.status(create(ADDRESSES[1])) == 0
    assert await central.status(CLEAR) == 0, "nobody connects by it"
    assert await central.status(add(ADDRESSES[1])) == 0


@pytest.mark.parametrize(
    ("lacking", "scan", "expected"),
    [
        (State(0), ACTIVE, 0),
        (State.INITIATING_AND_ACTIVE, ACTIVE, 0x0C),
        (State.INITIATING_AND_ACTIVE, PASSIVE, 0),
        (State.INITIATING_AND_PASSIVE, PASSIVE, 0x0C),
    ],
)
async def test_scanning_and_connecting_go_together_as_the_states_say(lacking, scan, expected):
    kind = replace(BCM43430A1, states=BCM43430A1.states ^ lacking)
    central = Central(Air(), kind)
    assert await central.status(scan) == await central.status(SCAN_ON) == 0
    assert await central.status(create(ADDRESSES[0])) == expected
    assert await central.status(SCAN_OFF) == 0
    assert await central.status(create(ADDRESSES[0])) == (0x0C if expected == 0 else 0)
    assert await central.status(SCAN_ON) == expected


async def test_all_links_share_the_buffers():
    air = TrueAir(random.Random(1))
    central = Central(air, replace(BCM43430A1, le=replace(BCM43430A1.le, count=3)))
    handles = []
    for number in range(2):
        peripheral(air, number)
        handles.append(await central.connect(ADDRESSES[number]))
    for handle in handles:
        central.handle = handle
        central.send_data(b"one")
    assert central.complaints == []
    central.send_data(b"three")
    central.send_data(b"four")
    assert central.complaints == ["more than 3 ACL packets before the first was completed"]
    await asyncio.sleep(1)
    returned = [struct.unpack("<BHH", event) for event in central.of(COMPLETED)]
    assert sorted((handle, count) for _, handle, count in returned) == [(handles[0], 1), (handles[1], 3)]


PARAMETERS = bytes.fromhex("0106200f 20002000 00 00 00 000000000000 07 00")
DATA = bytes.fromhex("01082020 03 020106") + bytes(28)
ON, OFF = bytes.fromhex("010a2001 01"), bytes.fromhex("010a2001 00")
RANDOM_ADDRESS = bytes.fromhex("01052006 6655443322c1")
DISALLOWED, INVALID, EXISTS = 0x0C, 0x12, 0x0B
CENTRAL, PERIPHERAL = 0, 1


def to_public(address: str, interval: int = 24, latency: int = 0, timeout: int = 72) -> bytes:
    """LE Create Connection to a public address, from the random one."""
    peer = bytes.fromhex(address.replace(":", ""))[::-1]
    fields = struct.pack("<HHBB6sBHHHHHH", 0x60, 0x60, 0, 0, peer, 1, interval, interval, latency, timeout, 0, 0)
    return b"\x01" + struct.pack("<HB", 0x200D, len(fields)) + fields


ADVERTISERS = "B8:27:EB:00:00:01"


class Phone(Central):
    """A phone that makes links, at a random address."""

    def __init__(self, air: Air, number: int = 1) -> None:
        super().__init__(air)
        self.send(bytes.fromhex("01052006") + ADDRESSES[number])


async def advertising(chip: Central) -> None:
    for command in (PARAMETERS, DATA, ON):
        assert await chip.status(command) == 0


def roles(host: Central) -> list[tuple[int, int, bytes, int, int, int]]:
    """Status, role, peer, interval, latency and timeout of each LE Connection Complete."""
    found = [event for event in host.of(LE_META) if event[0] == CONNECTED]
    return [(event[1], event[4], event[6:12], *struct.unpack_from("<HHH", event, 12)) for event in found]


async def test_who_advertises_is_the_peripheral_and_hears_what_the_central_has_chosen():
    air = Air()
    lenker, phone = Central(air), Phone(air)
    await advertising(lenker)
    assert await phone.status(to_public(ADVERTISERS, 24, 4, 72)) == 0
    await phone.completed()
    assert roles(lenker) == [(0, PERIPHERAL, ADDRESSES[1], 24, 4, 72)]
    own = bytes.fromhex(ADVERTISERS.replace(":", ""))[::-1]
    assert roles(phone) == [(0, CENTRAL, own, 24, 4, 72)]
    # Advertising has ended by itself, and nobody has said so.
    assert await lenker.status(PARAMETERS) == 0


async def test_what_is_advertised_changes_only_while_it_is_off():
    lenker = Central(Air())
    await advertising(lenker)
    assert await lenker.status(PARAMETERS) == await lenker.status(RANDOM_ADDRESS) == DISALLOWED
    assert await lenker.status(DATA) == await lenker.status(OFF) == await lenker.status(PARAMETERS) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        "0106200f 1f002000 00 00 00 000000000000 07 00",
        "0106200f 21002000 00 00 00 000000000000 07 00",
        "0106200f 20000140 00 00 00 000000000000 07 00",
        "0106200f 20002000 00 00 00 000000000000 00 00",
    ],
)
async def test_an_interval_or_a_channel_that_is_none_is_refused(wrong):
    lenker = Central(Air())
    assert await lenker.status(bytes.fromhex(wrong)) == INVALID
    assert len(lenker.complaints) == 1


@pytest.mark.parametrize("parameters", [ACTIVE, PASSIVE])
@pytest.mark.parametrize("lacks", [(), ("scanning",)])
async def test_it_may_be_unable_to_advertise_and_to_scan_at_a_time(lacks, parameters):
    lenker = Central(Air(), BCM43430A1.lacking(*lacks))
    expected = DISALLOWED if lacks else 0
    assert await lenker.status(parameters) == await lenker.status(SCAN_ON) == await lenker.status(PARAMETERS) == 0
    assert await lenker.status(ON) == expected
    assert await lenker.status(SCAN_OFF) == await lenker.status(ON) == 0
    assert await lenker.status(SCAN_ON) == expected


@pytest.mark.parametrize("lacks", [(), ("peripheral",)])
async def test_it_may_be_unable_to_listen_while_it_is_a_peripheral(lacks):
    air = Air()
    lenker, phone = Central(air, BCM43430A1.lacking(*lacks)), Phone(air)
    await advertising(lenker)
    await phone.status(to_public(ADVERTISERS))
    await phone.completed()
    expected = DISALLOWED if lacks else 0
    assert await lenker.status(ACTIVE) == 0
    assert await lenker.status(SCAN_ON) == expected
    assert await lenker.status(SCAN_OFF) == 0
    assert await lenker.status(create(ADDRESSES[2])) == expected


async def test_two_that_connect_to_each_other_have_one_link_and_the_second_attempt_ends():
    air = Air()
    lenker, phone = Central(air), Phone(air)
    await advertising(lenker)
    # Both advertise and both initiate; the first who hears the other makes the link.
    assert await phone.status(bytes.fromhex("0106200f a000a000 00 01 00 000000000000 07 00")) == 0
    assert await lenker.status(create(ADDRESSES[1])) == 0
    assert await phone.status(to_public(ADVERTISERS)) == 0
    await phone.completed()
    assert await phone.status(ON) == 0
    status, _, peer = await next_of(lenker, lambda event: event[0] != 0)
    assert (status, peer) == (EXISTS, ADDRESSES[1])
    assert len(lenker.chip.le_connections) == len(phone.chip.le_connections) == 1
    assert await lenker.status(create(ADDRESSES[1])) == EXISTS


async def next_of(host: Central, is_it) -> tuple[int, int, bytes]:
    while True:
        found = await host.completed()
        if is_it(found):
            return found

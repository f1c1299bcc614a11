"""The virtual chip as one that can be connected to: when it advertises, beside what, and who has which role."""

import asyncio
import random
import struct

import pytest

from lenker_bench.wire.air import Air
from lenker_bench.wire.chip_kinds import BCM43430A1, LACKING
from lenker_bench.wire.true_air import TrueAir
from test_chip_links import ACTIVE, ADDRESSES, PASSIVE, SCAN_OFF, SCAN_ON, STATES, Central, create, peripheral
from two_chips import CONNECTED, DISCONNECTED, LE_META

pytestmark = pytest.mark.virtual_time

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


@pytest.mark.parametrize("lacks", [(), ("initiating",)])
async def test_it_may_be_unable_to_advertise_and_to_connect_at_a_time(lacks):
    lenker = Central(Air(), BCM43430A1.lacking(*lacks))
    expected = DISALLOWED if lacks else 0
    await advertising(lenker)
    assert await lenker.status(create(ADDRESSES[2])) == expected


@pytest.mark.parametrize("lacks", [(), ("central",)])
async def test_it_may_be_unable_to_advertise_beside_a_link(lacks):
    air = Air()
    lenker, _ = Central(air, BCM43430A1.lacking(*lacks)), peripheral(air, 3)
    await lenker.connect(ADDRESSES[3])
    assert await lenker.status(PARAMETERS) == 0
    assert await lenker.status(ON) == (DISALLOWED if lacks else 0)


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


async def test_the_states_that_it_lacks_are_not_in_what_it_says():
    lenker = Central(Air(), BCM43430A1.lacking(*LACKING))
    states = int.from_bytes((await lenker.returned(STATES))[1:], "little")
    assert states == 2**42 - 1 - sum(1 << bit for bit in (2, 10, 14, 26, 27, 32, 35, 41))


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


async def test_a_chip_that_is_full_does_not_offer_another_link():
    air = Air()
    lenker, _ = Central(air, BCM43430A1.holding(1, BCM43430A1.link_refusal)), peripheral(air, 3)
    await lenker.connect(ADDRESSES[3])
    assert await lenker.status(PARAMETERS) == 0
    assert await lenker.status(ON) == 0x09


async def test_it_is_heard_at_its_interval_on_the_true_air():
    air = TrueAir(random.Random(1))
    lenker, phone = Central(air), Phone(air)
    assert await phone.status(PASSIVE) == await phone.status(SCAN_ON) == 0
    await advertising(lenker)
    await asyncio.sleep(1)
    # 20 ms and up to 10 ms more.
    assert 33 <= len([event for event in phone.of(LE_META) if event[0] == 2]) <= 50


async def test_the_peripheral_ends_the_link():
    air = Air()
    lenker, phone = Central(air), Phone(air)
    await advertising(lenker)
    await phone.status(to_public(ADVERTISERS))
    await phone.completed()
    _, handle, _ = await lenker.completed()
    lenker.send(bytes.fromhex("01060403") + struct.pack("<HB", handle, 0x13))
    assert (await phone.next(DISCONNECTED))[-1] == 0x13
    assert (await lenker.next(DISCONNECTED))[-1] == 0x16

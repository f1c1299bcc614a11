"""Connection parameters at the virtual chip and phone: raw HCI packets over the wire."""

import struct
from dataclasses import replace

import pytest

from hci_wire import LE_EVENT_MASK, LE_META, Wire, connect, wire_to
from hostile_phone import hostile_phone
from lenker_bench.phone import questions
from lenker_bench.phone.kinds import KINDS
from lenker_bench.wire.parameters import Parameters

UPDATE_COMPLETE, REQUEST = 0x03, 0x06  # subevents: Core Specification, Vol 4, Part E, 7.7.65
SIGNALING = 0x0005
L2CAP_REQUEST, L2CAP_RESPONSE = 0x12, 0x13
# With LE Remote Connection Parameter Request; the usual mask is without.
WITH_REQUESTS = bytes.fromhex("01012008 3f00000000000000")
# 30 to 50 ms, latency 1, timeout 3 s.
WANTED = Parameters(interval_min=24, interval_max=40, latency=1, timeout=300)
ON_AIR = bytes.fromhex("1800 2800 0100 2c01")
ASKING = {name: replace(KINDS[name], wanted_parameters=WANTED, parameters_after=0.2) for name in KINDS}


def update(handle: int, parameters: bytes) -> bytes:
    return bytes.fromhex("0113200e") + struct.pack("<H", handle) + parameters + bytes(4)


def reply(handle: int) -> bytes:
    return bytes.fromhex("0120200e") + struct.pack("<H", handle) + ON_AIR + bytes(4)


async def signal(wire: Wire) -> bytes:
    """The next frame on the signaling channel; each fits into one packet."""
    while True:
        packet = await wire.next()
        if packet[0] == 2 and struct.unpack_from("<H", packet, 7)[0] == SIGNALING:
            return packet[9:]


async def respond(wire: Wire, handle: int, identifier: int, result: int) -> None:
    frame = struct.pack("<HHBBHH", 6, SIGNALING, L2CAP_RESPONSE, identifier, 2, result)
    wire.send(struct.pack("<BHH", 2, handle, len(frame)) + frame)


@pytest.mark.parametrize(
    ("parameters", "are_valid"),
    [
        ((6, 6, 0, 10), True),
        ((5, 6, 0, 10), False),
        ((6, 3200, 0, 3200), True),
        ((6, 3201, 0, 3200), False),
        ((7, 6, 0, 10), False),
        ((6, 6, 0, 9), False),
        ((6, 6, 500, 3200), False),
        # The timeout must be more than 2 × (1 + latency) × interval: here 2 × 2 × 100 ms.
        ((80, 80, 1, 41), True),
        ((80, 80, 1, 40), False),
    ],
)
def test_what_the_specification_allows(parameters, are_valid):
    assert Parameters(*parameters).are_valid == are_valid


async def test_the_central_changes_them_on_both_sides():
    async with hostile_phone(b"", KINDS["ios"]) as phone, wire_to(phone.port) as wire:
        handle = await connect(wire)
        assert await wire.answer(update(handle, ON_AIR)) == b"\x00"
        complete = await wire.next(LE_META, UPDATE_COMPLETE)
        assert struct.unpack_from("<BHHHH", complete, 1) == (0, handle, 40, 1, 300)
        given = await phone.log.wait_for("parameters")
        assert (given["asked"], given["interval"], given["latency"], given["timeout"]) == ("nobody", 50, 1, 3000)


async def test_parameters_that_do_not_fit_together_are_refused():
    async with hostile_phone(b"", KINDS["ios"]) as phone, wire_to(phone.port) as wire:
        handle = await connect(wire)
        # 50 ms and a latency of 9, with a timeout of 1 s.
        assert await wire.answer(update(handle, bytes.fromhex("2800 2800 0900 6400"))) == b"\x12"
        assert await wire.answer(update(handle + 1, ON_AIR)) == b"\x02"
        await phone.log.wait_for("complaint")


async def test_a_host_that_listens_is_asked_by_the_link_layer():
    async with hostile_phone(b"", ASKING["android"]) as phone, wire_to(phone.port) as wire:
        handle = await connect(wire, WITH_REQUESTS)
        request = await wire.next(LE_META, REQUEST)
        assert struct.unpack_from("<H", request, 1)[0] == handle and request[3:] == ON_AIR
        assert await wire.answer(reply(handle)) == b"\x00" + struct.pack("<H", handle)
        await wire.next(LE_META, UPDATE_COMPLETE)
        await phone.log.wait_for("parameters", asked="link-layer", interval=50.0, latency=1, timeout=3000)
        # One answer is enough.
        assert (await wire.answer(reply(handle)))[0] == 0x0C
        await phone.log.wait_for("complaint")


async def test_a_host_that_does_not_listen_is_asked_by_l2cap():
    async with hostile_phone(b"", ASKING["android"]) as phone, wire_to(phone.port) as wire:
        handle = await connect(wire, LE_EVENT_MASK)
        request = await signal(wire)
        assert request[0] == L2CAP_REQUEST and request[4:] == ON_AIR
        await respond(wire, handle, request[1], 0)
        assert await wire.answer(update(handle, ON_AIR)) == b"\x00"
        await phone.log.wait_for("parameters", asked="l2cap", interval=50.0, latency=1, timeout=3000)


@pytest.mark.parametrize("kind", ["ios", "android"])
async def test_a_request_without_an_answer_is_a_complaint(monkeypatch, kind):
    monkeypatch.setattr(questions, "PATIENCE", 0.3)
    async with hostile_phone(b"", ASKING[kind]) as phone, wire_to(phone.port) as wire:
        await connect(wire, WITH_REQUESTS)
        complaint = await phone.log.wait_for("complaint")
        assert "were not given" in complaint["message"]


@pytest.mark.parametrize("parameters", [None, bytes.fromhex("5000 6400 0100 2c01")], ids=["none", "others"])
async def test_a_promise_that_is_not_kept_is_a_complaint(monkeypatch, parameters):
    monkeypatch.setattr(questions, "PATIENCE", 0.5)
    async with hostile_phone(b"", ASKING["ios"]) as phone, wire_to(phone.port) as wire:
        handle = await connect(wire)
        request = await signal(wire)
        await respond(wire, handle, request[1], 0)
        if parameters is not None:
            assert await wire.answer(update(handle, parameters)) == b"\x00"
        await phone.log.wait_for("complaint")
        assert {given["asked"] for given in phone.log.named("parameters")} <= {"nobody"}

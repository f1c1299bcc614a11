"""The virtual chip encrypts a link as a real one does: two of them face to face, each with a host that says bytes."""

import struct

import pytest

from lenker_bench.wire import encryption
from two_chips import (
    DISCONNECTED,
    ENCRYPTION_CHANGE,
    EVENT_MASK,
    KEY,
    KEY_REFRESH,
    LE_META,
    LONG_TERM_KEY_REQUEST,
    NO_ENCRYPTION_CHANGES,
    NO_LONG_TERM_KEY_REQUESTS,
    OTHER_KEY,
    connected,
    link,
)


async def test_the_same_key_on_both_sides_encrypts_the_link():
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    await peripheral.answer_request(KEY)
    assert await central.changed() == await peripheral.changed() == (0, 1)


@pytest.mark.parametrize("other", [OTHER_KEY, bytes(16), bytes([1]) + KEY[1:]])
async def test_a_wrong_key_ends_the_link_with_a_failed_integrity_check(other):
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    await peripheral.answer_request(other)
    assert await central.end() == await peripheral.end() == 0x3D
    assert central.of(ENCRYPTION_CHANGE) == peripheral.of(ENCRYPTION_CHANGE) == []


async def test_a_peripheral_without_a_key_leaves_the_link_as_it_was():
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    await peripheral.answer_request(None)
    assert await central.changed() == (0x06, 0)
    assert peripheral.of(ENCRYPTION_CHANGE) == central.of(DISCONNECTED) == []
    # Neither side has given up: with a key it works.
    assert await central.encrypt() == 0
    await peripheral.answer_request(KEY)
    assert await central.changed() == (0, 1)


async def test_a_peripheral_that_does_not_want_to_be_asked_has_no_key():
    central, peripheral = await connected()
    peripheral.send(NO_LONG_TERM_KEY_REQUESTS)
    assert await central.encrypt() == 0
    assert await central.changed() == (0x06, 0)


async def test_a_masked_encryption_change_is_not_told():
    central, peripheral = await connected()
    central.send(NO_ENCRYPTION_CHANGES)
    assert await central.encrypt() == 0
    await peripheral.answer_request(KEY)
    assert await peripheral.changed() == (0, 1)
    central.send(EVENT_MASK)
    # It was really encrypted: what follows is a refresh.
    assert await central.encrypt() == 0
    await peripheral.answer_request(KEY)
    await central.next(KEY_REFRESH)
    assert central.of(ENCRYPTION_CHANGE) == []


async def test_an_encrypted_link_gets_a_new_key():
    central, peripheral = await connected()
    for key, code in ((KEY, ENCRYPTION_CHANGE), (OTHER_KEY, KEY_REFRESH)):
        assert await central.encrypt(key) == 0
        await peripheral.answer_request(key)
        for host in (central, peripheral):
            assert (await host.next(code))[0] == 0
    assert await central.encrypt(KEY) == 0
    await peripheral.answer_request(None)
    # There is no way back to an open link.
    assert await central.end() == await peripheral.end() == 0x06


async def test_a_new_link_is_open_again():
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    await peripheral.answer_request(KEY)
    central.send(struct.pack("<BHBHB", 1, 0x0406, 3, central.handle, 0x13))
    assert await peripheral.end() == 0x13
    await link(central, peripheral)
    assert await central.encrypt() == 0
    await peripheral.answer_request(KEY)
    assert await central.changed() == (0, 1)


async def test_only_the_central_of_a_link_that_is_there_encrypts_it_and_once_at_a_time():
    central, peripheral = await connected()
    assert await peripheral.encrypt() == 0x0C
    assert await central.encrypt() == 0
    assert await central.encrypt() == 0x0C
    await peripheral.answer_request(KEY)
    assert await central.changed() == (0, 1)
    central.handle += 0x100
    assert await central.encrypt() == 0x02


async def test_a_key_that_nobody_asked_for_is_refused():
    _, peripheral = await connected()
    assert await peripheral.reply(KEY) == await peripheral.reply(None) == 0x0C
    peripheral.handle += 0x100
    assert await peripheral.reply(KEY) == 0x02


async def test_a_key_that_comes_after_the_link_was_lost_does_no_harm():
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    await peripheral.next(LE_META, LONG_TERM_KEY_REQUEST)
    peripheral.send(peripheral._command(0x201A, KEY))
    central.chip.lose_link(next(iter(central.chip.le_connections.values())))
    assert await central.end() == await peripheral.end() == 0x08
    await link(central, peripheral)
    assert central.of(ENCRYPTION_CHANGE) == peripheral.of(ENCRYPTION_CHANGE) == []


async def test_a_peripheral_that_never_answers_ends_the_link(monkeypatch):
    """After 40 s, were it not for the test."""
    assert encryption.RESPONSE_TIMEOUT == 40
    monkeypatch.setattr(encryption, "RESPONSE_TIMEOUT", 0.2)
    central, peripheral = await connected()
    assert await central.encrypt() == 0
    assert await central.end() == await peripheral.end() == 0x22

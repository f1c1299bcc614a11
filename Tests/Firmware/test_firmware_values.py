"""What the program makes of values that no good phone sends: events stay JSON, pictures come, nothing ends."""

import json
import struct

import pytest

from builds import regular_and_armv6
from hostile_phone import Endless, hostile_phone
from lenker_bench.programs.outputs import Outputs
from lenker_bench.view.pbm import read_picture

LONGEST_STREET = 503


def value(street: bytes, distance: int = 100, direction: int = 5, identifier: int = 7) -> bytes:
    return struct.pack("<IBI", identifier, direction, distance) + street


SAFE = value("Lennéstraße".encode(), distance=4321)
ARABIC = "شارع الملك فيصل"

STREETS = [
    pytest.param(b"", "", id="empty"),
    pytest.param(b"a" * LONGEST_STREET, "a" * LONGEST_STREET, id="503 bytes"),
    pytest.param(b"a" * 600, "a" * LONGEST_STREET, id="600 bytes"),
    pytest.param("Straße".encode()[:5], "Stra\N{REPLACEMENT CHARACTER}", id="cut within a letter"),
    pytest.param(
        b"a" * 502 + "ß".encode(), "a" * 502 + "\N{REPLACEMENT CHARACTER}", id="cut within a letter by its length"
    ),
    pytest.param("Šaltinių".encode(), "Šaltinių", id="Latin beyond Latin-1"),
    pytest.param("🚲 Weg 🚴".encode(), "🚲 Weg 🚴", id="beyond the basic plane"),
    pytest.param(bytes(range(1, 32)) + b"\x7f", "".join(map(chr, [*range(1, 32), 127])), id="controls"),
    pytest.param(b"\0\0\0", "\0\0\0", id="zeros"),
    pytest.param(b"\x1b[2J\x1b]0;x\x07", "\x1b[2J\x1b]0;x\x07", id="terminal commands"),
    pytest.param(ARABIC.encode(), ARABIC, id="right to left"),
    pytest.param("\u202eegatniv\u202c".encode(), "\u202eegatniv\u202c", id="direction marks"),
    pytest.param(b'"},{"event":"x\\', '"},{"event":"x\\', id="quotes and backslashes"),
    pytest.param(b"\\u0041\\n", "\\u0041\\n", id="escapes"),
    pytest.param(b"a\nb\r\nc", "a\nb\r\nc", id="line ends"),
    pytest.param("\u2028\u2029\ufeff".encode(), "\u2028\u2029\ufeff", id="separators"),
]
# Not UTF-8 at all: how many U+FFFD stand for them is not promised, only that they are replaced.
BROKEN_STREETS = [
    pytest.param(b"\xff\xfe\xfd", id="never UTF-8"),
    pytest.param(b"\xc0\xaf", id="overlong"),
    pytest.param(b"\xed\xa0\x80", id="surrogate"),
    pytest.param(b"\xf4\x90\x80\x80", id="beyond Unicode"),
    pytest.param(b"\x80" * LONGEST_STREET, id="503 continuations"),
    pytest.param(b"\xf0\x9f\x9a" * 168, id="many cut ones"),
]


def assert_sound(folder, firmware) -> None:
    """Every line of events is valid JSON in valid UTF-8, and every picture is one."""
    text = Outputs(folder).events.read_bytes().decode("utf-8", "strict")
    assert all(isinstance(json.loads(line), dict) for line in text.split("\n")[:-1])
    assert firmware.log.malformed == []
    pictures = sorted(folder.glob("frame-*.pbm"))
    assert pictures and all(read_picture(path).width == 128 for path in pictures)


@pytest.mark.parametrize(("street", "told"), STREETS)
async def test_a_street_is_told_as_it_is(lenker, tmp_path, street, told):
    async with hostile_phone(value(street)) as phone, lenker(phone.port) as firmware:
        instruction = await firmware.log.wait_for("instruction", 30)
        assert (instruction["direction"], instruction["distance"], instruction["street"]) == (5, 100, told)
        await firmware.log.wait_for("frame")
        phone.script.say(SAFE)
        await firmware.log.wait_for("instruction", distance=4321, street="Lennéstraße")
        await firmware.log.wait_for("frame")
        assert_sound(tmp_path, firmware)


@pytest.mark.parametrize("street", BROKEN_STREETS)
async def test_what_is_not_utf8_is_replaced(lenker, tmp_path, street):
    async with hostile_phone(value(street)) as phone, lenker(phone.port) as firmware:
        instruction = await firmware.log.wait_for("instruction", 30)
        assert set(instruction["street"]) == {"\N{REPLACEMENT CHARACTER}"}
        await firmware.log.wait_for("frame")
        phone.script.say(SAFE)
        await firmware.log.wait_for("instruction", distance=4321)
        assert_sound(tmp_path, firmware)


@regular_and_armv6
async def test_hostile_streets_one_after_the_other_do_no_harm(build, lenker, tmp_path):
    """With the smallest MTU, so that each is read in parts; the identifier and the distance tell them apart."""
    streets = [parameter.values[0] for parameter in STREETS + BROKEN_STREETS]
    async with hostile_phone(SAFE, mtu=23) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("instruction", 30)
        for number, street in enumerate(streets, 1):
            phone.script.say(value(street, distance=number, identifier=number))
            instruction = await firmware.log.wait_for("instruction", 30, distance=number)
            assert len(instruction["street"]) <= LONGEST_STREET
        assert_sound(tmp_path, firmware)


@pytest.mark.parametrize("count", range(9))
async def test_a_value_that_is_no_instruction_is_passed_over(lenker, tmp_path, count):
    short = SAFE[:count]
    async with hostile_phone(short) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("link", 30, state="ready")
        phone.script.notify(short)
        # Each identifier asks for a reading, and that for a value; the second one comes when the first was judged.
        for _ in range(2):
            await phone.script.next_reading()
            phone.script.notify(SAFE[:4])
        assert firmware.log.named("instruction") == []
        phone.script.say(SAFE)
        await firmware.log.wait_for("instruction", 30, distance=4321)
        assert len(firmware.log.named("instruction")) == 1


@pytest.mark.parametrize("notified", [b"", b"\1", b"\1\2\3", b"\1\2\3\4\5", b"\1\2\3\4\5\6\7\x08", b"\xff" * 600])
async def test_a_notification_of_any_length_does_no_harm(lenker, notified):
    async with hostile_phone(SAFE) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("instruction", 30)
        phone.script.notify(notified)
        phone.script.say(value(b"next", distance=5))
        await firmware.log.wait_for("instruction", 30, distance=5, street="next")


@pytest.mark.parametrize("mtu", [23, 100, None])
async def test_a_value_that_never_ends_is_cut_and_the_link_stays_of_use(lenker, tmp_path, mtu):
    async with hostile_phone(Endless(value(b"")), mtu=mtu) as phone, lenker(phone.port) as firmware:
        instruction = await firmware.log.wait_for("instruction", 30)
        assert instruction["street"] == "x" * LONGEST_STREET
        readings = phone.script.readings
        # At MTU 23 a part is 22 bytes: 512 bytes take 24 of them, and one more to see that the first is the same.
        assert readings <= 2 * 25
        phone.script.say(SAFE)
        await firmware.log.wait_for("instruction", 30, distance=4321)
        assert firmware.log.named("link")[-1]["state"] == "ready"
        assert_sound(tmp_path, firmware)

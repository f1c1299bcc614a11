"""What the program makes of values that no good phone sends: events stay JSON, pictures come, nothing ends."""

import json
import struct

from builds import regular_and_armv6
from hostile_phone import hostile_phone
from lenker_bench.programs.outputs import Outputs
from lenker_bench.view.pbm import read_picture

LONGEST_STREET = 503


def value(street: bytes, distance: int = 100, direction: int = 5, identifier: int = 7) -> bytes:
    return struct.pack("<IBI", identifier, direction, distance) + street


STREETS = [
    b"",
    b"a" * 600,
    "Straß".encode()[:-1],
    "🚲 Šaltinių شارع".encode(),
    bytes(range(1, 32)) + b"\x7f",
    b"\0\0\0",
    b'"},{"event":"x\\',
    "\u202eegatniv\u202c\u2028\ufeff".encode(),
    b"\xff\xfe\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80",
    b"\x80" * LONGEST_STREET,
    b"\xf0\x9f\x9a" * 168,
]
SAFE = value("Lennéstraße".encode(), distance=4321)
ARABIC = "شارع الملك فيصل"


def assert_sound(folder, firmware) -> None:
    """Every line of events is valid JSON in valid UTF-8, and every picture is one."""
    text = Outputs(folder).events.read_bytes().decode("utf-8", "strict")
    assert all(isinstance(json.loads(line), dict) for line in text.split("\n")[:-1])
    assert firmware.log.malformed == []
    pictures = sorted(folder.glob("frame-*.pbm"))
    assert pictures and all(read_picture(path).width == 128 for path in pictures)


@regular_and_armv6
async def test_hostile_streets_one_after_the_other_do_no_harm(build, lenker, tmp_path):
    """With the smallest MTU, so that each is read in parts; the identifier and the distance tell them apart."""
    async with hostile_phone(SAFE, mtu=23) as phone, lenker(phone.port) as firmware:
        await firmware.log.wait_for("instruction", 30)
        for number, street in enumerate(STREETS, 1):
            phone.script.say(value(street, distance=number, identifier=number))
            instruction = await firmware.log.wait_for("instruction", 30, distance=number)
            assert len(instruction["street"]) <= LONGEST_STREET
        assert_sound(tmp_path, firmware)

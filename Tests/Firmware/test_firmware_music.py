"""What an iPhone plays on the real program, from Bumble's attribute server, and that no file tells it."""

import functools

from bumble.profiles import ams

from bonding import INSTRUCTION, LONG, STREET, paired
from builds import regular_and_armv6
from bumbles_iphone import BumblesMusic
from hostile_phone import hostile_phone
from lenker_bench.phone.music import NEXT, PLAYING, REFUSED, SONGS, Music
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone


def iphone(music: Music):
    """One that plays, or refuses to tell what."""
    make = functools.partial(Phone, music=music)
    return hostile_phone(INSTRUCTION, "ios", pairing=PairingHabits(JUST_WORKS), make=make)


async def first_command(firmware, phone) -> int:
    """Goes from page to page, and presses B on each, until the phone hears something of it."""
    while not phone.log.named("music"):
        # The first press takes away which phone it is.
        firmware.press("aab")
        await firmware.log.wait_for("button", LONG, name="b")
    return phone.log.named("music")[0]["command"]


@regular_and_armv6
async def test_b_plays_the_next_title_on_the_page_of_music_and_no_file_has_a_text(build, lenker, tmp_path):
    keys = ["music=on", f"btsnoop=file:{tmp_path}/capture", f"report=file:{tmp_path}/report"]
    keys += [f"i2c-trace=file:{tmp_path}/trace"]
    async with iphone(Music(PLAYING)) as phone, paired(lenker, phone, *keys) as firmware:
        assert await first_command(firmware, phone) == NEXT
        firmware.press("r")
        await firmware.log.wait_for("report", LONG, state="saved")
        assert firmware.log.named("error") == [] and phone.log.named("complaint") == []
        written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    words = {word for song in SONGS for text in song for word in text.split() if len(word.encode()) > 5}
    assert len(written) > 4 and STREET.encode() in b"".join(written)
    assert not [word for word in words for content in written if word.encode() in content]


async def test_bumbles_service_plays_the_next_title(lenker):
    async with iphone(BumblesMusic()) as phone, paired(lenker, phone, "music=on") as firmware:
        assert await first_command(firmware, phone) == ams.RemoteCommandId.NEXT_TRACK
        assert firmware.log.named("error") == [] and phone.log.named("complaint") == []


async def test_a_phone_that_refuses_tells_the_way_and_is_told_of_once(lenker):
    async with iphone(Music(REFUSED)) as phone, paired(lenker, phone, "music=on") as firmware:
        error = await firmware.log.first("error", LONG, source="phone")
        assert error["message"] == "the phone does not let its music be seen: error 0x05"
        phone.script.say(INSTRUCTION[:-1] + b"n")
        await firmware.log.first("instruction", LONG, street=STREET[:-1] + "n")
        assert len(firmware.log.named("error")) == 1 and phone.log.named("complaint") == []

"""What the rider's own iPhone may say of its music. Each play returns what the program did, or raises `NotHeld`."""

import asyncio
import random

from lenker_bench.phone.music import ALBUM, ARTIST, NEXT, SONGS, TITLE, TRACK
from lenker_bench.phone.phone import RIDERS_PHONE

from .notifications import beside_the_ride
from .scene import NotHeld, Scene

TITLES = 5_000
AT_A_TIME = 20
LONGEST = 500  # bytes
SHOWN = 5.0  # seconds until a press, or a title, is on the panel


def _rubbish(chance: random.Random) -> bytes:
    """An Entity Update whose text is any bytes, most of them of the track; or any bytes at all."""
    text = chance.randbytes(chance.choice([0, 1, 20, LONGEST]))
    if chance.random() < 0.2:
        return text
    return bytes([TRACK, chance.choice([ARTIST, ALBUM, TITLE]), chance.randrange(256)]) + text


async def told_titles_without_end(scene: Scene) -> str:
    """The rider looks at the page of music meanwhile, and has the next title played then."""
    music, chance = scene.phone.music, random.Random(1)
    await scene.until(lambda: music.is_listened_to, "nobody asked for the title")
    scene.press("aa")
    await scene.until(lambda: not scene.shows_turn(), "the page of music", SHOWN)
    await scene.fresh()
    before = scene.picture()
    for number in range(TITLES):
        for connection in scene.connections:
            music.notify(connection, music.update, _rubbish(chance))
        if number % AT_A_TIME == 0:
            await asyncio.sleep(0)
    seconds = await scene.fresh()
    if scene.picture() == before:
        raise NotHeld("what the phone told was not shown")
    scene.press("b")
    await scene.until(lambda: scene.count_said("music", RIDERS_PHONE, command=NEXT) > 0, "the next title", SHOWN)
    for _ in SONGS[1:]:
        music.play_next()
    await scene.until(lambda: scene.picture() == before, "the title of before", SHOWN)
    scene.press("aa")
    await scene.until(scene.shows_turn, "the turn after the music", SHOWN)
    return await beside_the_ride(scene, f"the way was heard after {seconds:.1f} s, and the title of then is shown")

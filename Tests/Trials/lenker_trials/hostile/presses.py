"""What a press must not be taken for. Each play returns what the program did, or raises `NotHeld`."""

from lenker_bench.phone.music import NEXT
from lenker_bench.phone.pairing import COMPARE
from lenker_bench.phone.phone import RIDERS_PHONE

from .notifications import NEWS, beside_the_ride, listened_to
from .scene import NotHeld, Scene

SHOWN = 5.0  # seconds until a press, or what the phone tells, is on the panel
QUIET = 3.0  # seconds in which nothing more may happen


async def turned_pages(scene: Scene) -> str:
    """The phone is away. Behind each of two failures the rider turns a page; the third comes by itself."""
    scene.phone.vanish()
    await scene.told("stale")
    asked = scene.count("pairing")
    for number in range(3):
        async with scene.attacker(COMPARE, scene.recorded_address()):
            await scene.told("bond", more_than=number, state="rejected")
            if number < 2:
                scene.press("a")
    async with scene.attacker(COMPARE, scene.recorded_address()):
        await scene.never("pairing", QUIET)
    if scene.count("pairing") > asked:
        raise NotHeld("the rider was asked to pair")
    scene.phone.come_back()
    return f"nobody was asked about; {await scene.back()}"


async def pressed_on_a_banner(scene: Scene) -> str:
    """On the page of music; the first press takes the banner away, the second has the next title played."""
    told, music = await listened_to(scene), scene.phone.music
    await scene.until(lambda: music.is_listened_to, "nobody asked for the title")
    scene.press("aa")
    await scene.until(lambda: not scene.shows_turn(), "the page of music", SHOWN)
    await scene.fresh()
    page = scene.picture()
    told.add(NEWS)
    await scene.until(lambda: scene.picture() != page, "the notification on the panel", SHOWN)
    scene.press("b")
    await scene.until(lambda: scene.picture() == page, "the page of music again", SHOWN)
    if scene.count_said("music", RIDERS_PHONE, command=NEXT):
        raise NotHeld("a title was skipped that nobody saw")
    scene.press("b")
    await scene.until(lambda: scene.count_said("music", RIDERS_PHONE, command=NEXT) > 0, "the next title", SHOWN)
    scene.press("aa")
    await scene.until(scene.shows_turn, "the turn after the music", SHOWN)
    return await beside_the_ride(scene, "the first press took the banner away, the second played the next title")

"""What the rider's own phone does, its app, its music and its handles. Each play returns what the program did."""

import asyncio
import random

from bumble import gatt

from lenker_bench.phone import komoot
from lenker_bench.phone.kinds import IOS
from lenker_bench.phone.music import ALBUM, ARTIST, NEXT, SONGS, TITLE, TRACK
from lenker_bench.phone.phone import RIDERS_PHONE
from lenker_bench.phone.services import WHOLE_DATABASE
from lenker_bench.phone.strangers import STRANGERS_STEP

from . import NotHeld, attacks
from .case import Cases
from .notifications import NEWS, RIDE_GOES_ON, SHOWN, beside_the_ride, listened_to
from .scene import PHONE_BACK, QUIET, Scene

LONG = 40.0  # seconds; the firmware searches fast for 30 s and then slowly, so that they show what five minutes do
ATTEMPTS_BACK = 3.5  # three attempts that failed, half a second each, and the fourth
WAITING = 8.0
NO_INSTRUCTION = b"\x07\x00"
TITLES = 5_000
AT_A_TIME = 20
LONGEST = 500  # bytes

CASES = Cases()


@CASES.add("renames", 52, "six names in six links of one ride", "written once at most")
async def renamed(scene: Scene) -> str:
    count = scene.count("bond", state="saved")
    await attacks.rename(scene)
    written = scene.count("bond", state="saved") - count
    if written > 1:
        raise NotHeld(f"six names were written {written} times")
    return f"six names were written {written} times"


@CASES.add(
    "attempts-fail",
    54,
    "three attempts to connect end in 0x3E",
    "half a second each, whatever the address: back within 3.5 s",
)
async def attempts_failed(scene: Scene) -> str:
    scene.chip.refused_attempts = 3
    scene.phone.drop()
    return await scene.back(ATTEMPTS_BACK)


@CASES.add(
    "service-is-gone",
    55,
    "the remembered phone comes without its service, which comes 8 s later",
    "it is waited for on the link",
)
async def service_is_gone(scene: Scene) -> str:
    """It goes when the phone is connected to, and comes back later."""
    scene.phone.device.once("connection", lambda connection: scene.phone.withdraw_service())
    count = scene.count("link", state="disconnected")
    scene.phone.drop()
    await scene.told("link", more_than=count, state="disconnected")
    await scene.told("link", more_than=scene.count("link", state="encrypted"), state="encrypted")
    await scene.never("link", WAITING, state="disconnected")
    scene.phone.offer_service()
    return f"it was waited for on the link; {await scene.back()}"


@CASES.add(
    "handles-that-lie",
    57,
    "the service has other handles than remembered, and it was not announced",
    "found again; " + PHONE_BACK,
)
async def moved_in_silence(scene: Scene) -> str:
    scene.phone.vanish()
    await scene.told("link", state="disconnected")
    server = scene.phone.device.gatt_server
    server.remove_navigation()
    server.add_navigation()
    scene.phone.come_back()
    return await scene.back()


@CASES.add(
    "values-of-20",
    56,
    "an app that cuts what it gives to 20 bytes",
    "the whole street is shown, never a part",
    size=20,
)
@CASES.add(
    "values-of-22",
    56,
    "an app that cuts what it gives to 22 bytes",
    "the whole street is shown, never a part",
    kind=IOS,
    size=22,
)
async def cut(scene: Scene, size: int) -> str:
    scene.phone.device.gatt_server.longest_part = size
    await scene.fresh()
    await asyncio.sleep(QUIET)
    return f"streets were whole though given in parts of {size} bytes"


@CASES.add(
    "away-for-long",
    58,
    "the phone is away for 40 s, which show what five minutes do",
    "back within a second of its return",
)
async def away(scene: Scene) -> str:
    scene.phone.vanish()
    await asyncio.sleep(LONG)
    scene.phone.come_back()
    return await scene.back(1.0)


# Who has the phone's handles by now


def _move(scene: Scene, value: bytes) -> gatt.Characteristic:
    """The service gets other handles, and another app's characteristic those that it had."""
    server = scene.phone.device.gatt_server
    first, _ = server.remove_navigation()
    other = server.add_other_app(first, value)
    server.add_navigation()
    return other


@CASES.add(
    "handles-taken-over",
    72,
    "Service Changed, and the link is lost; the old handles are another app's, which seems to tell a turn",
    "the other app is neither subscribed to nor shown; the rider's phone is back within 5 s of the end",
)
async def taken_over(scene: Scene) -> str:
    """The change is told and confirmed, so that it is not told again; the other app's value looks like a turn."""
    touched = []
    (connection,) = scene.connections
    other = _move(scene, komoot.encode(9, STRANGERS_STEP))
    other.on("subscription", lambda *change: touched.append(change))
    await scene.phone.device.gatt_server.indicate_service_changed(connection, *WHOLE_DATABASE)
    scene.phone.drop()
    did = await scene.back()
    if touched:
        raise NotHeld("the other app was subscribed to")
    return f"the other app was left alone; {did}"


@CASES.add(
    "handles-taken-over-in-silence",
    72,
    "the same while the phone is away, without a word; the other app's value is no turn",
    "the rider's phone is back within 5 s, on the next link, too",
)
async def taken_over_in_silence(scene: Scene) -> str:
    scene.phone.vanish()
    await scene.told("link", state="disconnected")
    _move(scene, NO_INSTRUCTION)
    scene.phone.come_back()
    did = await scene.back()
    scene.phone.drop()
    return f"{did}; {await scene.back()} on the next link"


# Its music


def _rubbish(chance: random.Random) -> bytes:
    """An Entity Update whose text is any bytes, most of them of the track; or any bytes at all."""
    text = chance.randbytes(chance.choice([0, 1, 20, LONGEST]))
    if chance.random() < 0.2:
        return text
    return bytes([TRACK, chance.choice([ARTIST, ALBUM, TITLE]), chance.randrange(256)]) + text


@CASES.add(
    "titles-without-end",
    0,
    f"{TITLES} titles and artists in a row, of any bytes, in front of the page of music",
    "the way is heard, the next title played and shown; " + RIDE_GOES_ON,
    kind=IOS,
    tells=True,
)
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


@CASES.add(
    "pressed-on-a-banner",
    74,
    "a notification in front of the page of music when the rider presses for the next title",
    "the press takes the notification away, and nothing else",
    kind=IOS,
    tells=True,
)
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

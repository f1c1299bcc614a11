"""Who claims to have the clock, the music and the notifications of an iPhone, and what the rider's own may say by them.

Each play returns what the program did, or raises `NotHeld`.
"""

import asyncio
import contextlib
from collections.abc import Callable

from bumble import att
from bumble.device import Connection

from lenker_bench.phone import notifications
from lenker_bench.phone.kinds import IOS
from lenker_bench.phone.notifications import ACCEPT, APP, MAIL, MESSAGE, TITLE, Notification
from lenker_bench.phone.pairing import JUST_WORKS, NONE
from lenker_bench.phone.phone import RIDERS_PHONE, Phone
from lenker_bench.phone.strangers import STRANGERS_STREET

from . import NotHeld
from .attackers import Asked
from .attacks import silent
from .case import Cases
from .scene import NOTICE, PATIENCE, PHONE_BACK, Scene

Spoil = Callable[[bytes], bytes]

CALLER = "Anna Erfunden"
NEWS = Notification(MAIL, {TITLE: "Ausgedacht", MESSAGE: "Das hat nie jemand geschrieben"})
APP_IN_THE_LIST = "org.example.Chat"
OTHER_APPS = ("", APP_IN_THE_LIST + "s", APP_IN_THE_LIST[:-1], "all", "x" * 600)
A_CALL = bytes.fromhex("0018010107000000")
A_TITLE = bytes.fromhex("020200") + b"nobody plays this"
CLAIMS = 50
MANY = 10_000
AT_A_TIME = 20
GONE = 20
FORBIDDEN = 0x05
MID_REQUEST = 3
SHOWN = 5.0  # seconds until a call is on the panel
NOT_SHOWN = 1.0  # seconds in which another one would be
UNANSWERED = 15.0  # seconds until the next one is: what is not answered is over after 10
RETRIED = 25.0  # seconds: what is forbidden is tried again after 5, 10, 20…
RIDE_GOES_ON = "the ride goes on, on the same link"
HEADER = 5  # bytes in front of the first attribute
TOO_LONG, ENDLESS = 600, 60_000  # bytes
UNASKED = 7

CASES = Cases(tells=True)


def _attribute(number: int, text: bytes) -> bytes:
    return bytes([number]) + len(text).to_bytes(2, "little") + text


BAD_ANSWERS: dict[str, tuple[str, Spoil]] = {
    "cut": ("lacks its last byte", lambda answer: answer[:-1]),
    "lies": ("says that its title has 65,535 bytes", lambda answer: answer[: HEADER + 1] + b"\xff\xff" + answer[8:]),
    "another": ("is that of another one", lambda answer: answer[:1] + b"\xee" + answer[2:]),
    "message-only": ("has its message alone, ten times", lambda answer: answer[:HEADER] + _attribute(3, b"no") * 10),
}

STRANGE_ANSWERS: dict[str, tuple[str, Spoil]] = {
    "twice": ("has two names", lambda answer: answer + _attribute(1, b"Somebody else")),
    "unasked": (
        "has attributes first that were not asked for",
        lambda answer: answer[:HEADER] + _attribute(UNASKED, b"Accept") + _attribute(UNASKED, b"") + answer[HEADER:],
    ),
    "endless": (
        f"has one of {ENDLESS} bytes first",
        lambda answer: answer[:HEADER] + _attribute(UNASKED, bytes(ENDLESS)) + answer[HEADER:],
    ),
    "more": (f"goes on for {TOO_LONG} bytes behind its end", lambda answer: answer + b"!" * TOO_LONG),
}


# Others


def claim(other: Phone) -> None:
    """Tells of a call and of a title, though nobody has subscribed."""
    told = [(other.notifications.source, A_CALL), (other.music.update, A_TITLE)]
    for connection in other.device.connections.values():
        for characteristic, value in told * CLAIMS:
            notification = att.ATT_Handle_Value_Notification(characteristic.handle, value)
            other.device.gatt_server.send_gatt_pdu(connection, bytes(notification))


@CASES.add(
    "claims-before-the-answer-just-works",
    0,
    "a stranger that can show no code, with a clock, music and calls",
    "the rider is asked, the stranger is not",
    mode=JUST_WORKS,
    begins_alone=True,
)
@CASES.add(
    "claims-before-the-answer-none",
    0,
    "a stranger that refuses to pair, with a clock, music and calls",
    "the rider is asked, the stranger is not",
    mode=NONE,
    begins_alone=True,
)
async def claimed_and_declined(scene: Scene, mode: str) -> str:
    """A stranger is not asked for it before the rider's answer; after a no it is gone."""
    async with scene.attacker(mode, tells=True) as other:
        asked = Asked(other)
        await scene.told("pairing", state="ask")
        claim(other)
        await scene.never("instruction", NOTICE)
        asked.judge()
        scene.press("b")
        await scene.told("link", state="disconnected")
        asked.judge()
    return "asked the rider, and not the stranger"


@CASES.add(
    "claims-on-an-open-link",
    0,
    "a phone that refuses to pair, to which the rider agrees, with a clock, music and calls",
    "the way is shown, nothing else is asked for or shown",
    begins_alone=True,
)
async def claimed_on_an_open_link(scene: Scene) -> str:
    """The rider agrees to a phone that refuses to pair: the way is shown, the rest is not asked for."""
    async with scene.attacker(NONE, tells=True) as other:
        asked = Asked(other)
        await scene.told("pairing", state="ask")
        scene.allowed.add(STRANGERS_STREET)
        scene.press("a")
        await scene.told("instruction")
        await scene.never("pairing", NOTICE)
        scene.guard()
        claim(other)
        told = scene.count("instruction")
        other.navigation.say(other.navigation.value[:4] + bytes([8, 0, 4, 0, 0]) + STRANGERS_STREET.encode())
        await scene.told("instruction", told)
        await scene.never("pairing", NOTICE)
        asked.judge()
        scene.is_guarded = False
    return "showed the way, and asked for nothing else"


@CASES.add(
    "claims-by-an-impostor",
    0,
    "a recorded address, without the key, with a clock, music and calls",
    "asked for nothing before the link is encrypted; " + PHONE_BACK,
    kind=IOS,
)
async def claimed_by_an_impostor(scene: Scene) -> str:
    """Somebody with an address of the rider's phone, who does not answer when the link is to be encrypted."""
    scene.phone.vanish()
    async with scene.attacker(address=scene.recorded_address(), answer_key=silent, tells=True) as other:
        asked = Asked(other)
        await scene.until(lambda: bool(other.device.connections), "a link")
        claim(other)
        await scene.never("instruction", NOTICE)
        asked.judge()
    scene.phone.come_back()
    return await scene.back()


# The rider's own phone


async def listened_to(scene: Scene) -> notifications.Notifications:
    """What the rider's phone notifies of, once the firmware hears it."""
    await _said(scene, "nobody subscribed to notifications", listening=True)
    return scene.phone.notifications


async def _said(scene: Scene, what: str, within: float = PATIENCE, **fields: object) -> float:
    return await scene.until(lambda: scene.count_said("notification", RIDERS_PHONE, **fields) > 0, what, within)


async def _is_covered(scene: Scene, within: float) -> bool:
    """Whether something takes the place of the turn."""
    with contextlib.suppress(NotHeld):
        await scene.until(lambda: not scene.shows_turn(), "something else than the turn", within)
        return True
    return False


async def see_call(scene: Scene, uid: int, within: float) -> float:
    """The seconds until the call is on the panel; then the rider takes it, and the turn is back."""
    seconds = await scene.until(lambda: not scene.shows_turn(), "the call on the panel", within)
    scene.press("a")
    await _said(scene, "the call to be taken", action=ACCEPT, uid=uid)
    await scene.until(scene.shows_turn, "the turn after the call")
    return seconds


async def call(scene: Scene, within: float = SHOWN) -> float:
    scene.is_guarded = False
    return await see_call(scene, scene.phone.notifications.call(CALLER), within)


async def beside_the_ride(scene: Scene, did: str, errors: int = 0) -> str:
    """The link was never lost, the phone is heard, and no more errors were told than that."""
    await scene.fresh()
    if scene.count("link", state="disconnected"):
        raise NotHeld("the link was lost")
    if scene.count("error") != errors:
        raise NotHeld(f"{scene.count('error')} errors were told")
    return did


@CASES.add(
    "many-notifications",
    0,
    f"{MANY} notifications in a row, and a call behind them",
    "the way is heard, the call shown; " + RIDE_GOES_ON,
    kind=IOS,
)
async def notified_of_many(scene: Scene) -> str:
    told = await listened_to(scene)
    scene.is_guarded = False
    for number in range(MANY):
        told.add_invented()
        if number % AT_A_TIME == 0:
            await asyncio.sleep(0)
    seconds = await scene.fresh()
    await scene.until(scene.shows_turn, "the turn after what was notified")
    called = await call(scene, UNANSWERED)
    return await beside_the_ride(scene, f"the way was heard after {seconds:.1f} s, a call shown after {called:.1f} s")


@CASES.add(
    "permission-taken-away",
    0,
    "the rider forbids the notifications in mid-ride, and allows them again",
    "reported once; the call that rings is shown then; " + RIDE_GOES_ON,
    kind=IOS,
)
async def lost_permission(scene: Scene) -> str:
    """The rider takes the permission away in mid-ride, and gives it back."""
    told = await listened_to(scene)
    await call(scene)
    scene.guard()
    told.habits.refusal = FORBIDDEN
    uid = told.call(CALLER)
    await scene.told("error", source="phone")
    await scene.fresh()
    scene.is_guarded = False
    told.allow()
    seconds = await see_call(scene, uid, RETRIED)
    return await beside_the_ride(scene, f"told once, and the call shown {seconds:.0f} s after it was allowed", errors=1)


async def answered_badly(scene: Scene, spoil: Spoil) -> str:
    """One answer is of no use: nothing is shown of it, and the next call is."""
    told = await listened_to(scene)
    bad = told.add(NEWS)
    told.encode = lambda uid, wanted: spoil(told.answer(uid, wanted)) if uid == bad else told.answer(uid, wanted)
    await _said(scene, "the question", asked=[TITLE, MESSAGE], uid=bad)
    await scene.fresh()
    seconds = await call(scene, UNANSWERED)
    return await beside_the_ride(scene, f"nothing shown of it, the next call after {seconds:.1f} s")


for _name, (_what, _spoil) in BAD_ANSWERS.items():
    CASES.add(
        f"answer-{_name}",
        0,
        f"an answer that {_what}",
        "nothing is shown of it, the next call is; " + RIDE_GOES_ON,
        kind=IOS,
        spoil=_spoil,
    )(answered_badly)


async def answered_strangely(scene: Scene, spoil: Spoil) -> str:
    """The rider sees the same as of a usual answer."""
    told = await listened_to(scene)
    pictures = []
    for encode in (told.answer, lambda uid, wanted: spoil(told.answer(uid, wanted))):
        told.encode = encode
        scene.is_guarded = False
        uid = told.call(CALLER)
        await scene.until(lambda: not scene.shows_turn(), "the call on the panel", SHOWN)
        pictures.append(scene.picture())
        await see_call(scene, uid, SHOWN)
    if pictures[0] != pictures[1]:
        raise NotHeld("the call looked different")
    return await beside_the_ride(scene, "the call looked as always")


for _name, (_what, _spoil) in STRANGE_ANSWERS.items():
    CASES.add(
        f"answer-{_name}",
        0,
        f"an answer that {_what}",
        "the call looks as always; " + RIDE_GOES_ON,
        kind=IOS,
        spoil=_spoil,
    )(answered_strangely)


@CASES.add(
    "other-apps",
    0,
    "notifications of apps that are nearly in the list, and of one with 600 letters",
    "that of the app in the list is shown alone; a call is, too; " + RIDE_GOES_ON,
    kind=IOS,
    apps=APP_IN_THE_LIST,
)
async def named_other_apps(scene: Scene) -> str:
    """Apps that are nearly in the list, or no names at all, show nothing; the app in the list does."""
    told = await listened_to(scene)

    async def notify(app: str) -> None:
        uid = told.add(Notification(MAIL, {APP: app, **NEWS.texts}))
        await _said(scene, "the question", asked=[APP, TITLE, MESSAGE], uid=uid)

    for app in OTHER_APPS:
        await notify(app)
        if await _is_covered(scene, NOT_SHOWN):
            raise NotHeld(f"a notification of the app '{app[:20]}' was shown")
    scene.is_guarded = False
    await notify(APP_IN_THE_LIST)
    if not await _is_covered(scene, SHOWN):
        raise NotHeld("the notification of the app in the list was not shown")
    await scene.until(scene.shows_turn, "the turn after it", UNANSWERED)
    seconds = await call(scene, UNANSWERED)
    return await beside_the_ride(scene, f"the app in the list alone was shown, and a call after {seconds:.1f} s")


@CASES.add(
    "notifications-gone",
    0,
    f"{GONE} notifications that are gone when they are asked for",
    "nothing is shown of them, a call is; " + RIDE_GOES_ON,
    kind=IOS,
)
async def asked_for_what_is_gone(scene: Scene) -> str:
    told = await listened_to(scene)
    for _ in range(GONE):
        uid = told.add(NEWS)
        told.lose(uid)
        await _said(scene, "the question", gone=uid)
    await scene.fresh()
    seconds = await call(scene)
    return await beside_the_ride(scene, f"nothing shown of them, a call after {seconds:.1f} s")


@CASES.add(
    "service-changed-in-mid-request",
    0,
    "Service Changed in front of the response to what is asked of a notification, three times",
    "subscribed to again each time, a call is shown; " + RIDE_GOES_ON,
    kind=IOS,
)
async def changed_in_mid_request(scene: Scene) -> str:
    """Service Changed comes in front of the response to each of some questions."""
    told, server = await listened_to(scene), scene.phone.device.gatt_server
    usual = server.on_gatt_pdu

    def change(connection: Connection, pdu: att.ATT_PDU) -> None:
        if isinstance(pdu, att.ATT_Write_Request) and pdu.attribute_handle == told.control.handle:
            server.shout_service_changed(connection)
        usual(connection, pdu)

    server.on_gatt_pdu = change
    for _ in range(MID_REQUEST):
        listening = scene.count_said("notification", RIDERS_PHONE, listening=True)
        told.add(NEWS)
        await scene.until(
            lambda count=listening: scene.count_said("notification", RIDERS_PHONE, listening=True) > count,
            "nobody subscribed again",
        )
    server.on_gatt_pdu = usual
    seconds = await call(scene)
    return await beside_the_ride(scene, f"subscribed again each time, a call shown after {seconds:.1f} s")

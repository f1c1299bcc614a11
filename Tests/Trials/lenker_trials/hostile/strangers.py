"""Strangers, and who plays back what the rider's phone once sent. Each play returns what the program did."""

import asyncio
import contextlib
import random

from bumble import smp

from lenker_bench.phone.pairing import COMPARE, JUST_WORKS, NONE, Identity
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.strangers import STRANGERS_STREET
from lenker_bench.wire.true_air import TRUE

from . import NotHeld, attacks
from .attackers import FixedAddress
from .attacks import KEY_ANSWERS
from .case import Cases
from .pairing import giving_irk
from .scene import BACK, PHONE_BACK, QUIET, RECORDERS_INTERVAL, REQUIRED, KeyAnswer, Scene

SEVERAL = 8
BACK_BESIDE = {1: 2.0, SEVERAL: 5.0}  # seconds, by the number of addresses

NOTHING_BEFORE = "asked once; nothing is shown or stored before the answer, nor after a no"
REFUSED = "refused without a question, left alone, not stored"
BESIDE = "the rider's phone is back within 5 s beside them"

CASES = Cases()


@CASES.add(
    "no-code",
    41,
    "a stranger that can show no code, talks before the answer, and sends 200 Security Requests",
    NOTHING_BEFORE,
    mode=JUST_WORKS,
    begins_alone=True,
)
@CASES.add("no-pairing", 41, "the same by one that refuses to pair", NOTHING_BEFORE, mode=NONE, begins_alone=True)
async def asked_once_and_declined(scene: Scene, mode: str) -> str:
    """What a stranger says before the answer is not shown, and after a no neither."""
    async with scene.attacker(mode) as other:
        await scene.told("pairing", state="ask")
        for number in range(20):
            other.navigation.say(other.navigation.value[:4] + bytes([8, number, 0, 0, 0]) + STRANGERS_STREET.encode())
            await asyncio.sleep(0.05)
        _storm(other, attacks.SECURITY_REQUEST)
        await scene.never("pairing", QUIET, state="ask")
        scene.press("b")
        await scene.told("link", state="disconnected")
        await scene.never("link", QUIET)
    _assert_nobody_is_remembered(scene)
    return "asked once; nothing was shown or stored"


def _storm(other: Phone, pdu: bytes) -> None:
    for connection in other.device.connections.values():
        for _ in range(attacks.STORM):
            connection.send_l2cap_pdu(smp.SMP_CID, pdu)


def _assert_nobody_is_remembered(scene: Scene) -> None:
    if scene.count("bond"):
        raise NotHeld("a bond was made")


@CASES.add(
    "no-code-required",
    41,
    "a stranger that can show no code, where pairing is required",
    REFUSED,
    mode=JUST_WORKS,
    begins_alone=True,
    policy=REQUIRED,
)
@CASES.add(
    "no-pairing-required",
    41,
    "one that refuses to pair, where that is required",
    REFUSED,
    mode=NONE,
    begins_alone=True,
    policy=REQUIRED,
)
async def refused(scene: Scene, mode: str) -> str:
    async with scene.attacker(mode, FixedAddress.address):
        await scene.told("pairing", state="failed")
        await scene.told("link", state="disconnected")
        await scene.never("link", QUIET)
        if scene.count("pairing", state="ask"):
            raise NotHeld("the rider was asked")
    _assert_nobody_is_remembered(scene)
    return "refused, and left alone"


@CASES.add(
    "values-before-the-answer",
    41,
    "a Just Works link that tells turns before the rider agrees",
    "nothing is shown or stored before the answer, all after a yes",
    begins_alone=True,
)
async def agreed_to_late(scene: Scene) -> str:
    async with scene.attacker(JUST_WORKS) as other:
        await scene.told("pairing", state="ask")
        other.navigation.say(other.navigation.value)
        await asyncio.sleep(QUIET)
        _assert_nobody_is_remembered(scene)
        scene.judge()
        scene.allowed.add(STRANGERS_STREET)
        scene.press("a")
        await scene.told("instruction", street=STRANGERS_STREET)
    return "nothing was shown before the answer, all after it"


@CASES.add(
    "impostor-after-a-press",
    42,
    "recorded addresses without the key; the fourth pairs by Just Works when the rider presses A",
    "the key is asked for first; it does not take the phone's place",
)
async def pressed_beside_an_impostor(scene: Scene) -> str:
    """The rider is told of the third rejection, and asks for a phone on its page; the impostor cannot compare."""
    scene.phone.vanish()
    for number in range(3):
        async with scene.attacker(address=scene.recorded_address()):
            await scene.told("bond", more_than=number, state="rejected")
    async with scene.attacker(JUST_WORKS, scene.recorded_address()):
        scene.press("a")  # the page behind the turn
        scene.press("a")
        await scene.told("bond", more_than=3, state="rejected")
        await scene.told("pairing", state="failed")
        await asyncio.sleep(QUIET)
        if scene.count("pairing", state="done") > 1 or scene.count("bond", state="saved") > 1:
            raise NotHeld("the impostor took the phone's place")
    scene.phone.come_back()
    return f"the key was asked for first; {await scene.back()}"


@CASES.add(
    "no-ends-the-search",
    47,
    "strangers with four other addresses after a no",
    "no phone is connected to until A is pressed",
    begins_alone=True,
)
async def no_ends_the_search(scene: Scene) -> str:
    async with scene.attacker(COMPARE):
        await scene.told("pairing", state="confirm")
        scene.press("b")
        await scene.told("link", state="disconnected")
    for _ in range(4):
        async with scene.attacker(COMPARE):
            await scene.never("link", 1.0)
    async with scene.attacker(COMPARE):
        scene.press("a")
        await scene.told("pairing", more_than=1, state="confirm")
    return "four other addresses were left alone until page was pressed"


@CASES.add(
    "interrupted-pairings",
    52,
    "a stranger that goes each time that the digits show",
    "each is an attempt: the next has to wait for 1, 2, 4, 8 s…",
    begins_alone=True,
)
async def interrupted_again_and_again(scene: Scene) -> str:
    async with scene.attacker(COMPARE, FixedAddress.address) as other:
        # It rests for 5 s each time, so that 1, 2 and 4 s are over then; 8 s are not.
        for number in range(4):
            await scene.told("pairing", more_than=number, state="confirm")
            if scene.count("pairing", state="delayed"):
                raise NotHeld("it had to wait too soon")
            other.drop()
        await scene.told("pairing", state="delayed")
        await scene.never("pairing", 1.0, state="confirm")
    _assert_nobody_is_remembered(scene)
    return "four attempts, and the fifth had to wait"


@CASES.add(
    "unread-store",
    46,
    "a stranger while the store cannot be read",
    "no phone is searched for, and the log says why",
    begins_alone=True,
    store=".",
)
async def unread_store(scene: Scene) -> str:
    async with scene.attacker(COMPARE):
        await scene.told("error", source="store")
        await scene.never("link", QUIET)
        if scene.count("scan", mode="fast"):
            raise NotHeld("somebody was searched for")
    return "the store was told of, and nobody searched for"


@CASES.add(
    "scan-requests",
    49,
    "a device that waits for scan requests",
    "it only listens while it waits for the remembered phone",
)
async def listened_for(scene: Scene) -> str:
    """Whoever hears a scan request knows who is near."""
    scene.phone.vanish()
    async with scene.attacker():
        await scene.until(lambda: scene.chip.le_scan_enable, "no search")
        await asyncio.sleep(QUIET)
        if scene.chip.le_scan_type != 0:
            raise NotHeld("it asks who it hears")
    scene.phone.come_back()
    return f"it only listened; {await scene.back()}"


@CASES.add(
    "foreign-identity",
    50,
    "a phone of a fixed address that gives the identity key of a neighbour for its own",
    "the neighbour is not taken for it",
    begins_alone=True,
)
async def foreign_identity(scene: Scene) -> str:
    """The phone that is paired with from a fixed address says that it is somebody else, who is near."""
    identity = Identity.drawn(random.Random(str(scene.random.random())))
    async with scene.attacker(COMPARE, scene.phone.identity.static_address) as friend:
        friend.security.session_proxy = giving_irk(identity.irk)
        await scene.told("pairing", state="confirm")
        scene.allowed.add(STRANGERS_STREET)
        scene.press("a")
        await scene.told("bond", state="saved")
    async with scene.attacker(address=identity.private_address(scene.random)):
        await scene.never("phone", QUIET, match="bond")
    return "nobody else is taken for the phone"


@CASES.add(
    "forget-in-a-damaged-store",
    53,
    "a record that is damaged before the phone is forgotten",
    "no key is left on the disk",
)
async def forgotten(scene: Scene) -> str:
    """A record is damaged, so that nobody reads what is in it, and the phone forgotten."""
    bonds = await scene.habits.bonds.get_all()
    secrets = [scene.phone.identity.irk, *(keys.ltk.value for _, keys in bonds)]
    with scene.store.open("r+b") as store:
        store.write(b"?")
    scene.press("B")
    await scene.told("bond", state="erased")
    content = scene.store.read_bytes()
    if any(key in content or key[::-1] in content for key in secrets):
        raise NotHeld("a key is still on the disk")
    return "no key was left on the disk"


@CASES.add(
    "pages-are-turned",
    67,
    "recorded addresses, by a stranger that would pair, while the rider turns the pages",
    "nobody is asked about; the rider's phone is back within 5 s of the end",
)
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


@CASES.add(
    "replayed-address",
    43,
    "a recorded address each 20 ms, the phone itself each 152 ms",
    "the rider's phone is back within 2 s beside it",
    air=TRUE,
)
@CASES.add(
    "replayed-and-mute",
    70,
    "a recorded address each 20 ms, by a device that hears nothing; the phone itself each 152 ms",
    "the rider's phone is back within 2 s beside it",
    air=TRUE,
    is_mute=True,
)
@CASES.add(
    "replayed-by-turns",
    70,
    f"{SEVERAL} recorded addresses without the key, each 20 ms one of them; the phone itself each 152 ms",
    BESIDE,
    air=TRUE,
    addresses=SEVERAL,
)
@CASES.add(
    "replayed-by-turns-and-mute",
    70,
    f"{SEVERAL} recorded addresses, by a device that hears nothing; the phone itself each 152 ms",
    BESIDE,
    air=TRUE,
    addresses=SEVERAL,
    is_mute=True,
)
async def replayed_by_turns(scene: Scene, addresses: int = 1, is_mute: bool = False) -> str:
    """Each 20 ms one of the addresses is sent."""
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(addresses):
            attacker = scene.attacker(address=scene.recorded_address(), interval=addresses * RECORDERS_INTERVAL)
            other = await stack.enter_async_context(attacker)
            if is_mute:
                scene.mute(other)
        scene.phone.drop()
        seconds = await scene.fresh(BACK_BESIDE[addresses])
    return f"the rider's phone was back after {seconds:.1f} s beside it"


async def key_refused(scene: Scene, answer: KeyAnswer) -> str:
    """The phone is away. The mark of a phone in doubt comes with the third failure, and no other."""
    scene.phone.vanish()
    await scene.told("stale")
    await asyncio.sleep(0.5)
    corners = [scene.corner()]
    for number in range(4):
        async with scene.attacker(address=scene.recorded_address(), answer_key=answer):
            await scene.told("bond", more_than=number, within=2 * BACK, state="rejected")
            await asyncio.sleep(0.3)
            corners.append(scene.corner())
    if not corners[0] == corners[1] == corners[2] != corners[3] == corners[4]:
        raise NotHeld("the mark did not come with the third failure")
    scene.phone.come_back()
    return f"told with the third, the turn stayed; {await scene.back()}"


for _name, _answer in KEY_ANSWERS.items():
    CASES.add(
        f"key-answer-{_name}",
        44,
        f"four recorded addresses, one after the other; encryption ends in {_name}",
        "each is logged; the rider sees it once, with the third, by a mark; the turn stays; " + PHONE_BACK,
        answer=_answer,
    )(key_refused)

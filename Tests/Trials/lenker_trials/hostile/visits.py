"""What visitors without a key do, and what the program must do then. Each returns what it did, or raises `NotHeld`."""

import contextlib
from collections.abc import AsyncIterator

from bumble import smp

from lenker_bench.phone.gadgetbridge_lines import line
from lenker_bench.phone.knocking import Knocker

from ..sessions.bench import FIRMWARE_ADDRESS
from . import NotHeld
from .attackers import ATT, SMP, Visitor, visiting
from .case import Cases
from .scene import PHONE_BACK, Scene

SENT_AWAY = 0x13  # Remote User Terminated Connection
RX, CONFIGURATION = 0x0C, 0x0F
INSECURE = (b"\x05", b"\x0f")

NAVIGATION = line("nav", {"instr": "Stranger's Street", "distance": "120m", "action": "left"})
MTU_REQUEST = bytes([0x02, 0x05, 0x02])
WRITE = bytes([0x12, RX, 0])
PAIRING_REQUEST = bytes([smp.CommandCode.PAIRING_REQUEST, 0x03, 0, 0x0D, 16, 2, 2])
NOT_SUPPORTED = bytes([5, 5])

DIGITS = 12.0  # seconds from the phone's own first try to its digits

CASES = Cases(advertises=True)


@contextlib.asynccontextmanager
async def _while_away(scene: Scene, rejections: int = 0) -> AsyncIterator[Visitor]:
    """Somebody may come while the rider's phone is away; so often the bond is found to be rejected."""
    scene.phone.vanish()
    bonds, rejected = scene.count("bond"), scene.count("bond", state="rejected")
    async with visiting(scene.air, scene.random) as visitor:
        yield visitor
    scene.judge()
    _expect(scene.count("bond", state="rejected") - rejected, rejections, "the number of rejections")
    _expect(scene.count("bond") - bonds, rejections, "the number of changes of the bond")
    scene.phone.come_back()


def _expect(was: object, wanted: object, what: str) -> None:
    if was != wanted:
        raise NotHeld(f"{what} was {was}, not {wanted}")


@CASES.add(
    "visit-by-a-stranger",
    "P12",
    "a stranger connects, and says at once what a phone says",
    f"sent away with 0x13 and without an answer; {PHONE_BACK}",
)
async def stranger(scene: Scene) -> str:
    """It says everything at once that a phone says, before it is sent away."""
    async with _while_away(scene) as visitor:
        await visitor.come()
        for channel, pdu in ((ATT, MTU_REQUEST), (ATT, WRITE + NAVIGATION[:20]), (SMP, PAIRING_REQUEST)):
            visitor.say(channel, pdu)
        _expect(await visitor.sent_away(), SENT_AWAY, "the end")
        _expect(visitor.heard, [], "what it heard")
    return f"sent away unheard; {await scene.back()}"


@CASES.add(
    "visits-without-a-pairing",
    130,
    "two strangers who come in turn and pair with nobody, before the rider's phone is paired with",
    "its digits are there within 12 s",
    begins_alone=True,
)
async def silent_strangers(scene: Scene) -> str:
    knockers = [Knocker(scene.air, FIRMWARE_ADDRESS, scene.random, scene.report) for _ in range(2)]
    for knocker in knockers:
        await knocker.start()
    try:
        await scene.until(lambda: sum(knocker.links for knocker in knockers) > 2, "one that comes again")
        scene.phone.come_back()
        seconds = await scene.told("pairing", state="confirm", within=DIGITS)
    finally:
        for knocker in knockers:
            await knocker.stop()
    scene.press("a")
    await scene.told("bond", state="saved")
    await scene.fresh()
    return f"the digits of the rider's phone were there after {seconds:.1f} s beside them"


@CASES.add(
    "visit-that-pairs",
    "P46",
    "a recorded address, and a request to pair that nobody pressed for",
    f"pairing is not supported then; the bond is kept; {PHONE_BACK}",
)
async def pairs_unasked(scene: Scene) -> str:
    """As the rider's phone would if it had lost the key, which is told after the third time."""
    async with _while_away(scene, rejections=1) as visitor:
        await visitor.come(scene.recorded_address())
        _expect(await visitor.ask(SMP, PAIRING_REQUEST), NOT_SUPPORTED, "the answer")
    return f"not supported; {await scene.back()}"


@CASES.add(
    "visit-that-writes",
    "P31",
    "a recorded address, which writes a turn and subscribes on a link that is not encrypted",
    f"refused each time, and nothing is shown; {PHONE_BACK}",
)
async def writes_before_encryption(scene: Scene) -> str:
    """The values of the service, by each kind of request; and what needs no answer gets none."""
    async with _while_away(scene) as visitor:
        await visitor.come(scene.recorded_address())
        for start in range(0, len(NAVIGATION), 20):
            answer = await visitor.ask(ATT, WRITE + NAVIGATION[start : start + 20])
            _expect((answer[:4], answer[4:] in INSECURE), (bytes([1, 0x12, RX, 0]), True), "the answer")
        answer = await visitor.ask(ATT, bytes([0x12, CONFIGURATION, 0, 1, 0]))
        _expect((answer[:4], answer[4:] in INSECURE), (bytes([1, 0x12, CONFIGURATION, 0]), True), "the answer")
        visitor.say(ATT, bytes([0x52, RX, 0]) + NAVIGATION[:20])
        _expect(await visitor.ask(ATT, bytes([0x16, RX, 0, 0, 0, 0x41])), bytes([1, 0x16, RX, 0, 6]), "the answer")
    return f"refused each time; {await scene.back()}"

"""What visitors without a key do, and what the rider's phone may write, and what the program must do then.

Each returns what it did, or raises `NotHeld`.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator

from bumble import att, core, smp

from lenker_bench.phone.gadgetbridge_lines import as_line, line
from lenker_bench.phone.kinds import IPHONE_COMES
from lenker_bench.phone.knocking import Knocker

from ..sessions.bench import FIRMWARE_ADDRESS, memory_of
from . import NotHeld
from .attackers import ATT, SMP, Visitor, visiting
from .case import Cases
from .scene import PHONE_BACK, QUIET, Scene

STRANGERS, BETWEEN_STRANGERS = 10, 0.5
BACK_BESIDE = 2.0  # seconds from the phone's own first try
UNENCRYPTED = (9.0, 12.0)  # seconds that a link without encryption may last
SENT_AWAY = 0x13  # Remote User Terminated Connection
RX, CONFIGURATION = 0x0C, 0x0F
INSECURE = (b"\x05", b"\x0f")
MEGABYTE = 1 << 20
LONGEST_LINE = 1024
LINES, SECONDS = 2000, 12.0
AT_A_TIME = 20
MORE_MEMORY = 64  # KB
A_CLOCK = 1_789_000_000
OLDER = 11.0  # seconds until the lines of before are not counted any more

NAVIGATION = line("nav", {"instr": "Stranger's Street", "distance": "120m", "action": "left"})
MTU_REQUEST = bytes([0x02, 0x05, 0x02])
WRITE = bytes([0x12, RX, 0])
PAIRING_REQUEST = bytes([smp.CommandCode.PAIRING_REQUEST, 0x03, 0, 0x0D, 16, 2, 2])
WITHOUT_SECURE_CONNECTIONS = bytes([smp.CommandCode.PAIRING_REQUEST, 0x03, 0, 0x01, 16, 2, 2])
NOT_SUPPORTED, AUTHENTICATION_REQUIREMENTS = bytes([5, 5]), bytes([5, 3])

DIGITS = 12.0  # seconds from the phone's own first try to its digits
SECONDARY_SERVICES = bytes([0x10, 1, 0, 0xFF, 0xFF, 0x01, 0x28])

SAME_LINK = "the next line is heard; no memory is taken; the ride goes on, on the same link"

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


# Visitors


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
    "visits-by-strangers",
    "P13",
    "ten strangers in 10 s, who come again and again; then the phone comes, too",
    "the rider's phone is back within 2 s beside them",
    kind=IPHONE_COMES,
)
async def strangers(scene: Scene) -> str:
    """They still come when the rider's phone does."""
    scene.phone.vanish()
    knocker = Knocker(scene.air, FIRMWARE_ADDRESS, scene.random, scene.report, rest=BETWEEN_STRANGERS)
    await knocker.start()
    try:
        await scene.until(lambda: scene.count_said("knock", reason=SENT_AWAY) >= STRANGERS, "ten strangers")
        scene.phone.come_back()
        seconds = await scene.fresh(BACK_BESIDE)
    finally:
        await knocker.stop()
    return f"{STRANGERS} were sent away; the rider's phone was back after {seconds:.1f} s beside them"


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
        await scene.until(lambda: scene.count_said("knock", reason=SENT_AWAY) > 0, "a stranger")
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
    "visits-that-do-not-let-go",
    133,
    "visitors who do not acknowledge that they are sent away",
    f"while two of them last nobody else may come; {PHONE_BACK}",
)
async def held(scene: Scene) -> str:
    scene.phone.vanish()
    scene.chip.holds_links = True
    knockers = [Knocker(scene.air, FIRMWARE_ADDRESS, scene.random, scene.report) for _ in range(3)]
    for knocker in knockers:
        await knocker.start()
    try:
        await scene.until(lambda: sum(knocker.links for knocker in knockers) == 2, "two visitors")
        await asyncio.sleep(QUIET)
        _expect(sum(knocker.links for knocker in knockers), 2, "the number of visitors")
        scene.phone.come_back()
        did = await scene.back()
    finally:
        for knocker in knockers:
            await knocker.stop()
        scene.chip.holds_links = False
    _expect(scene.count("recovery"), 0, "the number of Resets")
    return f"two lasted, and nobody else could come; {did}"


@CASES.add("visit-asks-for-more", 135, "a recorded address asks for secondary services", f"none; {PHONE_BACK}")
async def asks_for_secondary_services(scene: Scene) -> str:
    async with _while_away(scene) as visitor:
        await visitor.come(scene.recorded_address())
        _expect(await visitor.ask(ATT, SECONDARY_SERVICES), bytes([1, 0x10, 1, 0, 0x0A]), "the answer")
    return f"there was none; {await scene.back()}"


@CASES.add(
    "visit-without-a-word",
    "P16",
    "a recorded address, by a visitor that never encrypts",
    f"asked once, sent away after 10 s, not told of; {PHONE_BACK}",
)
async def silent(scene: Scene) -> str:
    """A recorded address of the rider's phone, which is asked once to encrypt."""
    async with _while_away(scene) as visitor:
        await visitor.come(scene.recorded_address())
        start = asyncio.get_running_loop().time()
        _expect(await visitor.sent_away(), SENT_AWAY, "the end")
        took = asyncio.get_running_loop().time() - start
        _expect([pdu[:1] for _, pdu in visitor.heard], [b"\x0b"], "what it heard")
        if not UNENCRYPTED[0] <= took <= UNENCRYPTED[1]:
            raise NotHeld(f"it was there for {took:.1f} s")
    return f"asked once, and sent away after {took:.1f} s; {await scene.back()}"


@CASES.add(
    "visit-with-another-key",
    "P23",
    "a recorded address, and another key",
    f"the link ends, and the bond is kept; {PHONE_BACK}",
)
async def other_key(scene: Scene) -> str:
    async with _while_away(scene) as visitor:
        await visitor.come(scene.recorded_address())
        await visitor.encrypt(scene.random.randbytes(16))
        reason = await visitor.sent_away()
        _expect(visitor.said(ATT), [], "what it heard")
    return f"the link ended for {reason:#04x}; {await scene.back()}"


@CASES.add(
    "visit-with-a-legacy-key",
    "P17",
    "a recorded address, and the right key as if it were of a legacy pairing",
    f"the link ends, and the bond is kept; {PHONE_BACK}",
)
async def legacy_key(scene: Scene) -> str:
    """Even the right key is none with a diversifier: no pairing without Secure Connections can have been."""
    ((_, keys),) = await scene.habits.bonds.get_all()
    async with _while_away(scene) as visitor:
        await visitor.come(scene.recorded_address())
        await visitor.encrypt(keys.ltk.value, diversifier=0x1234)
        reason = await visitor.sent_away()
        _expect(visitor.said(ATT), [], "what it heard")
        if visitor.is_encrypted:
            raise NotHeld("the link was encrypted")
    return f"the link ended for {reason:#04x}; {await scene.back()}"


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
    "visit-that-pairs-weakly",
    "P45",
    "a request to pair without Secure Connections, while somebody may pair",
    "refused without a question; the rider's phone is paired with",
    begins_alone=True,
)
async def pairs_without_secure_connections(scene: Scene) -> str:
    """While nobody is remembered, so that anybody may pair."""
    async with visiting(scene.air, scene.random) as visitor:
        await visitor.come()
        answer = await visitor.ask(SMP, WITHOUT_SECURE_CONNECTIONS)
        _expect(answer, AUTHENTICATION_REQUIREMENTS, "the answer")
        if scene.count("pairing", state="ask") or scene.count("pairing", state="confirm"):
            raise NotHeld("the rider was asked")
    await scene.ride()
    return "refused without a question; the rider's phone was paired with"


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


@CASES.add(
    "visit-beside-the-ride",
    "P19",
    "a chip that advertises beside the ride: a stranger comes, then a recorded address",
    "both are sent away without an answer; nothing changes, not even the link",
)
async def beside_the_ride(scene: Scene) -> str:
    """The chip advertises though nobody told it to: a stranger comes, then somebody with a recorded address."""
    links = scene.count("link")
    for address in (None, scene.recorded_address()):
        async with visiting(scene.air, scene.random) as visitor:
            advertiser = scene.chip.le_legacy_advertiser
            advertiser.advertising_interval_min = 0x20
            advertiser.start()
            await visitor.come(address)
            _expect(await visitor.sent_away(), SENT_AWAY, "the end")
            _expect(visitor.heard, [], "what it heard")
    await scene.fresh()
    _expect(scene.count("link"), links, "changes of the link")
    return "both were sent away unheard; the ride went on, on the same link"


# What the rider's phone may write


async def _write(scene: Scene, content: bytes) -> None:
    (connection,) = scene.connections
    size = min(connection.att_mtu - 3, 512)
    try:
        for start in range(0, len(content), size):
            await connection.gatt_client.write_value(RX, content[start : start + size], with_response=True)
    except (att.ATT_Error, core.BaseBumbleError, TimeoutError) as error:
        raise NotHeld(f"a piece was not taken: {error}") from None


@contextlib.contextmanager
def _unmoved(scene: Scene) -> Iterator[None]:
    """Neither the link nor the memory is another one afterwards."""
    links, memory = scene.count("link"), memory_of(scene.firmware.process.pid)
    yield
    _expect(scene.count("link"), links, "changes of the link")
    more = memory_of(scene.firmware.process.pid) - memory
    if more > MORE_MEMORY:
        raise NotHeld(f"{more} KB more")


def _clock(length: int = 0) -> bytes:
    """A line that tells the time, which nobody else does here; with `length`, as many bytes without its ends."""
    script = f"setTime({A_CLOCK});E.setTimeZone(2.0);".ljust(length, "x")
    return as_line(script)


async def _heard_again(scene: Scene, content: bytes = b"") -> None:
    count = scene.count("clock")
    await _write(scene, content or b"\n" + _clock())
    await scene.told("clock", more_than=count)
    await scene.fresh()


async def _not_heard(scene: Scene, content: bytes) -> None:
    count = scene.count("clock")
    await _write(scene, content)
    await scene.fresh()
    _expect(scene.count("clock"), count, "the number of clocks")


@CASES.add("lines-of-garbage", "P43", "a megabyte of garbage by the rider's phone", SAME_LINK)
async def garbage(scene: Scene) -> str:
    """Half of it random bytes, half of it what begins like a line, and never ends."""
    with _unmoved(scene):
        await _write(scene, scene.random.randbytes(MEGABYTE // 2))
        await _write(scene, b"\x10GB({" * (MEGABYTE // 10))
        await asyncio.sleep(OLDER)
        await _heard_again(scene)
    return "the next line was heard; the ride went on, on the same link"


@CASES.add(
    "line-too-long",
    "P43",
    "a line of 1,025 bytes by the rider's phone",
    f"dropped to its end; one of 1,024 is heard; {SAME_LINK}",
)
async def long_line(scene: Scene) -> str:
    with _unmoved(scene):
        await _not_heard(scene, _clock(LONGEST_LINE + 1))
        await _heard_again(scene)
        await _heard_again(scene, _clock(LONGEST_LINE))
    return "dropped to its end; the next line was heard, and one of 1,024 bytes"


@CASES.add(
    "lines-without-end",
    "P39",
    f"{LINES} lines with another turn in {SECONDS:g} s: ten thousand a minute",
    f"komoot's turn is shown, and no line heard behind the first 200; later {SAME_LINK}",
)
async def many_lines(scene: Scene) -> str:
    """Each says another turn, which komoot's is in front of."""
    loop = asyncio.get_running_loop()
    with _unmoved(scene):
        start = loop.time()
        for number in range(0, LINES, AT_A_TIME):
            await _write(scene, NAVIGATION * AT_A_TIME)
            await asyncio.sleep(start + (number + AT_A_TIME) * SECONDS / LINES - loop.time())
        took = loop.time() - start
        await _not_heard(scene, _clock())
        await asyncio.sleep(OLDER)
        await _heard_again(scene)
    return f"{LINES} lines in {took:.0f} s; the way was heard, and later the next line; on the same link"

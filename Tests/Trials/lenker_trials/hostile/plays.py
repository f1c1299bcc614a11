"""What the rider and others do in each hostile session, and what the program must do then.

Each returns what it did, or raises `NotHeld`.
"""

import asyncio
import random

from bumble import smp

from lenker_bench.phone.pairing import COMPARE, JUST_WORKS, Identity
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.strangers import STRANGERS_STREET

from . import attacks
from .attacks import Attack
from .pairing import giving_irk
from .phones import FixedAddress
from .scene import BACK, KeyAnswer, NotHeld, Scene

LONG = 40.0  # seconds; the firmware searches fast for 30 s and then slowly, so that they show what five minutes do
QUIET = 3.0  # seconds in which nothing more may happen
REPLAYED_BACK = 2.0
ATTEMPTS_BACK = 3.5  # three attempts that failed, half a second each, and the fourth
RESET = 0x0C03
TWO_RESETS = 3  # with that of the start
WAITING = 8.0
DEAD = 8.0  # seconds; 5 s of nothing but vendor events, and a rest before Reset


# Strangers


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


async def refused(scene: Scene, mode: str) -> str:
    async with scene.attacker(mode, FixedAddress.address):
        await scene.told("pairing", state="failed")
        await scene.told("link", state="disconnected")
        await scene.never("link", QUIET)
        if scene.count("pairing", state="ask"):
            raise NotHeld("the rider was asked")
    _assert_nobody_is_remembered(scene)
    return "refused, and left alone"


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


async def pressed_beside_an_impostor(scene: Scene) -> str:
    """The rider is told of the third rejection and presses page; the impostor pairs, but cannot compare."""
    scene.phone.vanish()
    for number in range(3):
        async with scene.attacker(address=scene.recorded_address()):
            await scene.told("bond", more_than=number, state="rejected")
    async with scene.attacker(JUST_WORKS, scene.recorded_address()):
        scene.press("a")
        await scene.told("bond", more_than=3, state="rejected")
        await scene.told("pairing", state="failed")
        await asyncio.sleep(QUIET)
        if scene.count("pairing", state="done") > 1 or scene.count("bond", state="saved") > 1:
            raise NotHeld("the impostor took the phone's place")
    scene.phone.come_back()
    return f"the key was asked for first; {await scene.back()}"


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


async def unread_store(scene: Scene) -> str:
    async with scene.attacker(COMPARE):
        await scene.told("error", source="store")
        await scene.never("link", QUIET)
        if scene.count("scan", mode="fast"):
            raise NotHeld("somebody was searched for")
    return "the store was told of, and nobody searched for"


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


# The key of the remembered phone


async def replayed_while_the_phone_is_near(scene: Scene) -> str:
    async with scene.attacker(address=scene.recorded_address()):
        scene.phone.drop()
        seconds = await scene.fresh(REPLAYED_BACK)
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


# The rider's phone


async def renamed(scene: Scene) -> str:
    count = scene.count("bond", state="saved")
    await attacks.rename(scene)
    written = scene.count("bond", state="saved") - count
    if written > 1:
        raise NotHeld(f"six names were written {written} times")
    return f"six names were written {written} times"


async def attempts_failed(scene: Scene) -> str:
    scene.chip.refused_attempts = 3
    scene.phone.drop()
    return await scene.back(ATTEMPTS_BACK)


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


async def moved_in_silence(scene: Scene) -> str:
    scene.phone.vanish()
    await scene.told("link", state="disconnected")
    server = scene.phone.device.gatt_server
    server.remove_navigation()
    server.add_navigation()
    scene.phone.come_back()
    return await scene.back()


async def cut(scene: Scene, size: int) -> str:
    scene.phone.device.gatt_server.longest_part = size
    await scene.fresh()
    await asyncio.sleep(QUIET)
    return f"streets were whole though given in parts of {size} bytes"


async def away(scene: Scene) -> str:
    scene.phone.vanish()
    await asyncio.sleep(LONG)
    scene.phone.come_back()
    return await scene.back(1.0)


# The controller


async def unanswered(scene: Scene) -> str:
    """The command is sent at the start, with the ride, or when that is relaxed after 10 s."""
    (opcode,) = scene.chip.withheld
    await scene.until(lambda: scene.chip.commands[opcode] > 0, "the command was not sent")
    await scene.until(lambda: scene.chip.commands[opcode] > 1, "it had no second chance")
    await scene.until(lambda: scene.chip.commands[RESET] >= TWO_RESETS, "there was no second Reset")
    await asyncio.sleep(2 * BACK)
    sent, resets = scene.chip.commands[opcode], scene.chip.commands[RESET]
    if (sent, resets) != (2, TWO_RESETS):
        raise NotHeld(f"it was sent {sent} times, with {resets - 1} Resets")
    await scene.fresh()
    return "sent twice; the ride went on after two Resets"


async def climbed(scene: Scene) -> str:
    """No command is answered, Reset neither."""
    scene.chip.withheld |= attacks.ALL_COMMANDS
    scene.phone.drop()
    await asyncio.sleep(WAITING)
    scene.chip.withheld -= attacks.ALL_COMMANDS
    did = await scene.back()
    _assert_steps(scene, ["reset", "reopen"])
    return f"Reset, then opened again; {did}"


async def opened_again_and_again(scene: Scene) -> str:
    for _ in range(3):
        scene.chip.hci_sink.close()
        await scene.fresh()
    _assert_steps(scene, ["reopen"] * 3)
    return "opened again each time"


async def died(scene: Scene) -> str:
    resets = scene.chip.commands[RESET]
    scene.chip.dies_with_data = True
    await scene.until(lambda: not scene.chip.dies_with_data, "no data to owe an answer to")
    seconds = await scene.until(lambda: scene.chip.commands[RESET] > resets, "it was not reset", DEAD)
    did = await scene.back()
    _assert_steps(scene, ["reset"])
    return f"reset after {seconds:.1f} s; {did}"


def _assert_steps(scene: Scene, steps: list[str]) -> None:
    """These came first, each told and counted; nobody else is blamed."""
    told = [(event["step"], event["count"]) for event in scene.log.named("recovery")]
    wanted = [(step, steps[: number + 1].count(step)) for number, step in enumerate(steps)]
    if told[: len(steps)] != wanted:
        raise NotHeld(f"the steps were {told}")
    if any("bluetoothd" in error["message"] for error in scene.log.named("error")):
        raise NotHeld("bluetoothd was blamed, which is not there")


async def hardware_failed(scene: Scene) -> str:
    await attacks.fail_hardware(scene)
    did = await scene.back()
    resets, told = scene.chip.commands[RESET] - 1, scene.count("error", source="hci")
    if (resets, told) != (1, 1):
        raise NotHeld(f"{resets} Resets, {told} errors told")
    return f"one Reset, reported once; {did}"


async def unharmed(scene: Scene, attack: Attack) -> str:
    """It changes nothing: not even the link."""
    count = len(scene.log.named("link")), scene.chip.commands[RESET]
    await attack(scene)
    did = await scene.back()
    if (len(scene.log.named("link")), scene.chip.commands[RESET]) != count:
        raise NotHeld("the link changed")
    return f"nothing changed; {did}"


async def survived(scene: Scene, attack: Attack) -> str:
    await attack(scene)
    return await scene.back()

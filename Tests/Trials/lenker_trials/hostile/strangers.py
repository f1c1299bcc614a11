"""Strangers, and who plays back what the rider's phone once sent. Each play returns what the program did."""

import asyncio

from bumble import smp

from lenker_bench.phone.pairing import JUST_WORKS, NONE
from lenker_bench.phone.strangers import STRANGERS_STREET
from lenker_bench.wire.true_air import TRUE

from . import NotHeld
from .case import Cases
from .scene import QUIET, Scene

STORM = 200
SECURITY_REQUEST = bytes([smp.CommandCode.SECURITY_REQUEST, 0x0D])
BACK_BESIDE = 2.0  # seconds

NOTHING_BEFORE = "asked once; nothing is shown or stored before the answer, nor after a no"

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
        for connection in other.device.connections.values():
            for _ in range(STORM):
                connection.send_l2cap_pdu(smp.SMP_CID, SECURITY_REQUEST)
        await scene.never("pairing", QUIET, state="ask")
        scene.press("b")
        await scene.told("link", state="disconnected")
        await scene.never("link", QUIET)
    if scene.count("bond"):
        raise NotHeld("a bond was made")
    return "asked once; nothing was shown or stored"


@CASES.add(
    "replayed-address",
    43,
    "a recorded address each 20 ms, the phone itself each 152 ms",
    "the rider's phone is back within 2 s beside it",
    air=TRUE,
)
async def replayed(scene: Scene) -> str:
    async with scene.attacker(address=scene.recorded_address()):
        scene.phone.drop()
        seconds = await scene.fresh(BACK_BESIDE)
    return f"the rider's phone was back after {seconds:.1f} s beside it"

"""Strange chips, and those that fail. Each play returns what the program did, or raises `NotHeld`."""

import asyncio
from dataclasses import replace

from bumble import hci

from lenker_bench.phone.kinds import ANDROID, IOS
from lenker_bench.wire.chip_kinds import BCM43430B0, Buffers

from . import NotHeld, attacks
from .case import Cases
from .scene import BACK, PHONE_BACK, Scene

RESET = 0x0C03
TWO_RESETS = 3  # with that of the start
WAITING = 8.0
DEAD = 8.0  # seconds; 5 s of nothing but vendor events, and a rest before Reset

DUAL_MODE = replace(
    BCM43430B0,
    name="dual-mode",
    commands=BCM43430B0.with_commands(hci.HCI_LE_SET_PHY_COMMAND),
    le_features=BCM43430B0.le_features | hci.LeFeatureMask.LE_2M_PHY,
    acl=Buffers(27, 8),
    le=Buffers(0, 0),
)
"""A later chip: LE in the buffers of BR/EDR, longer packets, the faster PHY."""

OPTIONAL = {
    0x0C6D: "write-le-host-support",
    0x1001: "read-version",
    0x1002: "read-commands",
    0x2003: "le-read-features",
    0x2013: "le-connection-update",
    0x201C: "le-read-states",
    0x2022: "le-set-data-length",
    0x2032: "le-set-phy",
}

CASES = Cases()


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


for _opcode, _command in OPTIONAL.items():
    CASES.add(
        f"unanswered-{_command}",
        79,
        "a chip that takes this optional command, and says nothing",
        "sent twice; the ride goes on after two Resets",
        # One that asks for parameters is given those, and no others.
        kind=replace(ANDROID, parameters_after=None),
        chip=DUAL_MODE,
        withheld=_opcode,
    )(unanswered)


@CASES.add(
    "hardware-errors", 60, f"{attacks.BURST} Hardware Errors in a row", "one Reset, reported once; " + PHONE_BACK
)
async def hardware_failed(scene: Scene) -> str:
    await attacks.fail_hardware(scene)
    did = await scene.back()
    resets, told = scene.chip.commands[RESET] - 1, scene.count("error", source="hci")
    if (resets, told) != (1, 1):
        raise NotHeld(f"{resets} Resets, {told} errors told")
    return f"one Reset, reported once; {did}"


@CASES.add(
    "reset-unanswered",
    61,
    "for 8 s no command is answered, Reset neither",
    "Reset, then the transport is opened again; " + PHONE_BACK,
)
async def climbed(scene: Scene) -> str:
    """No command is answered, Reset neither."""
    scene.chip.withheld |= attacks.ALL_COMMANDS
    scene.phone.drop()
    await asyncio.sleep(WAITING)
    scene.chip.withheld -= attacks.ALL_COMMANDS
    did = await scene.back()
    _assert_steps(scene, ["reset", "reopen"])
    return f"Reset, then opened again; {did}"


@CASES.add(
    "attempts-disallowed",
    155,
    "a chip that says to each attempt that another one is pending, until it is reset",
    "Reset at the second one; " + PHONE_BACK,
)
async def disallowed(scene: Scene) -> str:
    scene.chip.disallows_attempts = True
    scene.phone.drop()
    did = await scene.back()
    _assert_steps(scene, ["reset"])
    return f"reset; {did}"


@CASES.add(
    "stream-ends",
    61,
    "the stream ends, three times",
    "opened again each time, reported and counted; bluetoothd is not blamed (62)",
)
async def opened_again_and_again(scene: Scene) -> str:
    for _ in range(3):
        scene.chip.hci_sink.close()
        await scene.fresh()
    _assert_steps(scene, ["reopen"] * 3)
    return "opened again each time"


# One that asks for parameters has a command sent, and that is due sooner.
@CASES.add(
    "dead-but-for-vendor-events",
    60,
    "nothing but vendor events while it owes an answer, until it is reset",
    "reset 5 s later; " + PHONE_BACK,
    kind=replace(IOS, parameters_after=None),
)
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

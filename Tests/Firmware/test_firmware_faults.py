"""The ride goes on after faults of a real wire: more of them are for the fuzzer, in virtual time."""

import asyncio
import contextlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from lenker_bench.phone.kinds import IOS
from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs.processes import running_phone
from lenker_trials.commands.losses import Limits, failures
from lenker_trials.sessions.bench import Bench, quiet_loop
from lenker_trials.sessions.losses import Conditions, lose

SEED = 1
LONG = 60.0
PATIENCE = 20.0
BACK = 90.0  # seconds; an answer that never comes ends the link after 30
WITHHELD = 5.0
HARDWARE_ERROR = bytes.fromhex("04100142")
NO_INDICATOR = 0xFF
ANSWERED = r"040e.{4}"
ATTRIBUTE = r"02.{12}0400"  # an ACL packet with the beginning of an attribute PDU

Fault = Callable[[Bench, bytes], bytes]
"""Acts on the wire, and says what comes of a packet."""


def is_answer(packet: bytes) -> bool:
    """A Command Complete or Command Status of a command, and not of credits alone."""
    return packet[0] == 4 and any(packet[4:6] if packet[1] == 0x0E else packet[5:7] if packet[1] == 0x0F else b"")


def is_late(bench: Bench, packet: bytes) -> bytes:
    asyncio.get_running_loop().call_later(0.5, bench.proxy.say, packet)
    return b""


def garbage_comes(bench: Bench, packet: bytes) -> bytes:
    return bytes([NO_INDICATOR, *range(1, 16)]) + packet


def answers_are_withheld(bench: Bench, packet: bytes) -> bytes:
    def end() -> None:
        bench.damage = bytes

    bench.damage = lambda packet: b"" if is_answer(packet) else packet
    asyncio.get_running_loop().call_later(WITHHELD, end)
    return b""


def controller_is_reset(bench: Bench, packet: bytes) -> bytes:
    bench.chip.power_cycle()
    return HARDWARE_ERROR


def link_is_lost(bench: Bench, packet: bytes) -> bytes:
    bench.phone.drop()
    return packet


def stream_ends(bench: Bench, packet: bytes) -> bytes:
    bench.proxy.hang_up()
    return b""


FAULTS: dict[str, tuple[str, Fault]] = {
    "the answer to Reset is lost": (ANSWERED + "030c", lambda bench, packet: b""),
    "an advertisement comes behind garbage": ("043e..02", garbage_comes),
    "answers are withheld when it connects": ("040f.{4}..0d20", answers_are_withheld),
    "the link is told of twice": ("043e..0100", lambda bench, packet: packet * 2),
    "the stream ends when there is a link": ("043e..0100", stream_ends),
    "a subscription is confirmed late": (ATTRIBUTE + "13", is_late),
    "the link is lost at a subscription": (ATTRIBUTE + "13", link_is_lost),
    "a notification lacks its end and does not say so": (ATTRIBUTE + "1b", lambda bench, packet: packet[:-3]),
    "one bit of a packet's length is wrong": (ATTRIBUTE + "1b", lambda _, packet: packet[:3] + b"\x8f" + packet[4:]),
    "the controller is reset in mid-ride": (ATTRIBUTE + "0b", controller_is_reset),
}
"""Each with the digits of the first packet that meets it."""


def damage_once(bench: Bench, where: str, fault: Fault) -> asyncio.Event:
    """Sets the event at the first packet that has these digits, and has the fault act there."""
    hit = asyncio.Event()

    def damage(packet: bytes) -> bytes:
        if hit.is_set() or not re.match(where, packet.hex()):
            return packet
        bench.damage = bytes
        hit.set()
        return fault(bench, packet)

    bench.damage = damage
    return hit


async def goes_on(bench: Bench, hit: asyncio.Event) -> None:
    """An instruction is shown that was told after the fault. Raises `TimeoutError`."""
    await bench.until(hit, LONG)
    loop, shown = asyncio.get_running_loop(), asyncio.Event()
    begun = loop.time()
    bench.on_instruction = lambda told: shown.set() if told > begun else None
    await bench.until(shown, BACK)
    assert bench.firmware.log.malformed == []


async def wrongs_after(name: str, command: Sequence[str], folder: Path) -> str:
    bench = Bench(IOS, SEED)
    folder.mkdir()
    async with bench.running(command, folder):
        try:
            await goes_on(bench, damage_once(bench, *FAULTS[name]))
        except TimeoutError as error:
            return f"{name}: {error}"
    return ""


@pytest.mark.timeout(400)
@pytest.mark.parametrize("build", ["armv6"], indirect=True)
async def test_central_behaviour_39_the_board_binary_survives_a_fault(build, lenker_command, tmp_path):
    with quiet_loop():
        rides = [wrongs_after(name, lenker_command, tmp_path / name) for name in FAULTS]
        assert [wrong for wrong in await asyncio.gather(*rides) if wrong] == []


@pytest.mark.parametrize("has_sensors", [False, True])
async def test_a_remembered_phone_that_is_lost_in_mid_ride_is_found_again_on_the_true_air(lenker_command, has_sensors):
    """How fast it is on a quiet machine, is for the figures; that it is never stuck and never greedy, is for this."""
    losses = await lose(Conditions("ios", has_sensors=has_sensors), lenker_command, 3, SEED, jobs=1, warm_up=1)
    assert failures(losses, 3, Limits(median=PATIENCE, slowest=PATIENCE)) == []
    assert losses.errors == {}
    assert all(
        found < ready < shown for found, ready, shown in zip(losses.found, losses.ready, losses.shown, strict=True)
    )


async def test_a_controller_that_goes_away_is_told_and_found_again(lenker, a_ride):
    async with contextlib.AsyncExitStack() as stack:
        phone = await stack.enter_async_context(running_phone("--ride", a_ride))
        port = phone.port
        async with lenker(port) as firmware:
            await firmware.log.wait_for("instruction", LONG)
            await stack.aclose()  # kills the phone, and with it the controller
            await firmware.log.wait_for("link", LONG, state="disconnected")
            error = await firmware.log.wait_for("error", LONG, source="hci")
            assert error["message"].startswith(f"tcp:127.0.0.1:{port}: ")
            assert "controller" in error["message"]
            async with running_phone(f"--hci=tcp-server:127.0.0.1:{port}", "--ride", OWN_RIDE, "--speed=2"):
                await firmware.log.wait_for("controller", LONG)
                await firmware.log.wait_for("link", LONG, state="ready")
                await firmware.log.wait_for("instruction", LONG)

"""What the tests of pairing share: a phone with one instruction, and the steps from strangers to a pair."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from bumble.keys import PairingKeys

from hostile_phone import HostilePhone, hostile_phone
from lenker_bench.phone import komoot
from lenker_bench.phone.pairing import COMPARE, PairingHabits
from lenker_bench.phone.rides import Step
from lenker_bench.programs.events import EventLog
from lenker_bench.programs.processes import FirmwareProcess
from lenker_trials.hostile.attackers import is_in_store

LONG = 120.0  # seconds for what takes one or two on a machine that does nothing else

STREET = "Voßstraße"
INSTRUCTION = komoot.encode(7, Step(0, 5, 110, STREET))


def riders_phone(
    mode: str = COMPARE, kind: str = "android", **habits: object
) -> contextlib.AbstractAsyncContextManager[HostilePhone]:
    """A phone that pairs like this, with an instruction to be read."""
    return hostile_phone(INSTRUCTION, kind, pairing=PairingHabits(mode, **habits))


def states(log: EventLog, event: str) -> list[str]:
    """What became of the link, the pairing or the bond, in order."""
    return [found["state"] for found in log.named(event)]


async def compare(firmware: FirmwareProcess, phone: HostilePhone) -> str:
    """Waits for the next question, which is the same on both; the number."""
    shown = await firmware.log.wait_for("pairing", LONG, state="confirm")
    asked = await phone.log.wait_for("pairing", LONG, state="confirm")
    assert shown["number"] == asked["number"] and len(shown["number"]) == 6
    return shown["number"]


async def pair(firmware: FirmwareProcess, phone: HostilePhone) -> None:
    """The firmware's next pairing is agreed to; it is remembered then, and the phone heard."""
    if phone.pairing.mode == COMPARE:
        await compare(firmware, phone)
    else:
        await firmware.log.wait_for("pairing", LONG, state="ask")
    firmware.press("a")
    await firmware.log.wait_for("link", LONG, state="encrypted")
    await firmware.log.wait_for("pairing", LONG, state="done")
    await firmware.log.wait_for("bond", LONG, state="saved")
    await phone.log.wait_for("pairing", LONG, state="done")


@contextlib.asynccontextmanager
async def paired(lenker, phone: HostilePhone, *keys: str) -> AsyncIterator[FirmwareProcess]:
    """A firmware that has just been paired with the phone, and rides."""
    async with lenker(phone.port, "pairing=preferred", *keys) as firmware:
        await pair(firmware, phone)
        await firmware.log.first("instruction", LONG, street=STREET)
        yield firmware


async def make_pair(lenker, phone: HostilePhone, folder: Path) -> None:
    """Firmware and phone know each other; the firmware is off again and its outputs are set aside."""
    async with paired(lenker, phone) as firmware:
        await firmware.stop()
    set_aside(folder)


def set_aside(folder: Path) -> None:
    """Keeps the events of the firmware that ran before, so that the next one's are its own."""
    (folder / "events.jsonl").rename(folder / f"events-{len(list(folder.glob('events-*')))}.jsonl")


async def remembered_by(phone: HostilePhone) -> tuple[str, PairingKeys]:
    """The firmware's name and key on the phone, which has no other bond."""
    ((name, keys),) = await phone.pairing.bonds.get_all()
    return name, keys


def is_remembered(folder: Path, phone: HostilePhone) -> bool:
    """Whether the firmware's store has the phone's key or name."""
    return is_in_store(folder / "bond", phone.phone)

"""A phone whose radio is RootCanal's, and what RootCanal answered to the firmware."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from bumble import hci

from bonding import INSTRUCTION
from hostile_phone import HostilePhone, hostile_phone
from lenker_bench.phone.pairing import COMPARE, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.programs.events import EventLog
from lenker_bench.programs.rootcanal import running_rootcanal
from lenker_bench.wire.framing import EVENT
from tshark import records

ADVERTISING_INTERVAL = 30.0  # milliseconds; an iPhone's in front, so that no test waits for another one's


@contextlib.asynccontextmanager
async def without_complaint(log: EventLog) -> AsyncIterator[None]:
    """Ends the block with the first complaint, so that a test need not wait for what that has prevented."""

    async def watch() -> None:
        complaint = await log.first("complaint", None)
        raise AssertionError(complaint["message"])

    try:
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(watch())
            yield
            watching.cancel()
    except ExceptionGroup as found:
        raise found.exceptions[0] from None


@contextlib.asynccontextmanager
async def phone_on_rootcanal(
    kind: str = "android", mode: str = COMPARE, make: Callable[..., Phone] = Phone
) -> AsyncIterator[HostilePhone]:
    """A phone that pairs like this, with an instruction to be read, on a RootCanal of its own."""
    pairing = PairingHabits(mode)
    async with (
        running_rootcanal(ADVERTISING_INTERVAL) as canal,
        hostile_phone(INSTRUCTION, kind, pairing=pairing, canal=canal, make=make) as phone,
        without_complaint(phone.log),
    ):
        yield phone


def refusals(capture: Path) -> list[str]:
    """Each command of the firmware that the controller did not take, and why."""
    found = []
    for _, packet in records(capture):
        code = packet[1] if packet[0] == EVENT else None
        if code == hci.HCI_COMMAND_COMPLETE_EVENT:
            opcode, status = packet[4:6], packet[6]
        elif code == hci.HCI_COMMAND_STATUS_EVENT:
            opcode, status = packet[5:7], packet[3]
        else:
            continue
        if status:
            name = hci.HCI_Command.command_name(int.from_bytes(opcode, "little"))
            found.append(f"{name}: {hci.HCI_Constant.error_name(status)}")
    return found

"""The panel's bus in mid-ride: whatever fails is told once, the ride goes on, and the picture is whole again."""

import errno
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from bonding import LONG
from hostile_phone import HostilePhone
from lenker_bench.phone import komoot
from lenker_bench.phone.rides import Step
from lenker_bench.programs.events import EventLog
from machine import Firmware, Machine
from panel_bus import BUS, Arrival, PanelBus, add_panel_bus, panel_after
from ssd1306 import Panel

pytestmark = pytest.mark.thorough

KEYS = ["hci=hci0", f"display=i2c:{BUS}@0x3c", "pairing=off"]
HERE = Step(0, 5, 2000, "Voßstraße")
THERE = Step(0, 3, 2000, "Lennéstraße")

# Commands of a set-up that no change of a picture needs: SSD1306 table 9-1, clock, multiplex ratio, charge pump.
SET_UP = [bytes.fromhex("d580"), bytes.fromhex("a83f"), bytes.fromhex("8d14")]
LONGEST_TIME = 400  # milliseconds for which a call may keep the radio waiting


@dataclass(frozen=True)
class Fault:
    """What becomes of each call, behind so many bytes of its first message, and what is said of it."""

    name: str
    errno: int
    data: int
    said: str


SILENT = "no panel answers at this address: check its power and wires, and i2cdetect -y 1"
STUCK = (
    "the bus is stuck or slower than 36 kHz: is a wire held low? Check them, and switch the panel's power off and on"
)
DISTURBED = "the bus is disturbed, by noise or another master: use shorter wires, away from motors"
AWAY = "the bus or the panel went away: check its plug; it is opened again when it is back"

# Linux, Documentation/i2c/fault-codes.rst
FAULTS = [
    Fault("the address is not acknowledged", errno.ENXIO, 0, SILENT),
    Fault("a byte is not acknowledged", errno.EREMOTEIO, 2, SILENT),
    Fault("the arbitration is lost", errno.EAGAIN, 3, DISTURBED),
    Fault("the bus never gets free", errno.EBUSY, 0, STUCK),
    Fault("a wire is held low", errno.ETIMEDOUT, 5, STUCK),
]


class Ride:
    """A firmware that shows instructions, and all that it must tell of its panel."""

    def __init__(self, firmware: Firmware, phone: HostilePhone, bus: PanelBus) -> None:
        self.log = firmware.log
        self.bus = bus
        self._phone = phone
        self._told: list[str] = []
        self._id = 7

    async def hear(self, step: Step) -> None:
        """The phone says this, and the firmware has heard it."""
        self._id += 1
        self._phone.script.say(komoot.encode(self._id, step))
        await self.log.first("instruction", LONG, id=self._id)

    async def shown(self, step: Step) -> Panel:
        """The panel after the picture of this."""
        await self.hear(step)
        # The next one behind it: pictures of what was before may still come until then.
        await self.log.wait_for("frame", LONG)
        return panel_after(await self.bus.arrivals())

    async def outage(
        self, said: str, whole: Panel, heal: Callable[[], Awaitable[None]], during: Awaitable[object]
    ) -> list[Arrival]:
        """The bus fails already, and is healed in the end; what arrived since."""
        before = len(await self.bus.arrivals())
        await self._fail(said)
        frames = count(self.log, "frame")
        await during
        await self.hear(HERE)
        assert count(self.log, "frame") == frames
        await heal()
        await self.is_whole_again(whole, frames)
        return (await self.bus.arrivals())[before:]

    async def disturbance(self, said: str, whole: Panel) -> None:
        """The bus fails once."""
        frames = count(self.log, "frame")
        await self._fail(said)
        await self.is_whole_again(whole, frames)

    async def _fail(self, said: str) -> None:
        await self.hear(THERE)
        self._told.append(f"{BUS} address 0x3c: {said}")
        await wait_for(self.log, "error", len(self._told))

    async def is_whole_again(self, whole: Panel, frames: int) -> None:
        """After the next frame the panel has its whole picture, and nothing was told besides."""
        await wait_for(self.log, "frame", frames + 1)
        panel = panel_after(await self.bus.arrivals())
        assert (panel.is_on, panel.picture()) == (True, whole.picture())
        assert [(error["source"], error["message"]) for error in self.log.named("error")] == [
            ("i2c", said) for said in self._told
        ]


def count(log: EventLog, event: str) -> int:
    return len(log.named(event))


async def wait_for(log: EventLog, event: str, number: int) -> None:
    """Waits until there have been so many of these events."""
    while count(log, event) < number:
        await log.wait_for(event, LONG)


def is_set_up(arrivals: list[Arrival]) -> bool:
    """Whether the panel was initialised by this."""
    return all(any(command in arrival.data for arrival in arrivals) for command in SET_UP)


async def test_whatever_fails_is_told_once_and_the_picture_is_whole_again(machine, phone):
    async with phone() as rider, machine(radio=rider.port) as pc:
        await pc.attach_radio()
        bus = await add_panel_bus(pc)
        firmware = await pc.start_firmware(*KEYS)
        ride = Ride(firmware, rider, bus)
        await ride.log.first("link", LONG, state="ready")
        whole = await ride.shown(HERE)
        there = await ride.shown(THERE)
        assert there.picture() != whole.picture()
        assert (await ride.shown(HERE)).picture() == whole.picture()
        check_calls(await bus.arrivals())

        for fault in FAULTS:
            print(fault.name)
            await bus.fail(fault.errno, data=fault.data)
            arrived = await ride.outage(fault.said, whole, bus.heal, bus.fails_again(1))
            assert is_set_up(arrived)
            assert {arrival.number for arrival in arrived} == {0}, "each message in a call of its own"
        # Once, in the midst of a command. The kernel would repeat the call unasked.
        await bus.fail(errno.EAGAIN, data=2, times=1)
        await ride.disturbance(DISTURBED, there)
        await ride.shown(HERE)
        await bus.pull_out()
        arrived = await ride.outage(AWAY, whole, bus.put_in, bus.is_gone())
        assert is_set_up(arrived)

        check_calls(await bus.arrivals())
        assert await firmware.stop() == 0
        assert not panel_after(await bus.arrivals()).is_on
        await an_adapter_that_fails_with_several_messages_gets_them_one_by_one(pc, bus)
        await bus.heal()
        # A gauge is read behind a repeated start: 78.125 µV and 1/256 % a bit.
        await bus.set_gauge(bytes.fromhex("0000 c300 5700 0000 0012"))
        _, said = await pc.attempt(f"lenker --check {' '.join(KEYS)} battery=max17048")
        assert "ok battery max17048 at 0x36; 87%, 3.900 V" in said.splitlines()


async def an_adapter_that_fails_with_several_messages_gets_them_one_by_one(pc: Machine, bus: PanelBus) -> None:
    """It is no fault, and the first picture is the same, behind what fills up a command that was cut off."""
    before = await bus.arrivals()
    await bus.fail(errno.EIO, messages=1)
    firmware = await pc.start_firmware(*KEYS)
    await firmware.log.wait_for("frame", LONG)
    assert await firmware.stop() == 0
    assert firmware.log.named("error") == []
    first, *later = (await bus.arrivals())[len(before) :]
    assert first == Arrival(first.call, 0, first.timeout, before[0].data)
    assert later[0].data == b"\x00\x7f\x7f" + before[0].data[1:]
    assert [arrival.data for arrival in later[1:4]] == [arrival.data for arrival in before[1:4]]
    assert {arrival.number for arrival in later} == {0}


def check_calls(arrivals: list[Arrival]) -> None:
    """The first picture goes in one call of several messages; no call may take too long."""
    first_call = [arrival.data for arrival in arrivals if arrival.call == arrivals[0].call]
    assert [len(first_call) > 2, first_call[-1]] == [True, b"\x00\xaf"]
    assert max(arrival.timeout for arrival in arrivals) <= LONGEST_TIME

"""A rider's whole way on the real devices' side of the kernel: search, pairing by the buttons, ride, unpairing."""

from pathlib import Path

from bonding import LONG, STREET, compare
from lenker_bench.phone import komoot
from lenker_bench.phone.rides import Step
from lenker_bench.programs.events import EventLog
from machine import ALERT, READING_TIME, A, B, Machine
from recording import read_trace
from ssd1306 import Panel

Picture = tuple[tuple[int, ...], ...]

KEYS = ["hci=hci0", "display=i2c:/dev/i2c-0@0x3c", "i2c-trace=file:/tmp/trace", "store=/tmp/bond"]
BUTTONS = ["buttons=gpio:/dev/gpiochip0", f"button-a={A}", f"button-b={B}", f"alert={ALERT}"]
RIDE = [
    Step(0, 2, 0, "Lennéstraße"),
    Step(0, 5, 110, "Voßstraße"),
    Step(0, 5, 20, "Voßstraße"),
    Step(0, 3, 0, ""),
]


async def start_pc(pc: Machine) -> None:
    """All devices are there."""
    await pc.attach_radio()
    await pc.add_bus()
    await pc.add_chip()
    await pc.remember_lines()


def state(panel: Panel) -> tuple:
    """All that a message can change."""
    ram = b"".join(map(bytes, panel.ram))
    return ram, panel.is_on, panel.is_inverted, panel.contrast, panel.columns, panel.pages


async def pictures(pc: Machine, log: EventLog, folder: Path) -> list[Picture]:
    """What the glass showed after each frame, by the firmware's trace; the kernel wrote the same to the bus."""
    text = folder / "i2c.trace"
    text.write_text(await pc.run("cat /tmp/trace") + "\n")
    messages, writes = iter(read_trace(text)), iter(await pc.bus_writes())
    glass, wired = Panel("ssd1306-128x64"), Panel("ssd1306-128x64")
    shown = []
    for frame in log.named("frame"):
        for _ in range(frame["messages"]):
            glass.write(next(messages).data)
            while state(wired) != state(glass):
                wired.write(next(writes))
        shown.append(glass.picture())
    assert list(messages) == []
    for write in writes:
        wired.write(write)
    assert state(wired) == state(glass)
    return shown


def picture_of(log: EventLog, shown: list[Picture], instruction: dict) -> Picture:
    """The first picture that was drawn after the instruction came."""
    event = next(event for event in log.events[log.events.index(instruction) :] if event["event"] == "frame")
    return shown[log.named("frame").index(event)]


async def test_it_pairs_by_a_button_rides_with_alerts_and_is_unpaired_by_a_button(machine, phone, tmp_path):
    async with phone() as rider, machine(radio=rider.port) as pc:
        await start_pc(pc)
        firmware = await pc.start_firmware(*KEYS, *BUTTONS)
        await compare(firmware, rider)
        await pc.press(A, after=READING_TIME)
        await firmware.log.wait_for("button", LONG, name="a", press="short")
        await firmware.log.wait_for("bond", LONG, state="saved")
        await firmware.log.first("instruction", LONG, street=STREET)

        told = []
        for number, step in enumerate(RIDE, 8):
            rider.script.say(komoot.encode(number, step))
            told.append(await firmware.log.wait_for("instruction", LONG, id=number, street=step.street))
            await firmware.log.wait_for("frame", LONG)

        await pc.set_button(B, is_pressed=True)
        await firmware.log.wait_for("bond", LONG, state="erased")
        await pc.set_button(B, is_pressed=False)
        (press,) = [event for event in firmware.log.named("button") if event["name"] == "b"]
        assert press["press"] == "long"
        await firmware.log.first("link", LONG, state="disconnected")
        assert firmware.log.named("error") == []
        assert await firmware.stop() == 0
        assert "arrive" in [event["level"] for event in firmware.log.named("alert")]
        # The line is opened low, and each pulse ends.
        levels = [level for _, level in await pc.line_writes()]
        assert len(levels) >= 3 and levels == [number % 2 for number in range(len(levels))]
        shown = await pictures(pc, firmware.log, tmp_path)
        assert not any(map(any, shown[-1])), "it leaves a dark panel"
        of_ride = {picture_of(firmware.log, shown, instruction) for instruction in told}
        assert len(of_ride) == len(RIDE), "each instruction has a picture of its own"

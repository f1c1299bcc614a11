"""A rider's whole way on the real devices' side of the kernel: search, pairing by the buttons, ride, unpairing."""

from bonding import LONG, STREET, compare, happened
from machine import PAGE, UNPAIR, Machine
from recording import read_trace
from ssd1306 import Panel

from lenker_bench import komoot
from lenker_bench.rides import Step

KEYS = ["hci=hci0", "display=i2c:/dev/i2c-0@0x3c", "i2c-trace=file:/tmp/trace", "store=/tmp/bond"]
BUTTONS = ["buttons=gpio:/dev/gpiochip0", f"button-page={PAGE}", f"button-unpair={UNPAIR}"]
RIDE = [Step(0, 2, 0, "Lennéstraße"), Step(0, 5, 110, "Voßstraße"), Step(0, 5, 20, "Voßstraße"), Step(0, 3, 0, "")]


async def start_pc(pc: Machine) -> None:
    """All devices are there."""
    await pc.attach_radio()
    await pc.add_bus()
    await pc.add_chip()


async def pictures(pc: Machine, folder) -> tuple[tuple, tuple]:
    """What the glass shows by what the kernel wrote to the bus, and by what the firmware says that it wrote."""
    by_kernel, by_trace = Panel("ssd1306-128x64"), Panel("ssd1306-128x64")
    for write in await pc.bus_writes():
        by_kernel.write(write)
    trace = folder / "i2c.trace"
    trace.write_text(await pc.run("cat /tmp/trace") + "\n")
    for message in read_trace(trace):
        by_trace.write(message.data)
    return by_kernel.picture(), by_trace.picture()


async def test_it_pairs_by_a_button_rides_and_is_unpaired_by_a_button(machine, phone, tmp_path):
    async with phone() as rider, machine(radio=rider.port) as pc:
        await start_pc(pc)
        firmware = await pc.start_firmware(*KEYS, *BUTTONS)
        await compare(firmware, rider)
        await pc.press(PAGE)
        await firmware.log.wait_for("button", LONG, name="page", press="short")
        await firmware.log.wait_for("bond", LONG, state="saved")
        await happened(firmware.log, "instruction", street=STREET)

        shown = []
        for number, step in enumerate(RIDE, 8):
            rider.script.say(komoot.encode(number, step))
            await firmware.log.wait_for("instruction", LONG, direction=step.direction, distance=step.distance)
            await firmware.log.wait_for("frame", LONG)
            by_kernel, by_trace = await pictures(pc, tmp_path)
            assert by_kernel == by_trace
            shown.append(by_kernel)
        assert len(set(shown)) == len(RIDE), "each instruction has a picture of its own"

        await pc.set_button(UNPAIR, is_pressed=True)
        await firmware.log.wait_for("bond", LONG, state="erased")
        await pc.set_button(UNPAIR, is_pressed=False)
        (press,) = [event for event in firmware.log.named("button") if event["name"] == "unpair"]
        assert press["press"] == "long"
        await firmware.log.wait_for("link", LONG, state="disconnected")
        assert firmware.log.named("error") == []
        assert await firmware.stop() == 0
        assert not any(map(any, (await pictures(pc, tmp_path))[0])), "it leaves a dark panel"

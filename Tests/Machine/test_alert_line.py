"""What the buzzer or LED gets, by the kernel's own record of the line, with either libgpiod."""

import itertools

from bonding import LONG
from lenker_bench.phone import komoot
from lenker_bench.phone.rides import Step
from libgpiod import with_either_libgpiod
from machine import ALERT, BUTTONS, NO_PANEL, level

KEYS = ["hci=hci0", *NO_PANEL, *BUTTONS, f"alert={ALERT}"]
SHORT, ARRIVAL = 0.15, 0.6  # seconds
SLACK = 0.02  # seconds; the machine's own ones


@with_either_libgpiod
async def test_a_near_turn_is_three_pulses_and_the_end_of_the_program_ends_a_pulse(machine, phone):
    async with phone() as rider, machine(radio=rider.port, is_alone=True) as pc:
        # Its time would outrun the phone whenever it waits, so it never does.
        await pc.run("( while :; do :; done ) &")
        await pc.attach_radio()
        await pc.add_chip()
        await pc.remember_lines()
        firmware = await pc.start_firmware(*KEYS)
        await firmware.log.wait_for("instruction", LONG)
        rider.script.say(komoot.encode(8, Step(0, 5, 20, "Voßstraße")))
        await firmware.log.wait_for("alert", LONG, level="high")
        await pc.run("usleep 1000000")
        (_, opened), *pulses = await pc.line_writes()
        assert [opened, *(level for _, level in pulses)] == [0, 1, 0, 1, 0, 1, 0]
        times = [time for time, _ in pulses]
        lengths = [end - start for start, end in itertools.pairwise(times)]
        assert all(abs(length - SHORT) < SLACK for length in lengths), lengths

        await pc.run(f"( until grep -q 1 {level(ALERT)}; do usleep 10000; done; killall lenker ) &")
        rider.script.say(komoot.encode(9, Step(0, 3, 10, "")))
        assert (await firmware.log.wait_for("exit", LONG))["status"] == 0
        assert [event["level"] for event in firmware.log.named("alert")][-1] == "arrive"
        *_, (start, high), (end, low) = await pc.line_writes()
        assert (high, low) == (1, 0) and end - start < ARRIVAL - SLACK
        assert await pc.run(f"cat {level(ALERT)}") == "0"

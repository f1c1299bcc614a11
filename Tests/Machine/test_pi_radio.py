"""The radio of the emulated Pi hangs, and is brought back by what is on the card, without help."""

import re

from bumble.hci import HCI_LE_SET_SCAN_ENABLE_COMMAND, HCI_READ_LOCAL_NAME_COMMAND

from bonding import LONG
from broadcom import DriverCommands
from pi import Pi, running_pi
from pi_phones import rider

SHUTDOWN = 45
"""The line that switches the chip off, as the device tree has it."""
TRACING = "/sys/kernel/tracing"
FIND_LINE = f"echo $(($(cat /sys/class/gpio/gpiochip*/base) + {SHUTDOWN}))"
GPIO_VALUE = f"{TRACING}/events/gpio/gpio_value"
TELL_POWER = f"cat {TRACING}/trace_pipe"
"""The driver waits for 100 ms before it says anything to a chip that it has switched on."""


class Power:
    """Switches the chip as the kernel does, of whose line the Pi's console tells."""

    def __init__(self, driver: DriverCommands) -> None:
        self._driver = driver

    def show(self, words: object) -> None:
        print(words)
        if match := re.search(r"gpio_value: \d+ set ([01])", str(words)):
            self._driver.switch(match[1] == "1")

    async def follow(self, pi: Pi) -> None:
        await pi.is_up()
        line = await pi.run(FIND_LINE)
        await pi.run(f"mount -t tracefs none {TRACING}")
        await pi.run(f"echo 'gpio == {line}' >{GPIO_VALUE}/filter && echo 1 >{GPIO_VALUE}/enable")
        await pi.run(f"({TELL_POWER} >/dev/ttyS0 2>/dev/null &)")


def steps(pi: Pi) -> list[str]:
    return list(dict.fromkeys(event["step"] for event in pi.log.named("recovery")))


async def test_central_behaviour_61_a_set_up_that_failed_is_repaired_without_help(card, tmp_path):
    async with rider() as (phone, driver):
        driver.hang(HCI_READ_LOCAL_NAME_COMMAND)
        power = Power(driver)
        async with running_pi(card, tmp_path, radio=phone.port, show=power.show) as pi:
            await power.follow(pi)
            up = await pi.log.wait_for("controller", LONG)
            ticks = (await pi.run("cat /proc/$(pidof lenker)/stat")).rpartition(")")[2].split()
            after = int(ticks[19]) / 100 + up["t"]
            await phone.log.wait_for("pairing", LONG, state="confirm")
            said = await pi.run("dmesg")
    print(f"the radio is up {after:.1f} s after the kernel's start")
    assert "Reading local name failed (-110)" in said, "its first set-up failed"
    assert steps(pi) == ["rebind"]
    messages = [error["message"] for error in pi.log.named("error")]
    assert "hci0: its driver is setting it up, or failed to" in messages
    assert not any("bluetoothd" in message for message in messages)


async def test_central_behaviour_61_a_chip_that_hangs_in_use_is_switched_off_and_on(card, tmp_path):
    async with rider() as (phone, driver):
        power = Power(driver)
        driver.hang(HCI_LE_SET_SCAN_ENABLE_COMMAND)
        async with running_pi(card, tmp_path, radio=phone.port, show=power.show) as pi:
            await power.follow(pi)
            failed = await pi.log.first("recovery", LONG, step="reset")
            await pi.log.first("recovery", LONG, step="rebind")
            up = await pi.log.wait_for("controller", LONG)
            await phone.log.wait_for("pairing", LONG, state="confirm")
    lasted = up["t"] - failed["t"]
    print(f"the radio is up again after {lasted:.1f} s")
    assert steps(pi) == ["reset", "reopen", "rebind"]


async def test_central_behaviour_61_a_radio_that_stays_dead_restarts_the_pi_but_not_again_at_once(card, tmp_path):
    # There is no chip at all.
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await pi.is_up()
        await pi.run("insmod /softdog.ko soft_panic=1")
        reboot = await pi.log.first("recovery", LONG, step="reboot")
        await pi.says("Software Watchdog Timer expired")
    assert [event["step"] for event in pi.log.named("recovery")] == ["rebind", "reboot"]
    assert reboot["t"] >= 70
    (why, *facts), number = card.error()
    assert why.startswith("Bluetooth does not answer") and number == 1
    assert any("Bluetooth: hci0" in fact for fact in facts)

    # The watchdog's reset, as far as the card can tell.
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await pi.is_up()
        assert "LENKER_REBOOT=600\n" in await pi.run("tr '\\0' '\\n' </proc/$(pidof lenker)/environ")
        await pi.log.first("recovery", LONG, step="rebind", count=2)
        assert [event["step"] for event in pi.log.named("recovery")] == ["rebind", "rebind"]

"""The virtual machine itself, and what `--check` says of its devices."""

from machine import PAGE, UNPAIR

KEYS = f"display=i2c:/dev/i2c-0@0x3c buttons=gpio:/dev/gpiochip0 button-page={PAGE} button-unpair={UNPAIR} alert=22"


async def test_the_machine_boots_and_powers_off(machine):
    async with machine() as pc:
        assert (await pc.run("uname -r")).startswith("6.1.")


async def test_check_says_ok_for_each_device(machine, phone):
    async with phone() as rider, machine(radio=rider.port) as pc:
        await pc.attach_radio()
        await pc.add_bus()
        await pc.add_chip()
        status, said = await pc.attempt(f"lenker --check hci=hci0 {KEYS} store=/tmp/bond")
        assert (status, said.splitlines()) == (
            0,
            [
                "ok hci hci0: controller B8:27:EB:4C:45:4E, HCI version 7",
                "ok display /dev/i2c-0",
                f"ok buttons /dev/gpiochip0 line {PAGE} line {UNPAIR}",
                "ok alert /dev/gpiochip0 line 22",
                "ok store /tmp/bond",
            ],
        )

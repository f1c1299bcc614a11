"""Lenker's own battery by gauges of the kernel's i2c-stub, on the bus of the panel."""

import pytest

from bonding import LONG
from libgpiod import beside_the_chip
from machine import Machine

pytestmark = pytest.mark.thorough

KEYS = ["hci=hci9", "pairing=off", "display=i2c:/dev/i2c-0@0x3c"]
PANEL = 0x3C
# The registers of each with the bytes that they hold: 3.9 V and 87 %, 3.72 V, 4.127 V and 96 %.
GAUGES = {
    "max17048": (0x36, {0x08: 0x00, 0x09: 0x12, 0x02: 0xC3, 0x03: 0x00, 0x04: 0x57, 0x05: 0x00}),
    "ina219@0x41": (0x41, {0x00: 0x39, 0x01: 0x9F, 0x02: 0x1D, 0x03: 0x12}),
    "pisugar3": (0x57, {0x02: 0xC4, 0x22: 0x10, 0x23: 0x1F, 0x2A: 96}),
}
SAID = {
    "max17048": (87, 3.9, "87%, 3.900 V"),
    "ina219@0x41": (48, 3.72, "48%, 3.720 V"),
    "pisugar3": (96, 4.127, "96%, 4.127 V, charging"),
}


async def set_registers(machine: Machine, address: int, registers: dict[int, int]) -> None:
    """The gauge holds these bytes from now on."""
    lines = [f"i2cset -f -y 0 {address:#x} {number:#x} {value:#x} b" for number, value in registers.items()]
    await machine.run(" && ".join(lines))


async def checked(machine: Machine, gauge: str) -> str:
    """The line of `--check` about the battery."""
    _, said = await machine.attempt(f"lenker --check {' '.join(KEYS)} battery={gauge}")
    return next(line for line in said.splitlines() if " battery " in line)


@beside_the_chip
async def test_each_gauge_is_read_over_the_bus_once_a_minute(chip_pc):
    await chip_pc.set_bus(PANEL, *(address for address, _ in GAUGES.values()))
    for gauge, (address, registers) in GAUGES.items():
        await set_registers(chip_pc, address, registers)
        percent, voltage, said = SAID[gauge]
        assert await checked(chip_pc, gauge) == f"ok battery {gauge.partition('@')[0]} at {address:#x}; {said}"
        firmware = await chip_pc.start_firmware(*KEYS, f"battery={gauge}")
        first = await firmware.log.first("battery", LONG)
        assert (first["percent"], first["voltage"]) == (percent, voltage)
        assert firmware.log.named("frame")[0]["t"] <= first["t"]
        if gauge == "pisugar3":
            await set_registers(chip_pc, address, {0x2A: percent - 1})
            second = await firmware.log.wait_for("battery", 10 * LONG)
            assert second["percent"] == percent - 1
            assert second["t"] - first["t"] == pytest.approx(60, abs=1)
        assert await firmware.stop() == 0
        assert [error for error in firmware.log.named("error") if error["source"] == "i2c"] == []
    missing = "failed battery ina219 at 0x40: no gauge answers at this address"
    assert (await checked(chip_pc, "ina219@0x40")).startswith(missing)

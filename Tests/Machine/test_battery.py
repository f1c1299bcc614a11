"""Lenker's own battery by gauges of the kernel's i2c-stub, on the bus of the panel."""

import errno

import pytest

from bonding import LONG
from machine import Machine
from panel_bus import add_panel_bus

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


async def test_each_gauge_is_read_over_the_bus_once_a_minute(machine):
    async with machine(is_alone=True) as pc:
        await pc.set_bus(PANEL, *(address for address, _ in GAUGES.values()))
        for gauge, (address, registers) in GAUGES.items():
            await set_registers(pc, address, registers)
            percent, voltage, said = SAID[gauge]
            assert await checked(pc, gauge) == f"ok battery {gauge.partition('@')[0]} at {address:#x}; {said}"
            firmware = await pc.start_firmware(*KEYS, f"battery={gauge}")
            first = await firmware.log.first("battery", LONG)
            assert (first["percent"], first["voltage"]) == (percent, voltage)
            assert firmware.log.named("frame")[0]["t"] <= first["t"]
            if gauge == "pisugar3":
                await set_registers(pc, address, {0x2A: percent - 1})
                second = await firmware.log.wait_for("battery", 10 * LONG)
                assert second["percent"] == percent - 1
                assert second["t"] - first["t"] == pytest.approx(60, abs=1)
            assert await firmware.stop() == 0
            assert [error for error in firmware.log.named("error") if error["source"] == "i2c"] == []


async def test_a_gauge_that_lies_is_told_once_and_is_heard_when_it_comes_to_itself(machine):
    address, registers = GAUGES["pisugar3"]
    async with machine(is_alone=True) as pc:
        await pc.set_bus(PANEL, address)
        await set_registers(pc, address, registers | {0x22: 0x17, 0x23: 0x70})
        assert (await checked(pc, "pisugar3")).startswith(
            "failed battery pisugar3 at 0x57: 6.000 V and 96% cannot be one lithium cell"
        )
        firmware = await pc.start_firmware(*KEYS, "battery=pisugar3")
        error = await firmware.log.first("error", LONG, source="i2c")
        assert "6.000 V and 96%" in error["message"]
        await set_registers(pc, address, registers)
        event = await firmware.log.wait_for("battery", 10 * LONG)
        assert event["percent"] == registers[0x2A]
        assert await firmware.stop() == 0
        assert len([error for error in firmware.log.named("error") if error["source"] == "i2c"]) == 1


async def test_an_address_where_nobody_answers_costs_the_panel_nothing(machine):
    async with machine(is_alone=True) as pc:
        await pc.set_bus(PANEL)
        said = await checked(pc, "ina219@0x40")
        assert said.startswith("failed battery ina219 at 0x40: no gauge answers at this address")
        firmware = await pc.start_firmware(*KEYS, "battery=ina219@0x40")
        await firmware.log.first("error", LONG, source="i2c")
        assert firmware.log.named("frame")
        assert await firmware.stop() == 0


async def test_a_gauge_that_is_deaf_in_the_middle_of_a_read_costs_the_panel_nothing(machine):
    """On an adapter with messages, which reads behind a repeated start."""
    async with machine(is_alone=True) as pc:
        bus = await add_panel_bus(pc, takes_messages=True)
        await bus.set_gauge(bytes.fromhex("0000 c300 5700 0000 0012"))
        firmware = await pc.start_firmware(*KEYS[:2], "display=i2c:/dev/i2c-1@0x3c", "battery=max17048")
        first = await firmware.log.first("battery", LONG)
        assert (first["percent"], first["voltage"]) == (87, 3.9)
        await bus.deafen_gauge(errno.ENXIO)
        error = await firmware.log.wait_for("error", 10 * LONG, source="i2c")
        assert error["message"].startswith("battery max17048 at 0x36: no gauge answers at this address")
        await bus.deafen_gauge(0)
        assert (await firmware.log.wait_for("battery", 10 * LONG))["percent"] == first["percent"]
        assert await firmware.stop() == 0
        assert len([told for told in firmware.log.named("error") if told["source"] == "i2c"]) == 1
        assert {arrival.data for arrival in await bus.arrivals()} and firmware.log.named("frame")

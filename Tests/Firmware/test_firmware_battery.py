"""Lenker's own battery by a gauge beside the mock display, whose registers are a file."""

import asyncio
import subprocess

import pytest

from builds import regular_and_armv6

NO_PHONE = ["hci=tcp:127.0.0.1:1", "pairing=off"]
LONG = 60.0


def registers(**values: int) -> bytes:
    """256 registers, those named `r2a` and the like with their byte."""
    found = bytearray(256)
    for name, value in values.items():
        found[int(name[1:], 16)] = value
    return bytes(found)


# PiSugar's own example, 4.127 V; 0x04 is its output switch.
PI_SUGAR = registers(r02=0xC4, r22=0x10, r23=0x1F, r2a=96)
# 78.125 µV and 1/256 % a bit: 3.9 V, 87 %.
MAX17048 = registers(r02=0xC3, r04=0x57, r09=0x12)
# The configuration after power-on, and 930 times 4 mV: 3.72 V.
INA219 = bytes([0x39, 0x9F, 0x1D, 0x12]) + bytes(252)
GAUGES = [
    ("pisugar3", "57", PI_SUGAR, {"percent": 96, "voltage": 4.127, "charging": True}, "96%, 4.127 V, charging"),
    ("max17048", "36", MAX17048, {"percent": 87, "voltage": 3.9}, "87%, 3.900 V"),
    ("ina219@0x45", "45", INA219, {"percent": 48, "voltage": 3.72}, "48%, 3.720 V"),
]


@pytest.fixture
def check(lenker_command, tmp_path):
    """`check(gauge, file, registers)`: the line of `--check` about the battery."""

    def run(gauge: str, address: str, content: bytes | None) -> str:
        frames = tmp_path / "frames"
        frames.mkdir(exist_ok=True)
        if content is not None:
            (frames / f"gauge-{address}").write_bytes(content)
        keys = [f"display=pbm:{frames}", f"battery={gauge}", *NO_PHONE]
        done = subprocess.run([*lenker_command, "--check", *keys], stdout=subprocess.PIPE, check=False)
        return next(line for line in done.stdout.decode().splitlines() if " battery " in line)

    return run


@regular_and_armv6
@pytest.mark.parametrize(("gauge", "address", "content", "fields", "said"), GAUGES)
async def test_it_says_how_full_the_battery_is(build, lenker, tmp_path, gauge, address, content, fields, said):
    (tmp_path / f"gauge-{address}").write_bytes(content)
    async with lenker(1, f"battery={gauge}", *NO_PHONE) as firmware:
        event = await firmware.log.first("battery", LONG)
        assert {key: event[key] for key in event if key not in ("t", "event")} == fields
        frames = firmware.log.named("frame")
        assert frames and frames[0]["t"] <= event["t"]
        await asyncio.wait_for(firmware.stop(), LONG)
    assert [error for error in firmware.log.named("error") if error["source"] == "i2c"] == []


@pytest.mark.parametrize(("gauge", "address", "content", "fields", "said"), GAUGES)
def test_a_check_says_how_full_the_battery_is(check, gauge, address, content, fields, said):
    name = gauge.partition("@")[0]
    assert check(gauge, address, content) == f"ok battery {name} at 0x{address}; {said}"


@pytest.mark.parametrize(
    ("gauge", "content", "said"),
    [
        ("pisugar3", None, "no gauge answers at this address: check its power and wires, and i2cdetect -y 1"),
        ("pisugar3", registers(r22=0x17, r23=0x70, r2a=80), "6.000 V and 80% cannot be one lithium cell"),
        ("pisugar3", bytes(256), "0.000 V and 0% cannot be one lithium cell"),
        ("pisugar3", b"\xff" * 256, "65.535 V and 255% cannot be one lithium cell"),
        ("max17048", b"\xff" * 256, "what answers there is another device"),
        ("ina219@0x40", bytes(256), "it is switched off by its configuration"),
        ("pisugar3", bytes(4), "no gauge answers at this address"),
    ],
    ids=["nobody", "6 V", "zeros", "ones", "another", "off", "cut"],
)
def test_a_check_says_what_is_wrong_with_a_gauge(check, gauge, content, said):
    address = {"pisugar3": "57", "max17048": "36", "ina219@0x40": "40"}[gauge]
    name = gauge.partition("@")[0]
    assert check(gauge, address, content).startswith(f"failed battery {name} at 0x{address}: {said}")


@regular_and_armv6
async def test_a_gauge_that_is_not_there_is_told_once_and_the_panel_shows_its_picture(build, lenker):
    async with lenker(1, "battery=max17048", *NO_PHONE) as firmware:
        error = await firmware.log.first("error", LONG, source="i2c")
        assert error["message"].startswith("battery max17048 at 0x36: no gauge answers at this address")
        assert firmware.log.named("frame") and firmware.log.named("battery") == []
        await asyncio.wait_for(firmware.stop(), LONG)

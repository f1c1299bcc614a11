"""Buttons as bytes from a fifo and from standard input, and what they do on the panel and on the link."""

import asyncio
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import FirmwareProcess, running_firmware, running_phone
from process_figures import processor_time

SHORT, LONG = "short", "long"


class Glass:
    """What the panel of a firmware shows, a frame at a time."""

    def __init__(self, firmware: FirmwareProcess, folder: Path) -> None:
        self._firmware = firmware
        self._folder = folder

    async def next(self, timeout: float = 20) -> bytes:
        """The next picture."""
        frame = await self._firmware.log.wait_for("frame", timeout)
        return (self._folder / f"frame-{frame['number']:06}.pbm").read_bytes()

    async def press(self, gesture: str, name: str, press: str) -> bytes:
        """Presses a button; the picture that follows."""
        self._firmware.press(gesture)
        await self._firmware.log.wait_for("button", name=name, press=press)
        return await self.next()


def is_dark(picture: bytes) -> bool:
    return not any(picture.removeprefix(b"P4\n128 64\n"))


@contextlib.asynccontextmanager
async def riding(lenker, ride: Path, folder: Path, *options: str):
    """A firmware that shows the first instruction of a ride that stands still."""
    async with running_phone("--kind=android", "--ride", ride, "--speed=0.001", *options) as phone:
        async with lenker(phone.port) as firmware:
            await firmware.log.wait_for("instruction", 30)
            glass = Glass(firmware, folder)
            yield phone, firmware, glass, await glass.next()


async def test_page_leads_to_the_ride_the_sensors_and_back(lenker, a_ride, tmp_path):
    async with riding(lenker, a_ride, tmp_path) as (_, _, glass, ride):
        figures = await glass.press("a", "a", SHORT)
        assert figures != ride and not is_dark(figures)
        sensors = await glass.press("a", "a", SHORT)
        assert sensors not in (ride, figures) and not is_dark(sensors)
        assert await glass.press("a", "a", SHORT) == ride


async def test_long_presses_of_page_make_the_panel_dim_and_dark_and_bright(lenker, a_ride, tmp_path):
    async with riding(lenker, a_ride, tmp_path) as (_, _, glass, ride):
        assert await glass.press("A", "a", LONG) == ride
        assert is_dark(await glass.press("A", "a", LONG))
        assert await glass.press("A", "a", LONG) == ride


async def test_a_long_press_of_b_leaves_the_phone_until_the_rider_asks_for_another(lenker, a_ride, tmp_path):
    options = "--kind=android", "--ride", a_ride, "--speed=0.001", "--pairing=none"
    async with running_phone(*options) as phone, lenker(phone.port, "pairing=preferred") as firmware:
        await firmware.log.wait_for("pairing", 30, state="ask")
        firmware.press("a")
        await firmware.log.wait_for("instruction", 30)
        firmware.press("B")
        await firmware.log.wait_for("button", name="b", press=LONG)
        await firmware.log.wait_for("link", state="disconnected")
        assert (await phone.log.wait_for("disconnected"))["reason"] == 0x13
        await firmware.log.wait_for("scan", mode="off")
        assert not is_dark(await Glass(firmware, tmp_path).next())
        # The first press takes away that the phone is forgotten.
        firmware.press("aa")
        await firmware.log.wait_for("scan", 30, mode="fast")
        await firmware.log.wait_for("pairing", 30, state="ask")
        firmware.press("a")
        await firmware.log.wait_for("instruction", 30)


async def test_newlines_are_passed_over_and_of_other_bytes_the_first_is_told(lenker, a_ride, tmp_path):
    async with riding(lenker, a_ride, tmp_path) as (_, firmware, glass, ride):
        firmware.press("\n\n x0\x00\x7f\u00fcQ" * 40 + "\na\n")
        await firmware.log.wait_for("button")
        assert await glass.next() != ride
        await glass.press("a", "a", SHORT)
        assert await glass.press("a", "a", SHORT) == ride
        assert [event["name"] for event in firmware.log.named("button")] == ["a"] * 3
        (error,) = firmware.log.named("error")
        assert error["message"] == "byte 0x20 is no gesture: send a, A, b, B or r"


class Keys:
    """A firmware's standard input: a fifo that the test has open, so that its end comes when the test says so."""

    def __init__(self, path: Path) -> None:
        self._path = path
        os.mkfifo(path)
        self._descriptor: int | None = os.open(path, os.O_RDWR | os.O_CLOEXEC)

    def command(self, command: list[str]) -> list[str]:
        """The command with its standard input from here."""
        return ["sh", "-c", 'exec "$@" <"$0"', str(self._path), *command]

    def type(self, text: str) -> None:
        os.write(self._descriptor, text.encode())

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


@pytest.fixture
def keys(tmp_path: Path) -> Iterator[Keys]:
    keys = Keys(tmp_path / "keys")
    yield keys
    keys.close()


@contextlib.asynccontextmanager
async def typed_to(command: list[str], folder: Path, port: int):
    """A firmware whose buttons are its standard input."""
    outputs = Outputs(folder)
    board = outputs.keys(port) | {"buttons": "stdin"}
    async with running_firmware(
        command, [f"{name}={value}" for name, value in board.items()], events=outputs.events
    ) as firmware:
        yield firmware


async def test_standard_input_is_buttons_too(lenker_command, keys, a_ride, tmp_path):
    async with running_phone("--kind=android", "--ride", a_ride, "--speed=0.001") as phone:
        async with typed_to(keys.command(lenker_command), tmp_path, phone.port) as firmware:
            await firmware.log.wait_for("instruction", 30)
            for gesture, name, press in (("a\n", "a", SHORT), ("A", "a", LONG), ("zb", "b", SHORT)):
                keys.type(gesture)
                await firmware.log.wait_for("button", name=name, press=press)
            keys.type("B")
            await firmware.log.wait_for("link", state="disconnected")


async def test_the_end_of_standard_input_costs_nothing(lenker_command, keys, a_ride, tmp_path):
    async with running_phone("--kind=android", "--ride", a_ride, "--speed=0.001") as phone:
        async with typed_to(keys.command(lenker_command), tmp_path, phone.port) as firmware:
            await firmware.log.wait_for("instruction", 30)
            keys.type("a")
            keys.close()
            await firmware.log.wait_for("button")
            before = processor_time(firmware.process.pid)
            await asyncio.sleep(1)  # what is measured, not waited for
            assert processor_time(firmware.process.pid) - before < 0.25
            await firmware.stop()
            assert firmware.status == 0


async def test_standard_input_without_an_end_keeps_nothing_else_waiting(lenker_command, a_ride, tmp_path):
    endless = ["sh", "-c", 'exec "$0" "$@" </dev/zero', *lenker_command]
    async with running_phone("--kind=android", "--ride", a_ride, "--speed=0.001") as phone:
        async with typed_to(endless, tmp_path, phone.port) as firmware:
            await firmware.log.wait_for("instruction", 30)
            await firmware.stop()
            assert firmware.status == 0


async def test_a_fifo_that_nobody_writes_to_costs_nothing(lenker, a_ride, tmp_path):
    async with riding(lenker, a_ride, tmp_path) as (_, firmware, _, _):
        before = processor_time(firmware.process.pid)
        await asyncio.sleep(1)  # what is measured, not waited for
        assert processor_time(firmware.process.pid) - before < 0.25

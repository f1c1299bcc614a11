"""The card image of the Pi Zero W in an emulated one: its kernel, its drivers, and what goes over its bus."""

import asyncio
import contextlib
import random
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from bonding import LONG, STREET, compare, happened, riders_phone
from broadcom import DriverCommands
from builds import command_of
from card import Card, copy_of
from hostile_phone import FIRMWARE_ADDRESS, HostilePhone
from pi import BUTTONS, Pi, bus_messages, running_pi, set_board
from recording import Recording, told, told_apart, wait_for_instructions
from ssd1306 import Panel

from lenker_bench.air import Air
from lenker_bench.chip import Chip
from lenker_bench.h4 import FirmwareServer
from lenker_bench.kinds import KINDS
from lenker_bench.options import OWN_RIDE
from lenker_bench.outputs import Outputs
from lenker_bench.pbm import read_picture
from lenker_bench.phone import Phone
from lenker_bench.processes import ROOT, running_firmware
from lenker_bench.rides import read_ride

PICTURES = ROOT / "Tests" / "ScreensTests" / "Pictures"
RECORDED_RIDE = ROOT.parent / "shared" / "rides" / "potsdam-long.csv"
CHIP_FIRMWARE = ROOT / ".build" / "pi-zero-w" / "debian" / "armel" / "lib" / "firmware" / "brcm" / "BCM43430A1.hcd"

TOLD = {"events": "stderr", "buttons": f"fifo:{BUTTONS}"}
UNPAIRED = {"pairing": "off"}
SPEED = 20
FIRST_PICTURE_TIME = 0.150  # seconds of instructions, one nanosecond each
PICTURE_MESSAGES = 4
HEADER = b"P4\n128 64\n"

LOAD = "grep -h VmRSS /proc/$(pidof lenker)/status; cat /proc/$(pidof lenker)/stat /proc/uptime"


@pytest.fixture
def card(card_image: Path, tmp_path: Path) -> Card:
    """A card that has not been used; lenker tells its events, and a fifo takes the place of the buttons."""
    card = copy_of(card_image, tmp_path / "card.img")
    set_board(card, TOLD)
    return card


@contextlib.asynccontextmanager
async def rider() -> AsyncIterator[tuple[HostilePhone, DriverCommands]]:
    """A phone with an instruction, which wants a number to be compared, and the Pi's chip."""
    async with riders_phone() as phone:
        yield phone, DriverCommands(phone.server.chip)


def replayed(folder: Path, frames: list[dict]) -> None:
    """Writes what the panel showed after each frame, by the bytes on the bus, as the mock display does."""
    messages = iter(bus_messages(folder / "i2c.trace"))
    panel = Panel("ssd1306-128x64")
    for frame in frames:
        for _ in range(frame["messages"]):
            panel.write(next(messages))
        rows = [int("".join(map(str, row)), 2).to_bytes(16, "big") for row in panel.picture()]
        (folder / f"frame-{frame['number']:06}.pbm").write_bytes(HEADER + b"".join(rows))


async def test_the_panel_shows_the_start_before_there_is_a_radio_and_says_when_none_comes(card, tmp_path):
    async with running_pi(card, tmp_path, is_alone=True, options="trace_event=i2c:i2c_write") as pi:
        await pi.is_up()
        await happened(pi.log, "frame", number=2)
        kernel = await pi.run("dmesg | grep 'as init process'")
        await pi.run("mount -t tracefs none /sys/kernel/tracing")
        writes = (await pi.run("grep a=03c /sys/kernel/tracing/trace")).splitlines()
    start = float(re.search(r"\[ *(\d+\.\d+)\]", kernel)[1])
    # The kernel is asked for all of them at once first, see `bus_messages`.
    last = float(re.search(r" (\d+\.\d+): i2c_write", writes[2 * PICTURE_MESSAGES - 1])[1])
    print(f"first picture {last - start:.3f} s after /init, which starts at {start:.3f} s")
    first, second = pi.log.named("frame")[:2]
    replayed(tmp_path, [first, second])
    assert first["messages"] == PICTURE_MESSAGES
    assert read_picture(tmp_path / "frame-000001.pbm") == read_picture(PICTURES / "start-128x64.pbm")
    assert second["t"] >= 5.0, "until then the driver may still be loading"
    assert last - start < FIRST_PICTURE_TIME


async def test_it_pairs_by_its_buttons_keeps_the_bond_when_the_current_is_cut_and_forgets_it(card, tmp_path):
    async with rider() as (phone, driver):
        async with running_pi(card, tmp_path, radio=phone.port) as pi:
            await pi.is_up()
            await compare(pi, phone)
            await pi.press_after_reading("p")
            await pi.log.wait_for("bond", LONG, state="saved")
            await phone.log.wait_for("pairing", LONG, state="done")
            await happened(pi.log, "instruction", street=STREET)
        assert driver.firmware == CHIP_FIRMWARE.read_bytes()

        async with running_pi(card, tmp_path, radio=phone.port) as pi:
            await pi.log.wait_for("bond", LONG, state="loaded")
            await pi.log.wait_for("link", LONG, state="encrypted")
            await happened(pi.log, "instruction", street=STREET)
            await pi.is_up()
            await pi.press("U")
            await pi.log.wait_for("bond", LONG, state="erased")

        async with running_pi(card, tmp_path, radio=phone.port) as pi:
            await pi.log.wait_for("pairing", LONG, state="confirm")
            assert pi.log.named("bond") == []


class Rider:
    """A phone that rides, and the chip of the one who follows it."""

    def __init__(self, ride: Path) -> None:
        def report(*arguments: object, **fields: object) -> None:
            """What it tells is of no interest."""

        air = Air()
        chip = Chip("firmware", air, FIRMWARE_ADDRESS, random.Random(1))
        DriverCommands(chip)
        self.server = FirmwareServer(chip, report)
        self.phone = Phone(air, KINDS["ios"], read_ride(ride), SPEED, random.Random(1), report)

    async def __aenter__(self) -> int:
        """Its port."""
        await self.server.start("tcp-server:127.0.0.1:0")
        await self.phone.start()
        self.riding = asyncio.create_task(self.phone.ride())
        return self.server.port

    async def __aexit__(self, *_: object) -> None:
        self.riding.cancel()
        self.server.close()
        await self.phone.stop()


async def start_time(pi: Pi) -> float:
    """How many seconds after /init lenker was started."""
    kernel = await pi.run("dmesg | grep 'as init process'")
    ticks = (await pi.run("cat /proc/$(pidof lenker)/stat")).rpartition(")")[2].split()
    return int(ticks[19]) / 100 - float(re.search(r"\[ *(\d+\.\d+)\]", kernel)[1])


async def load(pi: Pi) -> tuple[int, float, float]:
    """Resident bytes, seconds of the processor and seconds since the start."""
    resident, status, uptime = (await pi.run(LOAD)).splitlines()
    ticks = status.rpartition(")")[2].split()
    return int(resident.split()[1]) * 1024, (int(ticks[11]) + int(ticks[12])) / 100, float(uptime.split()[0])


async def ride_pi(card: Card, folder: Path, ride: Path) -> Recording:
    async with Rider(ride) as port, running_pi(card, folder, radio=port) as pi:
        scan = await pi.log.wait_for("scan", LONG)
        await pi.is_up()
        _, busy, start = await load(pi)
        await wait_for_instructions(pi.log, len(told_apart(ride)))
        resident, busy_at_end, end = await load(pi)
        share = (busy_at_end - busy) / (end - start)
        print(f"scanning {await start_time(pi) + scan['t']:.1f} s after /init")
        print(f"riding {SPEED} times as fast: {share:.1%} of the processor; {resident} bytes are resident")
        await pi.run("kill $(pidof lenker)")
        events = list(pi.log.events)
    replayed(folder, [event for event in events if event["event"] == "frame"])
    return Recording(folder, events)


async def ride_bench(folder: Path, ride: Path) -> Recording:
    outputs = Outputs(folder)
    async with Rider(ride) as port:
        keys = [f"{name}={value}" for name, value in outputs.keys(port).items() if name != "buttons"]
        async with running_firmware(command_of("regular"), keys, events=outputs.events) as firmware:
            await wait_for_instructions(firmware.log, len(told_apart(ride)))
            await firmware.stop()
    return Recording(folder, firmware.log.events)


def upright(pictures: set[bytes]) -> set[bytes]:
    """Each picture or its inverse, whichever has fewer lit pixels."""
    bodies = [picture.removeprefix(HEADER) for picture in pictures]
    both = [(int.from_bytes(body).bit_count(), body, bytes(byte ^ 0xFF for byte in body)) for body in bodies]
    return {body if count <= 128 * 64 / 2 else inverse for count, body, inverse in both}


@pytest.mark.timeout(240)
async def test_a_ride_looks_on_its_bus_as_it_does_on_the_bench(card, tmp_path):
    ride = RECORDED_RIDE if RECORDED_RIDE.exists() else OWN_RIDE
    (tmp_path / "bench").mkdir()
    set_board(card, TOLD | UNPAIRED)
    on_pi, on_bench = await asyncio.gather(ride_pi(card, tmp_path, ride), ride_bench(tmp_path / "bench", ride))
    assert told(on_pi.events) == told_apart(ride)
    ours, theirs = on_pi.pictures_of_instructions(), on_bench.pictures_of_instructions()
    # One that was busy may have left pictures out, and at this speed an alert inverts one a moment sooner or later.
    both = ours.keys() & theirs.keys()
    assert len(both) > len(theirs) / 2
    assert [key for key in both if not upright(ours[key]) & upright(theirs[key])] == []


async def end_lenker(pi: Pi, *signals: str) -> None:
    """Ends it by each of these in turn; the next one has started."""
    await pi.log.wait_for("start", LONG)
    await pi.is_up()
    for signal in signals:
        await pi.run(f"kill -{signal} $(pidof lenker)")
        await pi.log.wait_for("start", LONG)


async def test_lenker_is_started_again_and_only_its_end_is_written_to_the_card(card, tmp_path):
    before = card.sectors()
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await end_lenker(pi, "SEGV")
        for file in ("/file", "/etc/file", "/boot/file"):
            assert "Read-only" in await pi.run(f"touch {file} && echo done || true")
    assert card.error()[-1] == "lenker was ended by signal 11; it is started again"
    changed = [new for old, new in zip(before, card.sectors(), strict=True) if old != new]
    assert b"".join(changed).rstrip(b"\n").endswith(b"started again"), "no table and no folder of the file system"


@pytest.mark.parametrize(("ends", "kept"), [(3, "signal 6"), (4, "signal 8")])
async def test_one_that_ends_again_and_again_is_not_written_down_each_time(card, tmp_path, ends, kept):
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await end_lenker(pi, *["QUIT", "ABRT", "BUS", "FPE"][:ends])
    assert kept in card.error()[-1]


async def test_an_error_file_that_was_deleted_is_made_anew(card, tmp_path):
    card.delete("lenker-error.txt")
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await end_lenker(pi, "SEGV", "ABRT")
        assert (await pi.run("grep -c ' /boot vfat ro,' /proc/mounts")) == "1"
    assert card.error()[-1] == "lenker was ended by signal 6; it is started again"


async def test_a_store_on_a_partition_that_is_mounted_is_refused(card, tmp_path):
    set_board(card, {"store": "/dev/mmcblk0p1"})
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        assert "it is mounted" in (await pi.log.wait_for("error", LONG, source="store"))["message"]


async def test_a_wrong_board_file_is_told_on_the_card_and_the_settings_of_the_image_are_used(card, tmp_path):
    card.write("board.conf", b"# mine\n" * 11 + b"colour = blue\n")
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await pi.is_up()
        assert "--board /etc/board.conf" in (await pi.run("tr '\\0' ' ' </proc/$(pidof lenker)/cmdline"))
    shown = Panel("ssd1306-128x64")
    for message in bus_messages(tmp_path / "i2c.trace")[:PICTURE_MESSAGES]:
        shown.write(message)
    assert shown.picture() == read_picture(PICTURES / "wrong-settings-128x64.pbm").rows
    wrong, what_now = card.error()
    assert wrong.startswith("lenker: /boot/board.conf:12: ")
    assert what_now == "lenker ended with status 78; the settings of the image are used instead"


async def test_the_watchdog_is_fed_by_lenker_s_loop_and_by_nothing_else(card, tmp_path):
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await pi.is_up()
        await pi.run("insmod /softdog.ko soft_panic=1")
        await pi.run("until ls -l /proc/1/fd | grep -q watchdog; do sleep 1; done")
        _, busy, start = await load(pi)
        await pi.run("sleep 60")
        resident, busy_at_end, end = await load(pi)
        print(f"idle: {(busy_at_end - busy) / (end - start):.2%} of the processor; {resident} bytes are resident")
        await pi.run("kill -STOP $(pidof lenker)")
        await pi.says("Software Watchdog Timer expired")

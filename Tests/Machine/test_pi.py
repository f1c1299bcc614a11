"""The card image of the Pi Zero W in an emulated one: its kernel, its drivers, and what goes over its bus."""

import re

from bonding import LONG, STREET, compare
from bus import bus_messages, replay
from card import SECTOR, partitions
from lenker_bench.programs.processes import ROOT
from lenker_bench.view.pbm import read_picture
from lenker_bench.view.sheet import expected_picture, expected_pictures
from pi import ADDRESS, ZERO_2_W, Pi, load, running_pi
from pi_phones import rider
from recording import told
from replay import events_of_replay
from ssd1306 import Panel

CHIP_FIRMWARE = ROOT / ".build" / "pi-zero-w" / "debian" / "armel" / "lib" / "firmware" / "brcm" / "BCM43430A1.hcd"

FIRST_PICTURE_TIME = 0.250  # seconds of instructions, one nanosecond each
IDLE_LIMIT = 0.005
PICTURE_MESSAGES = 4
REPORT = "lenker-report.btsnoop"
KEPT = f"{REPORT}: kept"


async def test_the_light_and_the_panel_show_the_start_before_there_is_a_radio_and_when_none_comes(card, tmp_path):
    async with running_pi(card, tmp_path, is_alone=True, is_packed=True, options="trace_event=i2c:i2c_write") as pi:
        await pi.is_up()
        await pi.log.first("frame", LONG, number=2)
        kernel = await pi.run("dmesg | grep 'as init process'")
        await pi.run("mount -t tracefs none /sys/kernel/tracing")
        writes = (await pi.run("grep a=03c /sys/kernel/tracing/trace")).splitlines()
        await pi.run("cd /sys/class/leds/ACT; until grep -q '[[]default-on]' trigger; do sleep 1; done")
        assert await pi.run("cat /sys/class/leds/ACT/brightness") == "1"
    start = float(re.search(r"\[ *(\d+\.\d+)\]", kernel)[1])
    # The kernel is asked for all of them at once first, see `bus_messages`.
    last = float(re.search(r" (\d+\.\d+): i2c_write", writes[2 * PICTURE_MESSAGES - 1])[1])
    print(f"first picture {last - start:.3f} s after /init, which starts at {start:.3f} s")
    first, second = pi.log.named("frame")[:2]
    replay(tmp_path, [first, second])
    assert first["messages"] == PICTURE_MESSAGES
    assert read_picture(tmp_path / "frame-000001.pbm") == expected_picture("start")
    assert second["t"] >= 5.0, "until then the driver may still be loading"
    assert last - start < FIRST_PICTURE_TIME


async def test_the_zero_2_w_s_kernel_shows_it_too(card, tmp_path):
    async with running_pi(card, tmp_path, is_alone=True, board=ZERO_2_W, is_packed=True) as pi:
        first = await pi.log.first("frame", 5 * LONG)  # it unpacks itself first
        assert pi.log.named("start")[0]["board"] == "/boot/board.conf"
    replay(tmp_path, [first])
    assert read_picture(tmp_path / "frame-000001.pbm") == expected_picture("start")


async def test_it_pairs_by_its_buttons_keeps_the_bond_when_the_current_is_cut_and_forgets_it(card, tmp_path):
    async with rider() as (phone, driver):
        async with running_pi(card, tmp_path, radio=phone.port) as pi:
            shown_before: list[int] = []
            driver.on_loading = lambda: shown_before.append(len(pi.log.named("frame")))
            await pi.is_up()
            await compare(pi, phone)
            assert shown_before[0] > 0, "the panel waits for no radio"
            assert pi.log.named("controller")[0]["address"] == ADDRESS, "a chip has none of its own"
            assert await pi.run("dmesg | grep 'failed to load' || true") == ""
            await pi.press_after_reading("a")
            await pi.log.wait_for("bond", LONG, state="saved")
            await phone.log.wait_for("pairing", LONG, state="done")
            await pi.log.first("instruction", LONG, street=STREET)
        assert driver.firmware == CHIP_FIRMWARE.read_bytes()

        async with running_pi(card, tmp_path, radio=phone.port) as pi:
            await pi.log.wait_for("bond", LONG, state="loaded")
            await pi.log.wait_for("link", LONG, state="encrypted")
            await pi.log.first("instruction", LONG, street=STREET)
            await pi.is_up()
            await pi.press("B")
            await pi.log.wait_for("bond", LONG, state="erased")


async def end_lenker(pi: Pi, *signals: str) -> None:
    """Ends it by each of these in turn; the next one has started.

    In one command: alone, the Pi's time would outrun us between two of them, and a life of 10 minutes is no failure.
    """
    await pi.log.wait_for("start", LONG)
    await pi.is_up()
    another = "until new=$(pidof lenker) && [ $new != $old ]; do usleep 200000; done"
    await pi.run(f"for signal in {' '.join(signals)}; do old=$(pidof lenker); kill -$signal $old; {another}; done")


async def test_lenker_is_started_again_and_of_its_ends_some_are_written_to_the_card_and_nothing_else(card, tmp_path):
    before = card.sectors()
    said: list[str] = []
    async with running_pi(card, tmp_path, is_alone=True, show=lambda words: said.append(str(words))) as pi:
        await end_lenker(pi, "SEGV", "ABRT", "BUS", "FPE")
        for file in ("/file", "/etc/file", "/boot/file"):
            assert "Read-only" in await pi.run(f"touch {file} && echo done || true")
    told = [words for words in said if words.startswith(("lenker crashed", "Entry number"))]
    assert told == [
        "lenker crashed with signal 11; it is started again",
        "Entry number 1 of this card.",
        "lenker crashed with signal 6; it is started again",
        "Entry number 2 of this card.",
        "lenker crashed with signal 7; it is started again",
        "lenker crashed with signal 8; it is started again",
        "Entry number 3 of this card.",
    ]
    lines, number = card.error()
    assert lines[-1] == "lenker crashed with signal 8; it is started again" and number == 3
    changed = {new for old, new in zip(before, card.sectors(), strict=True) if old != new}
    # Where we were slow, lenker had time to miss the radio and to save a report of that.
    kept = card.read("lenker-error.txt") + card.read("lenker-report.btsnoop")
    sectors = {kept[start : start + 512] for start in range(0, len(kept), 512)}
    assert changed and changed <= sectors, "no table and no folder of the file system"


async def test_without_the_error_file_s_room_the_card_is_not_written_to(card, tmp_path):
    card.delete("lenker-error.txt")
    card.write("lenker-error.txt", b"mended\n")
    before = card.sectors()
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await end_lenker(pi, "SEGV", "ABRT")
    assert card.sectors() == before


async def test_a_partition_with_a_file_system_is_left_alone_and_no_report_is_said_to_be_saved(card, tmp_path):
    """So is one that is mounted. The report's file is missing, so that nothing is written at all."""
    bond = partitions(card.image)[1]
    with card.image.open("r+b") as file:
        file.seek(bond.start)
        file.write(b"\xeb\x3c\x90MSDOS5.0".ljust(bond.size, b"\0"))
    card.delete(REPORT)
    before = card.sectors()
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        assert "another kind" in (await pi.log.wait_for("error", LONG, source="store"))["message"]
        await pi.is_up()
        said = await pi.run("lenker --check --board /boot/board.conf store=/dev/mmcblk0p1 || true")
        assert re.search("^failed store .*it is mounted", said, re.MULTILINE)
        await pi.log.first("report", LONG, state="failed")
        await pi.says(f"{REPORT}: not as on the image, so nothing is kept there")
    assert card.sectors() == before


async def test_a_wrong_board_file_is_told_on_the_card_and_the_settings_of_the_image_are_used(card, tmp_path):
    card.write("board.conf", b"# mine\n" * 10 + b"language = de # ours\n" + b"colour = blue\n")
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await pi.is_up()
        assert "--board /etc/board.conf language=de" in (await pi.run("tr '\\0' ' ' </proc/$(pidof lenker)/cmdline"))
    shown = Panel("ssd1306-128x64")
    for message in bus_messages(tmp_path / "i2c.trace")[:PICTURE_MESSAGES]:
        shown.write(message)
    assert shown.picture() == expected_pictures("wrong-settings")["128x64", "de"].rows, "in the rider's language"
    (wrong, what_now), _ = card.error()
    assert wrong.startswith("lenker: /boot/board.conf:12: ")
    assert what_now == "lenker ended with status 78; default settings are used instead"


async def test_a_board_file_that_is_missing_is_told_like_a_wrong_one(card, tmp_path):
    card.delete("board.conf")
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await pi.is_up()
        assert "board.conf is missing" in await pi.run("tr '\\0' ' ' </proc/$(pidof lenker)/environ")
    (line,), _ = card.error()
    assert line == "board.conf is missing, so default settings are used. Copy yours back."


async def test_the_watchdog_is_fed_by_lenker_s_loop_and_by_nothing_else(card, tmp_path):
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await pi.is_up()
        await pi.run("insmod /softdog.ko soft_panic=1")
        await pi.run("until ls -l /proc/1/fd | grep -q watchdog; do sleep 1; done")
        _, busy, start = await load(pi)
        await pi.run("sleep 60")
        resident, busy_at_end, end = await load(pi)
        share = (busy_at_end - busy) / (end - start)
        print(f"idle: {share:.3%} of the processor, one instruction a nanosecond; {resident} bytes are resident")
        assert share < IDLE_LIMIT
        await pi.run("kill -STOP $(pidof lenker)")
        await pi.says("Software Watchdog Timer expired")


async def test_a_report_by_both_buttons_is_read_from_the_card_and_replays(card, tmp_path):
    before = card.sectors()
    async with rider() as (phone, _), running_pi(card, tmp_path, radio=phone.port) as pi:
        await pi.is_up()
        await compare(pi, phone)
        await pi.press_after_reading("a")
        await pi.log.first("instruction", LONG, street=STREET)
        await pi.press("r")
        event = await pi.log.wait_for("report", LONG)
        assert event["state"] == "saved"
        await pi.says(KEPT)
        first = card.read(REPORT)
        await pi.press("r")
        await pi.log.wait_for("report", LONG, state="saved")
        await pi.says(KEPT)
    report = tmp_path / REPORT
    report.write_bytes(card.read(REPORT))
    assert len(first) == len(report.read_bytes()) and first != report.read_bytes()
    events = events_of_replay(report, tmp_path / "replay")
    assert told(events) == told(pi.log.events)
    # Beside the bond's, only the sectors of the report are others: no table and no folder of the file system.
    boot, _ = partitions(card.image)
    place = card.place(REPORT)
    changed = [
        number * SECTOR
        for number, (old, new) in enumerate(zip(before, card.sectors(), strict=True))
        if old != new and number * SECTOR < boot.start + boot.size
    ]
    assert changed and place <= changed[0] and changed[-1] < place + len(first)

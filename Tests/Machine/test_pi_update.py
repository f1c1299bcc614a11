"""An update that was unzipped onto the card, on the emulated Pi Zero W."""

import random

from bonding import LONG, STREET, compare
from card import Card
from pi import BUTTONS, Pi, running_pi, set_board
from pi_phones import rider
from sensor_records import SENSORS, record_with_sensors
from store_on_card import StoreOnCard
from updates import COPY_AGAIN, FILE, NEW_BOARD, NOT_WHOLE, OWN_PROGRAM, UPDATED_PROGRAM, contents, unzip, update

SEED = 1
MISTAKE = f"LENKER_MISTAKE={FILE} was not started\n"
ADVICE = f"Delete {FILE}, or unzip a newer update."
LATER = "99.0.0"
DIAGNOSTICS = ("lenker-error.txt", "lenker-report.btsnoop")


async def program(pi: Pi) -> str:
    """Which lenker runs."""
    return await pi.run("readlink /proc/$(pidof lenker)/exe")


async def environment(pi: Pi) -> str:
    return await pi.run("tr '\\0' '\\n' </proc/$(pidof lenker)/environ")


async def test_an_update_keeps_phone_sensors_and_settings_and_writes_nothing(card, card_image, tmp_path):
    store = StoreOnCard(card.image)
    store.put(record_with_sensors(sequence=3))
    async with rider() as (phone, _):
        async with running_pi(card, tmp_path, radio=phone.port) as pi:
            await pi.is_up()
            await compare(pi, phone)
            await pi.press_after_reading("a")
            await pi.log.wait_for("bond", LONG, state="saved")
            await phone.log.wait_for("pairing", LONG, state="done")
            await pi.log.first("instruction", LONG, street=STREET)
            assert await program(pi) == OWN_PROGRAM
        set_board(card, {"wheel": "2000"})
        settings = card.read("board.conf")
        files = contents(card_image)
        unzip(card, files)
        before = card.sectors()
        async with running_pi(card, tmp_path, radio=phone.port) as pi:
            await pi.log.wait_for("bond", LONG, state="loaded")
            await pi.log.wait_for("link", LONG, state="encrypted")
            await pi.log.first("instruction", LONG, street=STREET)
            await pi.is_up()
            assert await program(pi) == UPDATED_PROGRAM
            assert "LENKER_MISTAKE" not in await environment(pi)
    assert store.sensors() == SENSORS
    assert card.read("board.conf") == settings and card.read(NEW_BOARD) == files[NEW_BOARD]
    fat = store.start // 512
    assert card.sectors()[:fat] == before[:fat]


async def starts_and_tells(card: Card, folder, said: list[str]) -> None:
    """The image's own lenker runs, and panel and drive say what is wrong with the update."""
    async with running_pi(card, folder, is_alone=True) as pi:
        await pi.log.wait_for("frame", LONG)
        await pi.is_up()
        assert await program(pi) == OWN_PROGRAM
        assert MISTAKE in await environment(pi)
    assert card.error()[0] == said


async def test_a_copy_that_broke_off_starts_all_the_same_and_what_to_do_is_said(card, card_image, tmp_path):
    """At each file of the zip: what is copied before the update changes nothing."""
    files = contents(card_image)
    assert sorted(files) == [NEW_BOARD, FILE, "licences-update.txt"]
    source = random.Random(SEED)
    for name in files:
        unzip(card, {name: files[name][: source.randrange(1, len(files[name]))]})
        if name == NEW_BOARD:
            async with running_pi(card, tmp_path, is_alone=True) as pi:
                await pi.is_up()
                assert await program(pi) == OWN_PROGRAM and "LENKER_MISTAKE" not in await environment(pi)
        elif name == FILE:
            await starts_and_tells(card, tmp_path, [NOT_WHOLE + COPY_AGAIN])
        else:
            unzip(card, {FILE: files[FILE]})
            async with running_pi(card, tmp_path, is_alone=True) as pi:
                await pi.is_up()
                assert await program(pi) == UPDATED_PROGRAM


async def test_a_drive_that_was_full_starts_and_what_to_do_is_said(card, card_image, tmp_path):
    card.write("photos", bytes(40 << 20))
    room = len(card.read("photos"))
    card.write("photos", bytes(room - (2 << 20)))
    unzip(card, contents(card_image))
    assert 0 < len(card.read(FILE)) < len(contents(card_image)[FILE])
    await starts_and_tells(card, tmp_path, [NOT_WHOLE + COPY_AGAIN])


async def test_an_update_that_ends_again_and_again_gives_way_to_the_image_s_own(card, tmp_path):
    unzip(card, {FILE: update(b"#!/bin/busybox sh\necho no such thing >&2\nexit 3\n", LATER)})
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await pi.log.wait_for("frame", LONG)
        await pi.is_up()
        assert await program(pi) == OWN_PROGRAM
        assert MISTAKE in await environment(pi)
    (last, end, why), number = card.error()
    assert last == "no such thing" and number == 3
    assert end.startswith("lenker ended with status 3; the card's own Lenker ") and end.endswith(" is started instead")
    assert why == f"The update to Lenker {LATER} ended again and again. {ADVICE}"


async def test_an_update_that_stands_still_gives_way_without_a_reset_and_one_that_does_not_gets_the_watchdog(
    card, card_image, tmp_path
):
    unzip(card, {FILE: update(contents(card_image)[FILE][72:], LATER)})
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await pi.log.wait_for("frame", LONG)
        await pi.is_up()
        await pi.run("insmod /softdog.ko soft_panic=1")
        await pi.run("sleep 30")
        assert "watchdog" not in await pi.run("ls -l /proc/1/fd"), "it is on trial"
        await pi.run("sleep 40")
        assert "watchdog" in await pi.run("ls -l /proc/1/fd")
        assert await program(pi) == UPDATED_PROGRAM

    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await pi.log.wait_for("frame", LONG)
        await pi.is_up()
        await pi.run("insmod /softdog.ko soft_panic=1")
        await pi.run(
            "old=$(pidof lenker); kill -STOP $old; until new=$(pidof lenker) && [ $new != $old ]; do sleep 1; done"
        )
        assert await program(pi) == OWN_PROGRAM
        assert MISTAKE in await environment(pi)
    *_, end, why = card.error()[0]
    assert end.startswith("lenker crashed with signal 9; ")
    assert why == f"The update to Lenker {LATER} stood still. {ADVICE}"


async def test_an_update_that_does_not_take_the_rider_s_settings_takes_those_that_came_with_it(
    card, card_image, tmp_path
):
    files = contents(card_image)
    unzip(card, files)
    set_new = files[NEW_BOARD].replace(b"gpio:/dev/gpiochip0", f"fifo:{BUTTONS}".encode())
    unzip(card, {NEW_BOARD: set_new, "board.conf": b"colour = blue\n"})
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await pi.is_up()
        assert f"--board /boot/{NEW_BOARD}" in await pi.run("tr '\\0' ' ' </proc/$(pidof lenker)/cmdline")
        assert await program(pi) == UPDATED_PROGRAM
    (wrong, what_now), _ = card.error()
    assert wrong.startswith("lenker: /boot/board.conf:1: ")
    assert what_now == f"lenker ended with status 78; {NEW_BOARD} is used instead"

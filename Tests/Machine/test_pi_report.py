"""The rider's report of the emulated Pi Zero W: made by its buttons, read from the card as on any PC, and replayed."""

from bonding import LONG, STREET, compare
from card import SECTOR, partitions
from pi import running_pi
from pi_phones import rider
from recording import told
from replay import events_of_replay

REPORT = "lenker-report.btsnoop"
KEPT = f"{REPORT}: kept"


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
    for kind in ("controller", "link", "pairing", "frame"):
        again = [found for found in events if found["event"] == kind]
        # The last picture of then is that of the report.
        assert again and again == pi.log.named(kind)[: len(again)]

    # Beside the bond's, only the sectors of the report are others: no table and no folder of the file system.
    boot, _ = partitions(card.image)
    place = card.place(REPORT)
    changed = [
        number * SECTOR
        for number, (old, new) in enumerate(zip(before, card.sectors(), strict=True))
        if old != new and number * SECTOR < boot.start + boot.size
    ]
    assert changed and place <= changed[0] and changed[-1] < place + len(first)


async def test_without_its_file_on_the_card_no_report_is_said_to_be_saved_and_nothing_is_written(card, tmp_path):
    card.delete(REPORT)
    before = card.sectors()
    async with running_pi(card, tmp_path, is_alone=True) as pi:
        await pi.log.wait_for("report", LONG, state="failed")  # of the radio that is missing
        await pi.says(f"{REPORT}: not as on the image, so nothing is kept there")
    assert card.sectors() == before

"""What presses mean that the kernel saw, on a GPIO chip of its own, with either libgpiod.

The machine's time is its own, so that the milliseconds are exact and waiting costs nothing.
"""

from bonding import LONG
from libgpiod import with_either_libgpiod
from machine import BUTTONS, CHIP, NO_OTHERS, A, B, Firmware, Machine, contact

BUTTON_LINES = {"a": A, "b": B}
A_SHORT, A_LONG, B_SHORT = ("a", "short"), ("a", "long"), ("b", "short")
AFTER_BOUNCES = "usleep 100000"


# A contact that was seen closed flutters once more than the kernel's queue has room for, and is open at the end.
FLUTTER = ", ".join(f"{2 * number} b {'closes' if number % 2 else 'opens'}" for number in range(17))


def script(contacts: str) -> str:
    """The same for `guest play`."""
    lines = []
    for move in contacts.split(", "):
        milliseconds, name, does = move.split()
        level = {"closes": "pull-down", "opens": "pull-up"}[does]
        lines.append(f"{milliseconds}000 {contact(BUTTON_LINES[name])} {level}\n")
    return "".join(lines)


async def start(pc: Machine, prefix: str = "") -> Firmware:
    """The firmware with nothing but its buttons, ready for presses."""
    firmware = await pc.start_firmware(*NO_OTHERS, *BUTTONS, prefix=prefix)
    await pc.wait_for_line(B)
    return firmware


async def heard(firmware: Firmware, presses: list[tuple[str, str]]) -> None:
    """Waits for these presses."""
    for name, press in presses:
        await firmware.log.wait_for("button", LONG, name=name, press=press)


def all_heard(firmware: Firmware) -> list[tuple[str, str]]:
    return [(event["name"], event["press"]) for event in firmware.log.named("button")]


@with_either_libgpiod
async def test_a_press_counts_when_the_kernel_saw_it_and_not_when_it_is_read(chip_pc):
    """The program is stopped while the rider presses, and goes on 5 s later."""
    firmware = await start(chip_pc)

    async def play_unseen(contacts: str, before: str = "true") -> None:
        stop, go_on = "killall -STOP lenker", "usleep 5000000; killall -CONT lenker"
        await chip_pc.play(script(contacts), before=f"{before}; {stop}", behind=go_on)

    await play_unseen("0 b closes, 300 b opens")
    await heard(firmware, [B_SHORT])
    await play_unseen("0 a closes, 1100 a opens, 1300 a closes, 1400 a opens")
    await heard(firmware, [A_LONG, A_SHORT])
    # A release that the kernel has no room for must not forget the phone. The press lasts until the stop, and no
    # longer however slow this machine is.
    await play_unseen(FLUTTER, before=f"echo pull-down >{contact(B)}; {AFTER_BOUNCES}")
    await heard(firmware, [B_SHORT])
    await chip_pc.run("usleep 5000000")
    assert await firmware.stop() == 0
    assert all_heard(firmware) == [B_SHORT, A_LONG, A_SHORT, B_SHORT]


@with_either_libgpiod
async def test_a_button_that_is_held_from_the_start_is_told_once_and_forgets_no_phone(chip_pc):
    firmware = await start(chip_pc, f"LD_PRELOAD=/lib/closed-contact.so CLOSED_CONTACT={contact(B)}")
    await chip_pc.run("usleep 40000000")
    stuck = await firmware.log.wait_for("error", LONG, source="gpio")
    assert stuck["message"] == (
        f"{CHIP} line {A} line {B}: button B is held for 30 s: free it, or look for water and a short circuit to ground"
    )
    await chip_pc.set_button(B, is_pressed=False)
    await chip_pc.run(AFTER_BOUNCES)
    await chip_pc.press(B)
    await heard(firmware, [B_SHORT])
    assert await firmware.stop() == 0
    assert len([event for event in firmware.log.named("error") if event["source"] == "gpio"]) == 1
    assert all_heard(firmware) == [B_SHORT]

"""What presses mean that the kernel saw, on a GPIO chip of its own, with either libgpiod.

The machine's time is its own, so that the milliseconds are exact and waiting costs nothing.
"""

from dataclasses import dataclass

from bonding import LONG
from libgpiod import with_either_libgpiod
from machine import BUTTONS, CHIP, NO_OTHERS, A, B, Firmware, Machine, contact

BUTTON_LINES = {"a": A, "b": B}
A_SHORT, A_LONG, B_SHORT, B_LONG = [(name, press) for name in BUTTON_LINES for press in ("short", "long")]
AFTER_BOUNCES = "usleep 100000"


@dataclass
class Case:
    what: str
    contacts: str
    """`milliseconds button closes|opens`, in the order of time."""
    means: list[tuple[str, str]]


CASES = [
    Case("a press of A is short below a second", "0 a closes, 960 a opens", [A_SHORT]),
    Case("and long above", "0 a closes, 1040 a opens", [A_LONG]),
    Case("a press of B is short below three seconds", "0 b closes, 2960 b opens", [B_SHORT]),
    Case("and long above", "0 b closes, 3040 b opens", [B_LONG]),
    Case("what is shorter than 30 ms is none", "0 b closes, 27 b opens", []),
    Case("what is longer is one", "0 b closes, 33 b opens", [B_SHORT]),
    Case(
        "a shock while it is held does not end it",
        "0 a closes, 500 a opens, 527 a closes, 1100 a opens",
        [A_LONG],
    ),
    Case(
        "both together are a press of neither, however long",
        "0 a closes, 5 b closes, 4000 b opens, 4200 a opens",
        [],
    ),
    Case(
        "nor does one while the other is held",
        "0 b closes, 1500 a closes, 1700 a opens, 5000 b opens",
        [],
    ),
    Case("when both are open again each counts", "0 a closes, 100 a opens", [A_SHORT]),
]

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
async def test_each_press_means_what_it_is_long(chip_pc):
    firmware = await start(chip_pc)
    for case in CASES:
        print(case.what)
        await chip_pc.play(script(case.contacts))
        await chip_pc.run(AFTER_BOUNCES)
        await heard(firmware, case.means)
    assert await firmware.stop() == 0
    assert all_heard(firmware) == [press for case in CASES for press in case.means]


@with_either_libgpiod
async def test_a_press_counts_when_the_kernel_saw_it_and_not_when_it_is_read(chip_pc):
    """The program is stopped while the rider presses, and goes on 5 s later."""
    firmware = await start(chip_pc)

    async def play_unseen(contacts: str, before: str = "true") -> None:
        await chip_pc.run(f"{before}; killall -STOP lenker")
        await chip_pc.play(script(contacts))
        await chip_pc.run("usleep 5000000; killall -CONT lenker")

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


async def held_for_ever(pc: Machine, firmware: Firmware, name: str) -> None:
    """Waits until that is told, with advice; then the button is free, and the other one works."""
    await pc.run("usleep 40000000")
    stuck = await firmware.log.wait_for("error", LONG, source="gpio")
    assert stuck["message"] == (
        f"{CHIP} line {A} line {B}: button {name.upper()} is held for 30 s: "
        "free it, or look for water and a short circuit to ground"
    )
    await pc.set_button(BUTTON_LINES[name], is_pressed=False)
    await pc.run(AFTER_BOUNCES)
    await pc.press(B)
    await heard(firmware, [B_SHORT])
    assert await firmware.stop() == 0
    assert len([event for event in firmware.log.named("error") if event["source"] == "gpio"]) == 1


@with_either_libgpiod
async def test_a_button_that_is_never_released_is_told_once(chip_pc):
    firmware = await start(chip_pc)
    await chip_pc.set_button(A, is_pressed=True)
    await held_for_ever(chip_pc, firmware, "a")
    assert all_heard(firmware) == [A_LONG, B_SHORT]


@with_either_libgpiod
async def test_a_button_that_is_held_from_the_start_forgets_no_phone(chip_pc):
    closed = f"LD_PRELOAD=/lib/closed-contact.so CLOSED_CONTACT={contact(B)}"
    firmware = await start(chip_pc, closed)
    await held_for_ever(chip_pc, firmware, "b")
    assert all_heard(firmware) == [B_SHORT]

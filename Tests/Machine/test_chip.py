"""A GPIO chip of the kernel: what the firmware asks of its lines, and a chip that goes and comes back."""

import pytest

from bonding import LONG
from libgpiod import LIBGPIOD_2, with_either_libgpiod
from machine import ALERT, BUTTONS, CHIP, NO_OTHERS, A, B

ALL_LINES = [*BUTTONS, f"alert={ALERT}"]
NO_CHIP = "no such chip: see gpiodetect for those there are"

WRONG_BUTTONS = {
    "no such chip": (["buttons=gpio:/dev/gpiochip7"], f"/dev/gpiochip7 line 17 line 27: {NO_CHIP}"),
    "no chip": (
        ["buttons=gpio:/dev/null"],
        "/dev/null line 17 line 27: not a GPIO chip: see gpiodetect for those there are",
    ),
    "no such line": (
        ["button-a=32"],
        f"{CHIP} line 32 line 27: the chip has no such line: see gpioinfo for those there are",
    ),
}


@with_either_libgpiod
async def test_buttons_have_their_pull_ups_and_count_from_ground_and_the_alert_is_an_output(chip_pc, request):
    firmware = await chip_pc.start_firmware(*NO_OTHERS, *ALL_LINES)
    await chip_pc.wait_for_line(ALERT)
    # The kernel tells what edges are listened to only of the lines that libgpiod 2 asks for.
    edges = " rising falling" if request.node.callspec.params["archive"] == LIBGPIOD_2 else ""
    for button in (A, B):
        assert await chip_pc.line(button) == f"lenker input active-low pull-up{edges}"
    assert await chip_pc.line(ALERT) == "lenker output"
    assert await firmware.stop() == 0
    for offset in (A, B, ALERT):
        assert (await chip_pc.line(offset)).split()[0] == "nobody"


@with_either_libgpiod
async def test_check_says_that_the_lines_are_there(chip_pc):
    _, said = await chip_pc.attempt(f"lenker --check {' '.join([*NO_OTHERS, *ALL_LINES])}")
    found = [line.partition(";")[0] for line in said.splitlines()]
    assert f"ok buttons {CHIP} line {A} line {B}" in found
    assert f"ok alert {CHIP} line {ALERT}" in found


@with_either_libgpiod
@pytest.mark.parametrize("wrong", WRONG_BUTTONS)
async def test_each_reason_not_to_get_the_buttons_is_told(chip_pc, wrong):
    keys, message = WRONG_BUTTONS[wrong]
    board = dict(key.split("=") for key in [*NO_OTHERS, *BUTTONS, *keys])
    firmware = await chip_pc.start_firmware(*(f"{key}={value}" for key, value in board.items()))
    assert (await firmware.log.wait_for("error", LONG, source="gpio"))["message"] == message
    assert await firmware.stop() == 0


@with_either_libgpiod
async def test_a_chip_that_goes_is_told_and_used_again_when_it_is_back(chip_pc):
    firmware = await chip_pc.start_firmware(*NO_OTHERS, *ALL_LINES)
    await chip_pc.wait_for_line(ALERT)
    for _ in range(2):
        await chip_pc.unplug_chip()
        buttons = f"{CHIP} line {A} line {B}: "
        gone = await firmware.log.wait_for("error", LONG, source="gpio")
        assert gone["message"].startswith(f"{buttons}the chip is gone")
        missing = {(await firmware.log.wait_for("error", LONG, source="gpio"))["message"] for _ in range(2)}
        assert missing == {buttons + NO_CHIP, f"{CHIP} line {ALERT}: {NO_CHIP}"}

        await chip_pc.plug_chip()
        for offset in (A, B, ALERT):
            await chip_pc.wait_for_line(offset)
        await chip_pc.press(A)
        await firmware.log.wait_for("button", LONG, name="a", press="short")
    assert await firmware.stop() == 0

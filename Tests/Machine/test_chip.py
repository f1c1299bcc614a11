"""A GPIO chip of the kernel: what the firmware asks of its lines, and a chip that goes and comes back."""

from bonding import LONG
from libgpiod import LIBGPIOD_2, with_either_libgpiod
from machine import ALERT, BUTTONS, CHIP, NO_OTHERS, A, B

ALL_LINES = [*BUTTONS, f"alert={ALERT}"]
NO_CHIP = "no such chip: see gpiodetect for those there are"


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

"""What a builder must know before the first start, in the guide that has the parts."""

from lenker_bench.programs.processes import ROOT

BUILD = "Boards/guide/build.md"


def guide(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def row(text: str, part: str) -> str:
    (found,) = [line for line in text.splitlines() if line.startswith(f"| {part} |")]
    return found


def test_central_behaviour_104_the_guide_names_the_cards_that_fit():
    card = row(guide(BUILD), "card")
    assert "32 GB" in card and "any size" not in card


def test_central_behaviour_104_the_guide_warns_of_power_banks_whose_mode_ends():
    assert "after two hours" in guide(BUILD)


def test_central_behaviour_104_on_raspberry_pi_os_the_clock_of_the_bus_is_kept_still():
    text = guide(BUILD)
    assert "enable_uart=1" in text and "250 kHz" in text


def test_central_behaviour_103_the_guide_names_the_firmware_of_both_chips():
    text = guide("Boards/pi-zero-2-w/README.md")
    assert "SYN43430A1" in text and "SYN43430B0" in text

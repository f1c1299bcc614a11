"""What a builder must know before the first start, in each guide that tells of the parts."""

import pytest

from lenker_bench.programs.processes import ROOT

GUIDES = ["README.md", "Boards/pi-zero-w/README.md", "Boards/pi-zero-2-w/README.md"]


def guide(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def row(text: str, part: str) -> str:
    (found,) = [line for line in text.splitlines() if line.startswith(f"| {part} |")]
    return found


@pytest.mark.parametrize("path", GUIDES)
def test_central_behaviour_104_the_guide_names_the_cards_that_fit(path):
    card = row(guide(path), "card")
    assert "32 GB" in card and "any size" not in card


@pytest.mark.parametrize("path", GUIDES)
def test_central_behaviour_104_the_guide_warns_of_power_banks_whose_mode_ends(path):
    assert "after two hours" in guide(path)


@pytest.mark.parametrize("path", ["README.md", "Boards/pi-zero-2-w/README.md"])
def test_central_behaviour_104_on_raspberry_pi_os_the_clock_of_the_bus_is_kept_still(path):
    text = guide(path)
    assert "enable_uart=1" in text and "250 kHz" in text


def test_central_behaviour_103_the_guide_names_the_firmware_of_both_chips():
    text = guide("Boards/pi-zero-2-w/README.md")
    assert "SYN43430A1" in text and "SYN43430B0" in text

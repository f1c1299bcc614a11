"""The emulated Pi Zero W loses its current at any moment."""

import random

import pytest
from pi_phones import rider
from power_cuts import BEING_WRITTEN, PowerCuts

ROUNDS = 8  # `power-cuts` has more
SEED = 3


@pytest.mark.timeout(240)
async def test_it_comes_up_paired_or_free_as_it_last_told_wherever_the_current_was_cut(card_image, tmp_path):
    print("seed", SEED)
    async with rider() as (phone, _):
        cuts = PowerCuts(card_image, tmp_path, phone, random.Random(SEED))
        while cuts.cuts.total() < ROUNDS or not cuts.cuts.keys() >= set(BEING_WRITTEN.values()):
            await cuts.cut()
    print(cuts.cuts, cuts.found)
    assert cuts.found.keys() == {"paired", "free"}

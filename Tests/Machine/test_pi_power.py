"""The emulated Pi Zero W loses its current at any moment."""

import random

from pi_phones import rider
from power_cuts import (
    BEHIND_RECORD,
    BLOCK_LOST,
    ERROR_TORN,
    FREE,
    PAIRED,
    RECORD_TORN,
    USING,
    PowerCuts,
)

SEED = 1
ROUNDS = [
    (RECORD_TORN, FREE),
    (BEHIND_RECORD, FREE),
    (ERROR_TORN, PAIRED),
    (BEHIND_RECORD, PAIRED),
    (BLOCK_LOST, FREE),
]
"""When the current is cut, and what it was before; `power-cuts` has more."""


async def test_it_comes_up_paired_or_free_as_it_has_written_wherever_the_current_was_cut(card_image, tmp_path):
    print("seed", SEED)
    async with rider() as (phone, _):
        cuts = PowerCuts(card_image, tmp_path, phone, random.Random(SEED))
        for moment, state in ROUNDS:
            assert cuts.state == state
            await cuts.cut(moment)
        await cuts.cut(USING)  # sees what the last one left

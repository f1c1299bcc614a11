"""Contacts that bounce, through a GPIO chip of the kernel: each press counts, and each counts once."""

import random
from dataclasses import dataclass, field

import pytest

from libgpiod import with_either_libgpiod
from machine import BUTTONS, NO_OTHERS, A, B, contact

pytestmark = pytest.mark.thorough

SEED = 1895
PRESSES = 250
SETTLING_TIME = 30_000  # microseconds for which a contact must keep its level


@dataclass
class Thumb:
    """Presses the buttons as worn contacts do, and knows what is to be counted."""

    random_source: random.Random
    now: int = 0
    script: list[str] = field(default_factory=list)
    presses: list[str] = field(default_factory=list)

    def press(self) -> None:
        """A press with 0–6 bounces at both ends, and now and then a disturbance that is none."""
        name, line = self.random_source.choice([("a", A), ("b", B)])
        if self.random_source.random() < 0.2:
            self._change(line, bounces=self.random_source.randint(0, 3), is_pressed=False, begins_pressed=True)
        self._change(line, bounces=self.random_source.randint(0, 3), is_pressed=True)
        self._change(line, bounces=self.random_source.randint(0, 3), is_pressed=False)
        self.presses.append(name)

    def rest(self) -> None:
        """Leaves the buttons until the last press has been counted."""
        self.script.append(f"{self.now} {contact(A)} pull-up\n")

    def _change(self, line: int, bounces: int, is_pressed: bool, begins_pressed: bool | None = None) -> None:
        """The contact goes to a level, back and to it again so often, and then keeps it."""
        first = is_pressed if begins_pressed is None else begins_pressed
        edges = 2 * bounces + (1 if first == is_pressed else 2)
        for number in range(edges):
            is_closed = first if number % 2 == 0 else not first
            self.script.append(f"{self.now} {contact(line)} {'pull-down' if is_closed else 'pull-up'}\n")
            last = number == edges - 1
            self.now += self._kept() if last else self.random_source.randint(50, 4_000)

    def _kept(self) -> int:
        return SETTLING_TIME + self.random_source.randint(3_000, 60_000)


@with_either_libgpiod
async def test_of_250_bouncing_presses_none_is_missed_or_counted_twice(chip_pc):
    print(f"seed {SEED}")
    thumb = Thumb(random.Random(SEED))
    for _ in range(PRESSES):
        thumb.press()
    thumb.rest()
    firmware = await chip_pc.start_firmware(*NO_OTHERS, *BUTTONS)
    await chip_pc.wait_for_line(B)
    await chip_pc.play("".join(thumb.script), 170)
    assert await firmware.stop() == 0
    counted = [(event["name"], event["press"]) for event in firmware.log.named("button")]
    assert counted == [(name, "short") for name in thumb.presses]

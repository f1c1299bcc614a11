"""Cuts the current of the emulated Pi Zero W at random moments, and sees what it remembers after that.

Each round starts the Pi and sees whether it knows the phone. Then the rider pairs it with the phone or has it forget the
phone, and the current is cut: during the start, in a write of the bond, in use, or while an error is written down. What
the Pi had told before must hold at the next start; what was under way has happened or has not.
"""

import asyncio
import random
from collections import Counter
from pathlib import Path

from bonding import LONG, STREET, happened, states
from card import copy_of, partitions
from hostile_phone import HostilePhone
from pi import BUTTONS, Pi, running_pi, set_board
from power import FailingCard

STARTING, WRITING, USING, FAILING = "starting", "writing", "using", "failing"
MOMENTS = {STARTING: 1, WRITING: 4, USING: 2, FAILING: 1}
"""When the current is cut, and how often in proportion: mostly while the bond is being written or erased."""

FREE, PAIRED = "free", "paired"
BEING_WRITTEN = {FREE: "bond being written", PAIRED: "bond being erased"}
OUTCOMES = {"saved": PAIRED, "erased": FREE}

START_TIME = 4.0  # seconds; some more than a start takes
USE_TIME = 2.0  # seconds from the press that pairs or forgets
SECTORS_OF_A_RECORD = 8  # the kernel writes so many at once
SECTORS_OF_AN_ERROR = 2


class WrongStart(Exception):
    """The Pi came up and was not as it had said, or did not come up."""


class PowerCuts:
    """Rounds with one card and one phone."""

    def __init__(self, image: Path, folder: Path, phone: HostilePhone, random_source: random.Random) -> None:
        self.cuts: Counter[str] = Counter()
        """How often in each moment and state."""
        self.found: Counter[str] = Counter()
        """How often a start found itself paired or free."""
        self._folder = folder
        self._image = folder / "card.img"
        self._phone = phone
        self._seeds = self._random = random_source
        self._allowed = {FREE}
        self._state: str | None = None
        self._is_agreed = False
        """Whether the phone has ended the last pairing, too, and not lost its peer just then."""
        set_board(copy_of(image, self._image), {"events": "stderr", "buttons": f"fifo:{BUTTONS}"})
        self._bond = partitions(self._image)[1]

    async def cut(self, moment: str | None = None) -> None:
        """A round, with any moment if none is given. Raises `WrongStart` with all that was heard."""
        # How far a round gets is a matter of time, and nothing of the next one's.
        self._random = random.Random(self._seeds.getrandbits(64))
        moment = moment or self._random.choices(*zip(*MOMENTS.items(), strict=True))[0]
        heard: list[str] = []
        agreements = self._agreements
        self._state = None
        try:
            async with FailingCard(self._image, self._bond, self._random) as card:
                running = running_pi(card, self._folder, self._phone.port, show=lambda said: heard.append(str(said)))
                async with running as pi:
                    await self._run(pi, card, moment)
        except (AssertionError, TimeoutError) as error:
            number = self.cuts.total() + 1
            raise WrongStart(f"round {number}, {moment}: {error}\n" + "\n".join(heard)) from error
        self.cuts[self._label(moment, card)] += 1
        self._note(pi, card, self._agreements > agreements)

    def _label(self, moment: str, card: FailingCard) -> str:
        """What happened when the current was cut."""
        if self._state is None:
            return "starting"
        if card.failed.is_set():
            return "error being written" if moment == FAILING else BEING_WRITTEN[self._state]
        return f"in use, {self._state} before"

    @property
    def _agreements(self) -> int:
        return states(self._phone.log, "pairing").count("done")

    @property
    def _holds_key(self) -> bool:
        with self._image.open("rb") as file:
            file.seek(self._bond.start)
            content = file.read(self._bond.size)
        irk = self._phone.phone.identity.irk
        return irk in content or irk[::-1] in content

    async def _run(self, pi: Pi, card: FailingCard, moment: str) -> None:
        """Until the current is cut."""
        using = asyncio.create_task(self._use(pi, card, moment))
        coming = asyncio.create_task(self._come(moment, card))
        try:
            await asyncio.wait({using, coming}, return_when=asyncio.FIRST_COMPLETED)
            pi.cut_power()
            if using.done():
                using.result()
        finally:
            using.cancel()
            coming.cancel()

    async def _come(self, moment: str, card: FailingCard) -> None:
        """Until the moment has come."""
        if moment == STARTING:
            await asyncio.sleep(self._random.uniform(0, START_TIME))
        else:
            await card.failed.wait()

    async def _use(self, pi: Pi, card: FailingCard, moment: str) -> None:
        """What the rider does, who finds that all is as it was told."""
        await pi.log.wait_for("scan", LONG)
        state = PAIRED if "loaded" in states(pi.log, "bond") else FREE
        assert state in self._allowed, f"it came up {state} and should be one of {self._allowed}"
        assert pi.log.named("start")[0]["board"] == "/boot/board.conf"
        assert pi.log.named("frame") != []
        wrong = [error for error in pi.log.named("error") if error["source"] != "hci"]
        assert wrong == [], wrong
        assert self._holds_key == (state == PAIRED), "a phone's key is on the card for as long as the phone is remembered"
        self._allowed = {state}
        self._state = state
        self.found[state] += 1
        await self._meet(pi, state)
        await pi.is_up()
        if moment == FAILING:
            card.fail_at(len(card.written) + self._random.randrange(SECTORS_OF_AN_ERROR))
            await pi.run("kill -SEGV $(pidof lenker)")
        else:
            if moment == WRITING:
                records = 1 if state == FREE else 2
                card.fail_at(len(card.written) + self._random.randrange(records * SECTORS_OF_A_RECORD))
            await self._change(pi, state)
        await asyncio.sleep(self._random.uniform(0, USE_TIME))

    async def _meet(self, pi: Pi, state: str) -> None:
        """The phone is there, and is known or asked to pair."""
        if state == FREE:
            number = (await pi.log.wait_for("pairing", LONG, state="confirm"))["number"]
            await self._phone.log.wait_for("pairing", LONG, state="confirm", number=number)
        elif self._is_agreed:
            await pi.log.wait_for("link", LONG, state="encrypted")
            await happened(pi.log, "instruction", street=STREET)
        else:
            await pi.log.wait_for("bond", LONG, state="rejected")

    async def _change(self, pi: Pi, state: str) -> None:
        if state == FREE:
            self._is_agreed = False
            await pi.press_after_reading("p")
        else:
            await pi.press("U")

    def _note(self, pi: Pi, card: FailingCard, is_agreed: bool) -> None:
        """What the next start may find."""
        self._is_agreed |= is_agreed
        outcomes = [OUTCOMES[told] for told in states(pi.log, "bond") if told in OUTCOMES]
        if outcomes:
            self._allowed = {outcomes[-1]}
        elif any(offset >= self._bond.start for offset in card.written):
            self._allowed = {FREE, PAIRED}

"""Cuts the current of the emulated Pi Zero W at random moments, and sees what it remembers after that.

Each round starts the Pi and sees whether it knows the phone, as it should by what the one before has told and written.
Then the rider pairs it with the phone or has it forget the phone, and the current is cut. The sensors that the card
remembers from the first round on are there in each. With an update each start is the first one after it was unzipped.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from bonding import LONG, STREET, states
from card import BLOCK, Card, copy_of
from hostile_phone import HostilePhone
from machine import MachineError
from pi import BUTTONS, Pi, running_pi, set_board
from power import LOST, TORN, FailingCard
from sensor_records import SENSORS, record_with_sensors
from store_on_card import RECORD_WRITES, StoreOnCard
from updates import OWN_PROGRAM, UPDATED_PROGRAM, unzip

STARTING = "while it starts"
USING = "in use, after the press"
RECORD_TORN = "a record torn"
BEHIND_RECORD = "behind a record, in the same write"
BLOCK_LOST = "a record's block of flash lost"
ERROR_TORN = "an error torn"
ERROR_LOST = "an error's block of flash lost"
MOMENTS = {STARTING: 1, USING: 2, RECORD_TORN: 2, BEHIND_RECORD: 1, BLOCK_LOST: 2, ERROR_TORN: 1, ERROR_LOST: 1}
"""When the current is cut, and how often in proportion."""

FREE, PAIRED = "free", "paired"
OUTCOMES = {"saved": PAIRED, "erased": FREE}
OTHER = {FREE: PAIRED, PAIRED: FREE}

START_TIME = 4.0  # seconds; some more than a start takes
USE_TIME = 2.0  # seconds from the press that pairs or forgets
ERROR_WRITES = 2


class WrongStart(Exception):
    """The Pi came up and was not as it had said, or did not come up."""


class PowerCuts:
    """Rounds with one card and one phone; it is `state`, paired or free, as far as is known here.

    `update` has the files of an update, if there is one.
    """

    def __init__(
        self,
        image: Path,
        folder: Path,
        phone: HostilePhone,
        random_source: random.Random,
        update: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        self.state = FREE
        self.cuts: Counter[tuple[str, str]] = Counter()
        """How often in each moment and state."""
        self._folder = folder
        self._update = update
        self._image = folder / "card.img"
        self._phone = phone
        self._seeds = random_source
        self._is_agreed = False
        """Whether the phone has ended the last pairing, too, and not lost its peer just then."""
        self._change: int | None = None
        """After how many writes the rider pressed."""
        self._has_damage = False
        """Whether what the rider's press writes goes over a damaged record."""
        set_board(copy_of(image, self._image), {"events": "stderr", "buttons": f"fifo:{BUTTONS}"})
        self._store = StoreOnCard(self._image)
        self._store.put(record_with_sensors(sequence=3))  # the image has records with 1 and 2

    async def cut(self, moment: str | None = None) -> None:
        """A round, with any moment if none is given. Raises `WrongStart` with all that was heard."""
        # How far a round gets is a matter of time, and nothing of the next one's.
        source = random.Random(self._seeds.getrandbits(64))
        moment = moment or source.choices(*zip(*MOMENTS.items(), strict=True))[0]
        heard: list[str] = []
        agreements, self._change = self._agreements, None
        unzip(Card(self._image), self._update)
        try:
            async with FailingCard(self._image, source) as card:
                running = running_pi(card, self._folder, self._phone.port, show=lambda said: heard.append(str(said)))
                async with running as pi:
                    await self._run(pi, card, moment, source)
            self.cuts[moment, self.state] += 1
            self._is_agreed |= self._agreements > agreements
            self.state = self._left(pi, card)
        except (AssertionError, TimeoutError, MachineError) as error:
            raise WrongStart(f"round {self.cuts.total() + 1}, {moment}: {error}\n" + "\n".join(heard)) from error

    @property
    def _agreements(self) -> int:
        return states(self._phone.log, "pairing").count("done")

    async def _run(self, pi: Pi, card: FailingCard, moment: str, source: random.Random) -> None:
        """Until the current is cut."""
        using = asyncio.create_task(self._use(pi, card, moment, source))
        moment_comes = asyncio.sleep(source.uniform(0, START_TIME)) if moment == STARTING else card.failed.wait()
        coming = asyncio.create_task(moment_comes)
        try:
            await asyncio.wait({using, coming}, return_when=asyncio.FIRST_COMPLETED)
            pi.cut_power()
            if using.done():
                using.result()
        finally:
            using.cancel()
            coming.cancel()

    async def _use(self, pi: Pi, card: FailingCard, moment: str, source: random.Random) -> None:
        """What the rider does, who finds that all is as it was told."""
        await pi.log.wait_for("scan", LONG)
        self._check(pi)
        if self.state == FREE:
            await self._search_keys()
        await self._meet(pi)
        await pi.is_up()
        program = await pi.run("readlink /proc/$(pidof lenker)/exe")
        assert program == (UPDATED_PROGRAM if self._update else OWN_PROGRAM)
        if moment == STARTING:
            await asyncio.Event().wait()  # for the clock, which may be slower than the start
        if moment in (ERROR_TORN, ERROR_LOST):
            card.fail_at(source.randrange(ERROR_WRITES), TORN if moment == ERROR_TORN else LOST)
            await pi.run("kill -SEGV $(pidof lenker)")
        else:
            self._prepare(card, moment, source)
            self._change = len(card.written)
            if self.state == FREE:
                self._is_agreed = False
                await pi.press_after_reading("a")
            else:
                await pi.press("B")
        if moment == USING:
            await asyncio.sleep(source.uniform(0, USE_TIME))
        else:
            await asyncio.wait_for(card.failed.wait(), LONG)

    def _prepare(self, card: FailingCard, moment: str, source: random.Random) -> None:
        """Has the current fail in one of the records that pairing writes, or of the two that forgetting writes."""
        before = self._store.writes_before_record()
        self._has_damage = before > 0
        record = before + (0 if self.state == FREE else source.randrange(2) * RECORD_WRITES)
        if moment == RECORD_TORN:
            card.fail_at(record, TORN)
        elif moment == BEHIND_RECORD:
            card.fail_at(record + source.randrange(1, RECORD_WRITES), TORN)
        elif moment == BLOCK_LOST:
            card.fail_at(record + source.randrange(RECORD_WRITES), LOST)

    def _check(self, pi: Pi) -> None:
        state = PAIRED if "loaded" in states(pi.log, "bond") else FREE
        assert state == self.state, f"it came up {state} and should be {self.state}"
        assert pi.log.named("start")[0]["board"] == "/boot/board.conf"
        assert pi.log.named("frame") != []
        wrong = [error for error in pi.log.named("error") if error["source"] != "hci"]
        assert wrong == [], wrong
        found = self._store.sensors()
        assert found == SENSORS, f"it remembers {found.hex()}"

    async def _search_keys(self) -> None:
        """The card of a Pi that remembers nobody has neither the phone's key nor that of the last pairing."""
        bonds = await self._phone.pairing.bonds.get_all()
        keys = [self._phone.phone.identity.irk, *(bond.ltk.value for _, bond in bonds if bond.ltk)]
        content = self._image.read_bytes()
        assert not any(key in content or key[::-1] in content for key in keys), "a key is on the card"

    async def _meet(self, pi: Pi) -> None:
        """The phone is there, and is known or asked to pair."""
        if self.state == FREE:
            number = (await pi.log.wait_for("pairing", LONG, state="confirm"))["number"]
            await self._phone.log.wait_for("pairing", LONG, state="confirm", number=number)
        elif self._is_agreed:
            await pi.log.wait_for("link", LONG, state="encrypted")
            await pi.log.first("instruction", LONG, street=STREET)
        else:
            await pi.log.wait_for("bond", LONG, state="rejected")

    def _left(self, pi: Pi, card: FailingCard) -> str:
        """What the card must say at the next start: the old state until the first record of the new one is whole."""
        writes = card.written[self._change :] if self._change is not None else []
        beginnings = [place for place in writes if place >= self._store.start and place % BLOCK == 0]
        kept = [place for place in beginnings if place // BLOCK != card.lost]
        # The first of them only spoils what is damaged.
        is_changed = len(kept) > self._has_damage
        left = OTHER[self.state] if is_changed else self.state
        told = [OUTCOMES[state] for state in states(pi.log, "bond") if state in OUTCOMES]
        assert told in ([], [left]), f"it told {told} and has written {left}"
        return left

"""The emulated Pi Zero W with sensors: what they cost, and what is left of them where the current is cut."""

import asyncio
import contextlib
import random
from pathlib import Path

from bonding import LONG, STREET
from card import copy_of
from lenker_bench.phone.rides import OWN_RIDE
from lenker_bench.programs import rider as riders
from lenker_bench.sensors.sensor import Sensor, sensors_of
from lenker_trials.sessions.losses import SENSORS
from pi import BUTTONS, load, running_pi, set_board
from pi_phones import Rider, rider
from power import TORN, FailingCard
from store_on_card import RECORD_WRITES, StoreOnCard
from test_pi_ride import PROCESSOR_LIMIT, RESIDENT_LIMIT, RIDING_TIME

SEED = 1
PRESSED = {"buttons": f"fifo:{BUTTONS}"}


async def test_riding_with_three_sensors_costs_little(card, tmp_path):
    set_board(card, {"pairing": "off", **PRESSED})
    async with (
        Rider(OWN_RIDE, speed=1, sensors=SENSORS.values()) as phone,
        running_pi(card, tmp_path, radio=phone.port) as pi,
    ):
        await pi.log.wait_for("instruction", LONG)
        await pi.is_up()
        await riders.Rider(pi.log, pi.press_soon).add_each(set(SENSORS))
        _, busy, start = await load(pi)
        await pi.run(f"sleep {RIDING_TIME}")
        resident, busy_at_end, end = await load(pi)
    share = (busy_at_end - busy) / (end - start)
    print(f"riding with three sensors: {share:.3%} of the processor; {resident} bytes are resident")
    assert share < PROCESSOR_LIMIT and resident < RESIDENT_LIMIT


class Rides:
    """One card, one phone that is remembered and one strap; the current is cut in the end of each ride."""

    def __init__(self, image: Path, folder: Path, port: int, strap: Sensor) -> None:
        self._image, self._folder, self._port, self._strap = folder / "card.img", folder, port, strap
        set_board(copy_of(image, self._image), {"events": "stderr", **PRESSED})
        self._store = StoreOnCard(self._image)

    @contextlib.asynccontextmanager
    async def riding(self, *, has_phone: bool = True, has_strap: bool = False):
        """A ride that begins with whom the card remembers."""
        async with FailingCard(self._image, random.Random(SEED)) as card:
            async with running_pi(card, self._folder, self._port) as pi:
                if has_phone:
                    await pi.log.wait_for("link", LONG, state="encrypted")
                    await pi.log.first("instruction", LONG, street=STREET)
                await pi.is_up()
                if has_strap:
                    await pi.log.first("sensor", LONG, address=self._strap.address.to_string(False), state="ready")
                else:
                    assert pi.log.named("sensor") == [], "a strap is remembered"
                yield pi, card
                pi.cut_power()

    async def pair(self) -> None:
        async with self.riding(has_phone=False) as (pi, _):
            await pi.log.wait_for("pairing", LONG, state="confirm")
            await pi.press_after_reading("a")
            await pi.log.wait_for("bond", LONG, state="saved")

    async def add_until_cut(self, sector: int) -> None:
        """The rider keeps the strap; the current is cut in this sector of the record."""
        async with self.riding() as (pi, card):
            card.fail_at(self._store.writes_before_record() + sector, TORN)
            adding = asyncio.create_task(riders.Rider(pi.log, pi.press_soon).add(lambda offered: True))
            await asyncio.wait_for(card.failed.wait(), LONG)
            adding.cancel()
            assert "remembered" not in [event["state"] for event in pi.log.named("sensor")]

    async def forget_until_cut(self, sector: int) -> None:
        """The rider has all sensors forgotten, on their page; the current is cut as above."""
        async with self.riding(has_strap=True) as (pi, card):
            card.fail_at(self._store.writes_before_record() + sector, TORN)
            pi.press_soon("aaaB")  # by the pages of the ride and of the data
            await asyncio.wait_for(card.failed.wait(), LONG)
            assert "forgotten" not in [event["state"] for event in pi.log.named("sensor")]


async def test_phone_and_strap_are_each_remembered_as_last_written_where_the_current_is_cut(card_image, tmp_path):
    """In the record's first sector nothing has changed yet; behind it, in the same write, all has."""
    async with rider() as (phone, _):
        (strap,) = sensors_of(phone.air, ["heart"], [], SEED, phone.report)
        await strap.start()
        try:
            rides = Rides(card_image, tmp_path, phone.port, strap)
            await rides.pair()
            await rides.add_until_cut(sector=0)
            await rides.add_until_cut(sector=1)
            await rides.forget_until_cut(sector=0)
            await rides.forget_until_cut(sector=RECORD_WRITES - 1)
            async with rides.riding():
                pass
        finally:
            await strap.stop()

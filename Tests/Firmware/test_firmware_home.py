"""The real program beside the beacon of the garage: dark while nobody needs it, lit as soon as somebody does."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from builds import regular_and_later_armv6
from lenker_bench.phone.kinds import IOS
from lenker_bench.programs.events import Follower
from lenker_bench.street.beacons import Beacon, BeaconChoice
from lenker_bench.street.street import Street
from lenker_trials.sessions.fault_cases import quiet_loop
from lenker_trials.sessions.scenarios import Bench
from lenker_trials.sessions.steps import Recorder
from recording import are_the_same_but_for_inversion, told, told_apart
from test_firmware_street import RIDE, ridden

UUID = "E20A39F4-73F5-4BC4-A12F-17D1AD07A961"
HOME = f"home={UUID}/7/515"
LONG = 60.0


class Garage:
    """A firmware beside its beacon; the phone is away until it is started."""

    def __init__(self) -> None:
        self.bench = Bench(IOS, 1, Recorder())
        choice = BeaconChoice.parsed(f"{UUID}/7/515@-60")
        self._beacon = Street(self.bench.air, [Beacon(choice, LONG, random.Random(1))], random.Random(1))
        self._folder = Path()

    @contextlib.asynccontextmanager
    async def running(self, command: Sequence[str], folder: Path) -> AsyncIterator[None]:
        self._folder = folder
        with quiet_loop():
            async with self.bench.running(command, folder, with_phone=False, keys=["pairing=off", HOME]):
                self.events = Follower(self.bench.firmware.log)
                self._beacon.start()
                yield
                self._beacon.stop()
                await self.bench.firmware.stop()

    async def next(self, name: str, **fields: object) -> dict:
        return await self.events.next(lambda event: event["event"] == name and fields.items() <= event.items())

    async def becomes(self, is_lit: bool) -> None:
        """Waits until the glass shows something, or nothing."""
        while any((self._folder / "latest.pbm").read_bytes().split(b"\n", 2)[2]) != is_lit:
            await self.next("frame")


@regular_and_later_armv6
async def test_the_panel_is_dark_in_the_garage_until_the_first_turn(build, lenker_command, tmp_path):
    """A press, a wheel and the times are shown in virtual time, in HomeTests."""
    garage = Garage()
    async with garage.running(lenker_command, tmp_path):
        await garage.next("home", state="here")
        await garage.becomes(is_lit=False)
        await garage.bench.phone.start()
        await garage.next("home", state="away")
        await garage.next("instruction")
        await garage.becomes(is_lit=True)
        assert garage.bench.errors == []


async def test_a_ride_beside_the_beacon_is_the_ride_without_it(lenker_command, tmp_path):
    folders = [tmp_path / name for name in ("beside", "without")]
    for folder in folders:
        folder.mkdir()
    options = ("--seed=1", "--kind=ios", "--air=instant")
    (beside, _), (without, _) = await asyncio.gather(
        ridden([*lenker_command, HOME], folders[0], *options, f"--beacon={UUID}/7/515@-50"),
        ridden(lenker_command, folders[1], *options),
    )
    assert told(beside.events) == told(without.events) == told_apart(RIDE)
    assert beside.named("home") == [] == beside.named("error")
    pictures, others = beside.pictures_of_instructions(), without.pictures_of_instructions()
    both = pictures.keys() & others.keys()
    assert len(both) > 2
    assert [key for key in both if not are_the_same_but_for_inversion(pictures[key] | others[key])] == []

"""What turns by Gadgetbridge cost, and what strangers who connect cost the rider's phone: for `benchmark.py`.

A turn's delay begins where the last piece of its line goes to the firmware, and ends with the `frame` event of the
picture that shows it. The rider's phone tries from the moment at which it is back in reach; it is back when its own
link is encrypted. A stranger goes on connecting meanwhile: half a second after it was sent away it is there again.
"""

import asyncio
import functools
import random
import statistics
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from lenker_bench.phone.gadgetbridge import Gadgetbridge
from lenker_bench.phone.kinds import GADGETBRIDGE, IPHONE_COMES, Kind
from lenker_bench.phone.knocking import Knocker
from lenker_bench.phone.pairing import JUST_WORKS, PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.wire.true_air import AIRS, INSTANT, TRUE
from lenker_trials.sessions.bench import FIRMWARE_ADDRESS, Bench, quiet_loop
from lenker_trials.sessions.proxy import TO_FIRMWARE

SEED = 1
TURNS, TICK = 120, 0.23  # seconds between two turns
SETTLE = 12.0  # seconds until what was there before is old news
FARTHEST, STEP, STEPS = 950, 50, 18  # metres
RETURNS = 10
BETWEEN_STRANGERS = 0.5  # seconds
STRANGERS = 4  # links before the phone comes: from then on it is advertised slowly
PATIENCE = 60.0
WRITE_TO_RX = bytes([0x04, 0x00, 0x12, 0x0C, 0x00])  # the channel of ATT, a Write Request and the handle
CHANNEL = slice(7, 12)
LINE_END = b"\n"

Row = tuple[str, str, str]


class Session:
    """One firmware, and a phone without komoot that makes the link and is paired with."""

    def __init__(self, air: str, make: Callable[..., Phone], kind: Kind) -> None:
        self.air = AIRS[air](SEED)
        make = functools.partial(make, has_komoot=False, pairing=PairingHabits(JUST_WORKS))
        self.bench = Bench(kind, SEED, air=self.air, make=make)
        self.phone = self.bench.phone

    def running(self, command: Sequence[str], folder: Path) -> AbstractAsyncContextManager[None]:
        folder.mkdir(parents=True)
        store, trace = folder / "bond", folder / "i2c.trace"
        keys = ("pairing=preferred", "advertise=on", f"store={store}", f"i2c-trace=file:{trace}")
        return self.bench.running(command, folder, keys=keys)

    async def pair(self) -> None:
        firmware = self.bench.firmware
        await firmware.log.wait_for("pairing", PATIENCE, state="ask")
        firmware.press("a")
        await firmware.log.wait_for("bond", PATIENCE, state="saved")


async def turn_delays(command: Sequence[str], folder: Path) -> list[float]:
    """Milliseconds from the last byte of a turn's line to its picture."""
    app = Gadgetbridge()
    session = Session(INSTANT, functools.partial(Phone, gadgetbridge=app), GADGETBRIDGE)
    loop = asyncio.get_running_loop()
    written: list[float] = []
    delays: list[float] = []

    def on_packet(direction: str, packet: bytes) -> None:
        if direction == TO_FIRMWARE and packet[CHANNEL] == WRITE_TO_RX and packet.endswith(LINE_END):
            written[:] = [loop.time()]

    def on_frame(event: dict) -> None:
        if written:
            delays.append((loop.time() - written.pop()) * 1000)

    async with session.running(command, folder):
        await session.pair()
        await app.until_ready()
        await asyncio.sleep(SETTLE)
        session.bench.on_packet, session.bench.on_frame = on_packet, on_frame
        for number in range(TURNS):
            distance = FARTHEST - number % STEPS * STEP
            await app.say("nav", instr="Uferweg", distance=f"{distance}m", action="left")
            await asyncio.sleep(TICK)
    return delays


async def returns(command: Sequence[str], folder: Path) -> list[float]:
    """Seconds from the phone's own first try to its encrypted link, beside a stranger."""
    session = Session(TRUE, Phone, IPHONE_COMES)
    knocks: asyncio.Queue[int] = asyncio.Queue()

    def report(event: str, **fields: object) -> None:
        if event == "knock":
            knocks.put_nowait(fields.get("reason", 0))

    knocker = Knocker(session.air, FIRMWARE_ADDRESS, random.Random(SEED), report, rest=BETWEEN_STRANGERS)
    loop = asyncio.get_running_loop()
    found = []
    async with session.running(command, folder):
        await session.pair()
        session.phone.vanish()
        await knocker.start()
        log = session.bench.firmware.log
        for _ in range(RETURNS):
            while not knocks.empty():
                knocks.get_nowait()
            async with asyncio.timeout(PATIENCE):
                for _ in range(STRANGERS):
                    await knocks.get()
            begun = loop.time()
            session.phone.come_back()
            await log.wait_for("link", PATIENCE, state="encrypted")
            found.append(loop.time() - begun)
            session.phone.vanish()
        await knocker.stop()
    return found


async def visit_rows(command: Sequence[str], folder: Path) -> list[Row]:
    with quiet_loop():
        delays = await turn_delays(command, folder / "turns")
        back = await returns(command, folder / "returns")
    return [
        (
            "from the last byte of a Gadgetbridge turn, a `nav` line, to the last I2C byte, median",
            f"{statistics.median(delays):.1f} ms",
            "< 5 ms",
        ),
        (
            "back on a phone's own link beside a stranger who connects again and again, on the true air, median and "
            "the longest of ten",
            f"{statistics.median(back):.1f} and {max(back):.1f} s",
            "< 2 s",
        ),
    ]

"""One fault at one step of one session, and how the ride came back."""

import asyncio
import contextlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lenker_bench.wire.framing import ACL, COMMAND

from ..wire.faults import FAULTS, opcode_of_answer
from ..wire.proxy import TO_CONTROLLER
from .bounds import Bound, bound, is_of_sensor, is_to_be_told
from .scenarios import IDLE_TICK, REPEATED, SCENARIOS, Bench, Scenario
from .steps import OneFault, Recorder, Step, text_of

START_PATIENCE = 90.0  # seconds until a step must come, and a fault-free session must be over
NEWS_ON_LINK = 20.0  # seconds: a question that was not answered is over after 10
NEWS_ON_NEXT_LINK = 60.0  # seconds from the loss of a link
COMMANDS_BEFORE_LINK = {
    *("reset", "read-version", "read-commands", "read-buffers", "read-address", "le-read-buffers", "le-read-features"),
    *("set-event-mask", "le-set-event-mask", "write-le-host-support", "le-read-states"),
    *("advertising-report", "scan-response", "le-connection-failed"),
}
ATTRIBUTE_REQUESTS = {0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x12}


@dataclass(frozen=True)
class Case:
    scenario: Scenario
    step: Step
    fault: str

    @property
    def name(self) -> str:
        return f"{text_of(self.step)}/{self.fault}"

    @property
    def bound(self) -> Bound:
        return bound(self.step[0], self.fault)


@dataclass
class Result:
    """Seconds from the end of the fault: `shown` to the first fresh instruction, `settled` until the ride goes on.

    The ride goes on when, after the fault, a fresh instruction was shown, the firmware began another attribute
    request, so that none hangs, and no command waits for its answer; and at a step of a sensor, a value of that was
    told.
    """

    case: Case
    shown: float | None = None
    settled: float | None = None
    errors: list[str] = field(default_factory=list)
    failure: str = ""
    is_second: bool = False
    """Whether it failed before in a crowd of others."""


class Observation:
    """What a case waits for, from the packets that pass and the instructions that are shown."""

    def __init__(self, case: Case, bench: Bench) -> None:
        self.result = Result(case)
        self.is_settled = asyncio.Event()
        self.is_hit = asyncio.Event()
        self._bench = bench
        self._end = 0.0
        self._has_asked = False
        self._unanswered: int | None = None
        self._has_sensor = not is_of_sensor(case.step[0])

    def hit(self) -> None:
        """The fault has acted."""
        self._end = asyncio.get_running_loop().time() + FAULTS[self.result.case.fault].lasts
        self._bench.errors.clear()
        self.is_hit.set()

    def sent(self, packet: bytes) -> None:
        """The firmware sent this; it may never arrive."""
        if packet[0] == COMMAND:
            opcode = int.from_bytes(packet[1:3], "little")
            self._unanswered = opcode
        elif self._is_over and packet[0] == ACL and len(packet) > 9 and packet[9] in ATTRIBUTE_REQUESTS:
            self._has_asked = True

    def received(self, packet: bytes) -> None:
        """The firmware got this."""
        if self._unanswered is not None and opcode_of_answer(packet) == self._unanswered:
            self._unanswered = None

    def measured(self, event: dict) -> None:
        """The firmware told what sensors measure."""
        if self._is_over and "heart" in event:
            self._has_sensor = True

    def shown(self, told: float) -> None:
        if not self._is_over or told < self._end:
            return
        elapsed = asyncio.get_running_loop().time() - self._end
        if self.result.shown is None:
            self.result.shown = elapsed
            self._bench.tick = IDLE_TICK
        if self._has_asked and self._has_sensor and self._unanswered is None and self.result.settled is None:
            self.result.settled = elapsed
            self.is_settled.set()

    @property
    def _is_over(self) -> bool:
        return self.is_hit.is_set() and asyncio.get_running_loop().time() >= self._end


class WatchedFault(OneFault):
    """The plan of a case; it also tells the case's observation what the firmware sends."""

    observation: Observation

    def choose(self, direction: str, packet: bytes):
        # What the fault hits was sent before it.
        if direction == TO_CONTROLLER:
            self.observation.sent(packet)
        return super().choose(direction, packet)


async def run_case(case: Case, command: Sequence[str], seed: object) -> Result:
    """Runs one session with one fault in it."""
    plan = WatchedFault(case.step, case.fault, FAULTS[case.fault], lambda: plan.observation.hit())
    bench = case.scenario.bench(f"{seed} {case.scenario.name} {case.name}", plan)
    observation = plan.observation = Observation(case, bench)
    result = observation.result
    first = asyncio.Event()

    def on_instruction(told: float) -> None:
        first.set()
        observation.shown(told)

    bench.on_instruction = on_instruction
    bench.on_figures = observation.measured
    if is_of_sensor(case.step[0]):
        bench.lose_link = bench.sensors[0].drop
    bench.on_packet = lambda direction, packet: direction == TO_CONTROLLER or observation.received(packet)
    with tempfile.TemporaryDirectory(prefix="lenker-") as folder:
        async with bench.running(command, Path(folder), with_phone=not case.scenario.is_late):
            playing = asyncio.create_task(case.scenario.play(bench, first))
            try:
                async with asyncio.timeout(START_PATIENCE):
                    await unless_ended(bench, observation.is_hit)
                async with asyncio.timeout(FAULTS[case.fault].lasts + case.bound.seconds):
                    await unless_ended(bench, observation.is_settled)
                if bench.tells and not await hears_news_again(bench):
                    result.failure = "no notification was asked about any more, not on the next link either"
            except TimeoutError:
                what = "the ride did not go on" if observation.is_hit.is_set() else "this step never came"
                result.failure = f"{what}; link {bench.link}"
            finally:
                playing.cancel()
            result.errors = list(dict.fromkeys(bench.errors))
            if bench.firmware.status is not None:
                result.failure = f"the firmware ended with status {bench.firmware.status}"
    if not result.failure and bench.firmware.log.malformed:
        result.failure = f"no event: {bench.firmware.log.malformed[0][:100]!r}"
    if not result.failure and not result.errors and is_to_be_told(case.step[0], case.fault, result.shown):
        result.failure = f"silent for {result.shown:.1f} s without an error"
    return result


async def hears_news_again(bench: Bench) -> bool:
    """Whether the phone is asked about a notification; a service that seems to be missing is searched at each link."""
    for seconds in (NEWS_ON_LINK, NEWS_ON_NEXT_LINK):
        bench.was_asked.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await unless_ended(bench, bench.was_asked)
            return bench.was_asked.is_set()
        bench.phone.drop()
    return False


async def unless_ended(bench: Bench, event: asyncio.Event) -> None:
    """Waits for the event, or the end of the firmware."""
    waiting = [asyncio.create_task(event.wait()), asyncio.create_task(bench.firmware.process.wait())]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()


async def record(scenario: Scenario, command: Sequence[str], seed: object) -> list[Step]:
    """The steps of a session without faults. Raises `TimeoutError`."""
    recorder = Recorder()
    bench = scenario.bench(f"{seed} {scenario.name}", recorder)
    first, last = asyncio.Event(), asyncio.Event()
    bench.on_instruction = lambda told: first.set()
    name, number = scenario.last

    def on_packet(direction: str, packet: bytes) -> None:
        if recorder.names.count(name) >= number:
            last.set()

    bench.on_packet = on_packet
    with tempfile.TemporaryDirectory(prefix="lenker-") as folder:
        async with bench.running(command, Path(folder), with_phone=not scenario.is_late):
            playing = asyncio.create_task(scenario.play(bench, first))
            try:
                async with asyncio.timeout(START_PATIENCE):
                    await unless_ended(bench, last)
                    await unless_ended(bench, first)
            except TimeoutError:
                raise TimeoutError(
                    f"session '{scenario.name}' did not come to {text_of(scenario.last)}: {recorder.names[-5:]}"
                ) from None
            finally:
                playing.cancel()
    return recorder.steps(REPEATED)


async def all_steps(command: Sequence[str], seed: object) -> list[tuple[Scenario, Step]]:
    """Every step of every session, each in the first session that has it."""
    recorded = await asyncio.gather(*(record(scenario, command, seed) for scenario in SCENARIOS))
    found: dict[Step, Scenario] = {}
    for scenario, steps in zip(SCENARIOS, recorded, strict=True):
        for step in steps:
            found.setdefault(step, scenario)
    return [(scenario, step) for step, scenario in found.items()]


def can_lose_link(step: Step) -> bool:
    """Whether there can be a link at this step."""
    name = step[0].removesuffix(":answer")
    return name not in COMMANDS_BEFORE_LINK and not name.startswith(("le-set-scan", "le-create-connection"))


@contextlib.contextmanager
def quiet_loop():
    """An event loop without Bumble's complaints about damaged packets."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: None)
    try:
        yield
    finally:
        loop.set_exception_handler(None)

"""Speed, distance and cadence of random rides, against what was ridden: counts and times without an end."""

import random
import subprocess
from dataclasses import dataclass, field

import pytest

from lenker_bench.programs.processes import ROOT

SENSOR_RIDE = ROOT / ".build" / "debug" / "SensorRide"  # made by `swift build`, and with the units
CSC_WHEEL, CSC_CRANK = 1, 2
POWER_WHEEL, POWER_CRANK = 1 << 4, 1 << 5
CRANK_RESOLUTION = 1024
FASTEST, FASTEST_CADENCE = 30_000, 200


@dataclass
class Rotor:
    """A wheel or crank that turns, as its sensor counts it; neither count nor time ever begins again here."""

    resolution: int
    count: int
    clock: float  # of the sensor, in seconds, where its ride begins
    turned: float = 0.0
    tick: int = field(init=False)

    def __post_init__(self) -> None:
        self.tick = round(self.clock * self.resolution)

    def turn(self, start: float, seconds: float, turns_a_second: float) -> None:
        before, self.turned = self.turned, self.turned + turns_a_second * seconds
        if whole := int(self.turned) - int(before):
            last = start + (int(self.turned) - before) / turns_a_second
            self.count += whole
            self.tick = round((self.clock + last) * self.resolution)


def nearest(dividend: int, divisor: int) -> int:
    return (2 * dividend + divisor) // (2 * divisor)


class Truth:
    """What is to be shown of a rotor, from its own counts and ticks of any length."""

    def __init__(self, unit: int, fastest: int) -> None:
        self.unit, self.fastest = unit, fastest
        self.baseline: tuple[int, int] | None = None
        self.rate: int | None = None
        self.turns = 0
        self.is_continuous = False

    def hear(self, count: int, tick: int) -> bool:
        """Whether that made a rate."""
        if self.baseline is None:
            self.baseline, self.is_continuous = (count, tick), True
            return False
        turns, ticks = count - self.baseline[0], tick - self.baseline[1]
        if ticks == 0:
            return False
        self.baseline = count, tick
        was_continuous, self.is_continuous = self.is_continuous, True
        rate = nearest(turns * self.unit, ticks)
        assert rate <= self.fastest, "nobody rides so"
        self.turns += turns
        if was_continuous:
            self.rate = rate
        return was_continuous

    def lose(self) -> None:
        self.rate, self.is_continuous = None, False


def value_of(kind: str, parts: set[str], wheel: Rotor, crank: Rotor) -> str:
    wheels = (wheel.count % 2**32).to_bytes(4, "little") + (wheel.tick % 2**16).to_bytes(2, "little")
    cranks = (crank.count % 2**16).to_bytes(2, "little") + (crank.tick % 2**16).to_bytes(2, "little")
    body = (wheels if "wheel" in parts else b"") + (cranks if "crank" in parts else b"")
    if kind == "csc":
        flags = CSC_WHEEL * ("wheel" in parts) + CSC_CRANK * ("crank" in parts)
        return (bytes([flags]) + body).hex()
    flags = POWER_WHEEL * ("wheel" in parts) + POWER_CRANK * ("crank" in parts)
    return (flags.to_bytes(2, "little") + b"\x8a\x00" + body).hex()


@pytest.mark.parametrize("kind", ["csc", "power"])
@pytest.mark.parametrize("seed", range(8))
def test_a_ride_with_stops_losses_repetitions_and_parts_is_shown_as_it_was(kind, seed):
    chance = random.Random(seed)
    circumference = chance.choice([500, 1_450, 2_105, 4_000])
    resolution = 1024 if kind == "csc" else 2048
    # Each counter and clock soon begins again, but for the wheel's count, which never does.
    wheel = Rotor(resolution, chance.randrange(2**31), 65_530 / resolution)
    crank = Rotor(CRANK_RESOLUTION, 65_500, 65_000 / CRANK_RESOLUTION)
    wheel_truth = Truth(circumference * resolution, FASTEST)
    crank_truth = Truth(60 * CRANK_RESOLUTION, FASTEST_CADENCE)
    now, lines, expected, first_count = 0.0, [], [], None
    is_split = chance.random() < 0.5
    for part in range(120):
        # Whoever hears a sensor for the first time does not know how old its last revolution is.
        stop = chance.choice([0, 0, 0, chance.uniform(0, 300)]) if part else 0
        if part and chance.random() < 0.15:
            lines.append(f"lost {round(now * 1000)}")
            expected.append(None)
            wheel_truth.lose()
            crank_truth.lose()
        now += stop
        for _second in range(chance.randrange(1, 12)):
            speed = chance.uniform(1.2, 14.0)
            cadence = chance.uniform(0.7, 2.5)
            wheel.turn(now, 1.0, speed * 1000 / circumference)
            crank.turn(now, 1.0, cadence)
            now += 1.0
            turn = [{"wheel"}, {"crank"}] if is_split else [{"wheel", "crank"}]
            delays = sorted(chance.randrange(40) for _ in range(6))
            for parts, delay in zip(turn * chance.randrange(1, 4), delays, strict=False):
                arrival = round(now * 1000) + delay
                lines.append(f"{kind} {arrival} {value_of(kind, parts, wheel, crank)}")
                made = {
                    "wheel": "wheel" in parts and wheel_truth.hear(wheel.count, wheel.tick),
                    "crank": "crank" in parts and crank_truth.hear(crank.count, crank.tick),
                }
                first_count = wheel.count if first_count is None and "wheel" in parts else first_count
                way = 0 if first_count is None else wheel_truth.turns * circumference
                expected.append((made, wheel_truth.rate, way, crank_truth.rate))
    run = subprocess.run(
        [SENSOR_RIDE, str(circumference), kind],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [line.split() for line in run.stdout.splitlines()]
    assert len(answers) == len(lines)
    rates = 0
    for line, answer, truth in zip(lines, answers, expected, strict=True):
        if truth is None:
            assert answer[0] == answer[2] == "-", line
            continue
        made, speed, way, cadence = truth
        assert int(answer[1]) == way, f"seed {seed}: {line}"
        # What a repetition or the other part leaves of a rate is the units' matter.
        if made["wheel"]:
            rates += 1
            assert int(answer[0]) == speed, f"seed {seed}: {line}"
        if made["crank"]:
            assert int(answer[2]) == cadence, f"seed {seed}: {line}"
    assert rates > 50

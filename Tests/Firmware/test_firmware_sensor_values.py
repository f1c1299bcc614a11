"""What sensors send, as Wireshark's own dissectors read it in our capture, is what the events tell."""

import pytest

from sensor_bench import ScriptedSensor, SensorBench
from sensor_captures import dissected, figures_of

Vector = tuple[str, dict[str, int | None] | None]
"""A value, and what is to be told of it; none where there is nothing new."""

# Recorded from a Polar H7, an H10 and others, and made up for what no recording has.
HEART: list[Vector] = [
    ("164D1603", {"heart": 77}),
    ("164E1B031203", {"heart": 78}),
    ("103B5304", {"heart": 59}),
    ("1678FF01FF010C01", {"heart": 120}),
    ("103EB103DE", {"heart": 62}),
    ("012C01", {"heart": 300}),
    ("0443", {"heart": None}),  # without contact
    ("1843D0077203", {"heart": 67}),
]
# A Wahoo KICKR and a Zwift Hub; then cranks alone, with one value over the roll-over.
SPEED: list[Vector] = [
    ("03A25E01006D0E4B63967F", None),
    ("03A45E0100D7124B63967F", {"speed": 3815}),
    ("03A4000000184E4000A74C", None),
    ("03A600000072524100C050", {"speed": 3870, "cadence": 59}),
    ("03A7000000A6544200C754", {"speed": 3822, "cadence": 60}),
    ("03A900000008594300C658", {"speed": 3842, "cadence": 60}),
    ("020100672B", None),
    ("0202001631", {"cadence": 42}),
    ("0203006D36", {"cadence": 45}),
    ("020400AC3A", {"cadence": 57}),
    ("020500513E", {"cadence": 66}),
    ("0225A3CCFE", None),
    ("0226A35B01", {"cadence": 94}),
]
POWER: list[Vector] = [
    ("30008800A25E0100AF1D4B63967F", {"power": 136}),
    ("30008800A45E010083264B63967F", {"power": 136, "speed": 3815}),
    ("20000B000A6ED7FC", {"power": 11}),
    ("20000B000B6E7501", {"power": 11, "cadence": 52}),
    ("FF1FF6FF654001701101000008F40100049001E2FF4000E0FFBC3A120500B900D204", {"power": -10}),
    ("2C0000009F000C00E542", {"power": 0}),
    ("0000F6FF", {"power": -10}),
]
# What a sensor says until the rider has added it.
FIRST = {"heart": "0041", "speed": "0300000000000000000000", "power": "00000100"}
VECTORS = {"heart": HEART, "speed": SPEED, "power": POWER}


def is_told(event: dict, figures: dict[str, int | None]) -> bool:
    return event["event"] == "measure" and all(event.get(name) == value for name, value in figures.items())


@pytest.mark.parametrize("kind", VECTORS)
async def test_wireshark_reads_of_each_value_what_the_events_tell(kind, lenker_command, tmp_path):
    vectors, capture = VECTORS[kind], tmp_path / "radio.btsnoop"
    ride = SensorBench()
    longest = max(len(value) // 2 for value, _ in vectors)
    sensor = ScriptedSensor(ride.bench.air, kind, bytes.fromhex(FIRST[kind]), longest)
    ride.bench.sensors.append(sensor)
    async with ride.running(lenker_command, tmp_path, f"btsnoop=file:{capture}"):
        await ride.rider.add_each({kind})
        sensor.value = None
        for value, told in vectors:
            await sensor.notify(bytes.fromhex(value))
            if told is not None:
                await ride.events.next(lambda event, told=told: is_told(event, told))
    rows = [row for _, row in dissected(capture, kind)[-len(vectors) - 1 :]]
    for before, row, (value, told) in zip(rows, rows[1:], vectors, strict=False):
        if told is not None:
            assert told.items() <= figures_of(kind, before, row).items(), value

"""Reading rides: both formats, and what is said about a bad one."""

from pathlib import Path

import pytest

from lenker_bench.phone.rides import OWN_RIDE, RideError, Step, read_ride

HEADER = "milliseconds,direction,distance,street\n"


def write(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "ride.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def log_row(kind: str, street: str, text: str, icon: str, code: int, received: float) -> str:
    return (
        f'{kind},52.4,13.0,0.0,-1.0,5.0,1469106313907.2,-1.0,"{street}",{text},{icon},{code},{received},GUINavigator\n'
    )


def test_steps_come_in_order_with_the_first_at_zero(tmp_path):
    path = write(tmp_path, HEADER + "500,2,0,Start\n1500,5,110,Weg\n")
    assert read_ride(path) == [Step(0, 2, 0, "Start"), Step(1000, 5, 110, "Weg")]


def test_a_street_may_hold_commas_quotes_and_line_breaks(tmp_path):
    path = write(tmp_path, HEADER + '0,1,5,"Mill Road, ""Upper""\nPart"\n')
    assert read_ride(path)[0].street == 'Mill Road, "Upper"\nPart'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1: the ride is empty"),
        (HEADER, "1: the ride has no instruction"),
        (HEADER + "0,1,5\n", "2: 3 columns instead of milliseconds,direction,distance,street"),
        (HEADER + "0,1,5,Weg\nx,1,5,Weg\n", "3: milliseconds 'x' is not a whole number"),
        (HEADER + "0,256,5,Weg\n", "2: direction '256' is not a whole number from 0 to 255"),
        (HEADER + "0,1,-5,Weg\n", "2: distance '-5' is not a whole number"),
        (HEADER + "0,1,4294967296,Weg\n", "2: distance '4294967296'"),
        (HEADER + "0,1,٣,Weg\n", "2: distance '٣'"),
        (HEADER + "5,1,5,Weg\n4,1,5,Weg\n", "3: earlier than the line before it"),
        (HEADER + '0,1,5,"Weg\n', "2: unexpected end of data"),
        ((HEADER + "0,1,5,Stra").encode() + b"\xdfe\n", "2: not UTF-8: byte 0xdf"),
        (HEADER + ",,\n", "2: 3 columns instead of"),
    ],
)
def test_an_error_names_file_line_and_reason(tmp_path, text, message):
    path = write(tmp_path, text)
    with pytest.raises(RideError) as error:
        read_ride(path)
    assert str(error.value).startswith(f"{path}:{message}")


@pytest.mark.parametrize(
    ("text", "metres"),
    [("In 110 m", 110), ('"In 1,2 km"', 1200), ("In 1.2 km", 1200), ("In 3 km", 3000), ("Jetzt", 0), ("Now", 0)],
)
def test_a_logs_distance_is_the_one_shown(tmp_path, text, metres):
    path = write(tmp_path, log_row("NEXT_DIRECTION", "Weg", text, "TableViewCellArrowTurnLeft", 5, 1000.5))
    assert read_ride(path) == [Step(0, 5, metres, "Weg")]


def test_a_logs_start_row_is_a_start_whatever_its_code_says(tmp_path):
    path = write(tmp_path, log_row("START", "Weg", "Folgen", "TableViewCellArrowStart", 5, 1000.0))
    assert read_ride(path) == [Step(0, 2, 0, "Weg")]


def test_our_own_ride_shows_every_kind_of_turn():
    steps = read_ride(OWN_RIDE)
    directions = {step.direction for step in steps}
    assert directions >= {*range(1, 13), *range(15, 31)}
    assert 120_000 <= steps[-1].milliseconds <= 240_000
    assert any(len(step.street.encode("utf-8")) > 64 for step in steps)
    assert any(step.street == "" for step in steps)

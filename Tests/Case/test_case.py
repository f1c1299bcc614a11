"""The case of Boards/case can be printed without supports, and what goes into it fits.

`Tests/run all` runs this by itself, as OpenSCAD is needed for nothing else.
"""

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from lenker_bench.programs.processes import ROOT
from solids import Solid, hanging, open_edges, read, shells, thinnest

MODEL = ROOT / "Boards" / "case" / "lenker.scad"
PARTS = ["body", "lid", "saddle"]
BED = 120
# Two lines of a nozzle of 0.4 mm on either side.
WALL = 1.6
# The flat top of the opening for the plug has 5 mm; any printer bridges 6 mm.
BRIDGE = 6
CUBE = "cube(10);"


def made_of(text: str, folder: Path) -> Solid:
    (folder / "model.scad").write_text(text)
    subprocess.run(["openscad", "-q", "-o", folder / "model.stl", folder / "model.scad"], check=True)
    return read(folder / "model.stl")


def clash(folder: Path, *values: str) -> tuple[int, str]:
    """The status of OpenSCAD, which is 1 where nothing is left to write, and what it says."""
    arguments = [word for value in ('part="clash"', *values) for word in ("-D", value)]
    command = ["openscad", *arguments, "-o", folder / "clash.stl", MODEL]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.returncode, result.stderr


@pytest.fixture(scope="module")
def case(tmp_path_factory) -> dict[str, Solid]:
    folder = tmp_path_factory.mktemp("case")
    command = [ROOT / "Boards" / "case" / "build", folder]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines() == [f"{folder}/{part}.stl" for part in PARTS]
    return {part: read(folder / f"{part}.stl") for part in PARTS}


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_one_closed_solid(case, part):
    assert open_edges(case[part]) == 0
    assert shells(case[part]) == 1
    assert case[part].volume > 1000


@pytest.mark.parametrize("part", PARTS)
def test_each_part_fits_on_a_small_bed_and_lies_on_it(case, part):
    assert case[part].size.max() <= BED
    assert case[part].points[:, 2].min() == 0


@pytest.mark.parametrize("part", PARTS)
def test_no_wall_is_thinner_than_four_lines(case, part):
    least, where = thinnest(case[part])
    assert least >= WALL - 0.01, where


@pytest.mark.parametrize("part", PARTS)
def test_nothing_needs_supports(case, part):
    assert [point.round(1).tolist() for point in hanging(case[part], BRIDGE)] == []


def test_the_guide_says_how_large_it_is_and_what_to_buy(case):
    guide = (ROOT / "Boards" / "guide" / "build.md").read_text("utf-8")
    width, height, _ = case["lid"].size
    assert f"{width:.0f} × {height:.0f} × 35 mm large" in guide
    sizes = dict(re.findall(r"^(\w+) = (.+?);", MODEL.read_text("utf-8"), re.MULTILINE))
    assert f"round silicone cord, {sizes['cord']} mm thick" in guide
    assert f"at most {sizes['button_depth']} mm deep" in guide and f"a thread of {sizes['button_thread']} mm" in guide
    assert f"washers of {sizes['washer']} mm" in guide and f"rubber, {sizes['rubber']} mm thick" in guide
    wide, high = json.loads(sizes["plug"])
    assert f"up to {wide} × {high} mm" in guide
    window, ledge, thick = json.loads(sizes["window"]), float(sizes["sheet_ledge"]), float(sizes["sheet"])
    wide, high = (f"{side + 2 * ledge - 0.4:.3g}" for side in window)
    assert f"{wide} × {high} × {thick} mm" in guide


def test_body_lid_board_panel_buttons_plug_and_card_have_places_of_their_own(tmp_path):
    status, said = clash(tmp_path)
    # It says the same of a model with an error.
    assert "ERROR" not in said and "WARNING" not in said
    assert (status, "Current top level object is empty" in said) == (1, True), said
    assert not (tmp_path / "clash.stl").exists()


def test_a_deeper_button_is_noticed_as_it_meets_the_board(tmp_path):
    status, said = clash(tmp_path, "button_depth=26")
    assert status == 0, said
    assert read(tmp_path / "clash.stl").volume > 1


def test_a_hole_a_face_turned_over_and_a_second_piece_are_noticed(tmp_path):
    cube = made_of(CUBE, tmp_path)
    assert (open_edges(cube), shells(cube), round(cube.volume)) == (0, 1, 1000)
    assert open_edges(Solid(cube.points, cube.faces[1:])) > 0
    turned = cube.faces.copy()
    turned[0] = turned[0, ::-1]
    assert open_edges(Solid(cube.points, turned)) > 0
    assert Solid(cube.points, cube.faces[:, ::-1]).volume < 0
    assert shells(made_of(f"{CUBE} translate([20, 0, 0]) {CUBE}", tmp_path)) == 2


def test_a_thin_wall_is_noticed_and_an_edge_is_none(tmp_path):
    least, _ = thinnest(made_of(f"difference() {{ {CUBE} translate([1.5, 2, 2]) cube([6, 6, 9]); }}", tmp_path))
    assert least == pytest.approx(1.5)
    least, _ = thinnest(made_of("cylinder(d1 = 0, d2 = 10, h = 5);", tmp_path))
    assert least > 5 or np.isinf(least)


@pytest.mark.parametrize(
    ("model", "hangs"),
    [
        (CUBE, False),
        ("cylinder(d1 = 10, d2 = 20, h = 5);", False),
        ("cylinder(d1 = 10, d2 = 22, h = 5);", True),
        # A bridge of 5 mm, one of 8 mm, a ledge of 1 mm, and a roof that only one wall holds.
        ("difference() { cube([20, 9, 9]); translate([5, -1, 2]) cube([5, 11, 3]); }", False),
        ("difference() { cube([20, 9, 9]); translate([5, -1, 2]) cube([8, 11, 3]); }", True),
        ("cube(10); translate([0, 0, 5]) cube([11, 10, 5]);", True),
        ("difference() { cube([20, 9, 9]); translate([15, -1, 2]) cube([9, 11, 3]); }", True),
    ],
)
def test_what_hangs_in_the_air_is_noticed(tmp_path, model, hangs):
    assert bool(hanging(made_of(model, tmp_path), BRIDGE)) == hangs

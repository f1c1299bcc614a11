"""What the tests of rides take for the same picture."""

import pytest

from recording import Rows, is_the_same_but_for_inversion

COLUMNS, ROWS = range(128), range(64)
ARROW = range(48)


def glass(lit: set[tuple[int, int]]) -> Rows:
    return tuple(tuple(int((x, y) in lit) for x in COLUMNS) for y in ROWS)


ALL = {(x, y) for x in COLUMNS for y in ROWS}
FIELD = {(x, y) for x in ARROW for y in ARROW}


@pytest.mark.parametrize("differing", [set(), ALL, FIELD, ALL - FIELD])
def test_a_picture_whose_glass_or_arrow_is_inverted_is_the_same(differing):
    drawn = {(20, 30), (100, 10)}
    assert is_the_same_but_for_inversion(glass(drawn), glass(drawn ^ differing))


@pytest.mark.parametrize(
    "differing",
    [{(0, 0)}, FIELD - {(3, 3)}, FIELD | {(100, 10)}, ALL - {(0, 0)}, {(x, y) for x in range(60) for y in range(10)}],
)
def test_one_with_another_pixel_is_not(differing):
    drawn = {(20, 30), (100, 10)}
    assert not is_the_same_but_for_inversion(glass(drawn), glass(drawn ^ differing))

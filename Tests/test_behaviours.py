"""The table of behaviours in Tests/README.md is whole and true."""

import pytest

from behaviours import README, documented, found, row_cell

TABLE = documented(README.read_text("utf-8"))
FOUND = found()


def test_the_behaviours_are_in_the_table_in_their_order():
    assert list(TABLE) == sorted(TABLE) and set(TABLE) >= {*range(1, 67)}
    assert all(behaviour for behaviour, _ in TABLE.values())


@pytest.mark.parametrize("number", sorted({*TABLE, *FOUND}))
def test_the_table_names_the_tests_of_each_behaviour(number):
    assert number in FOUND, "no test has this number in its name"
    assert number in TABLE, "run Tests/Support/python/behaviours.py"
    assert TABLE[number][1] == row_cell(FOUND[number]), "run Tests/Support/python/behaviours.py"

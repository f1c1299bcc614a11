"""The table in Tests/behaviours.md is whole and true."""

from behaviours import TABLE, documented, found, row_cell

ROWS = documented(TABLE.read_text("utf-8"))


def test_the_behaviours_are_in_the_table_in_their_order():
    assert list(ROWS) == sorted(ROWS) and set(ROWS) >= {*range(1, 67)}
    assert all(behaviour for behaviour, _ in ROWS.values())


def test_the_table_names_the_tests_of_each_behaviour_and_each_has_some():
    tests = {number: row_cell(files) for number, files in found().items()}
    rows = {number: cell for number, (_, cell) in ROWS.items()}
    cells = {number: (rows.get(number), tests.get(number)) for number in rows.keys() | tests.keys()}
    wrong = {number: pair for number, pair in cells.items() if pair[0] != pair[1]}
    assert wrong == {}, "in the table, in the tests: each needs a test, and behaviours.py writes the table"

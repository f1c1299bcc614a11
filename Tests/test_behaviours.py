"""The tables in Tests/behaviours.md are whole and true."""

from behaviours import NOT_THERE_YET, TABLE, documented, found, row_cell

ROWS = documented(TABLE.read_text("utf-8"))


def test_the_behaviours_are_in_the_tables_in_their_order():
    central = [int(number) for number in ROWS if number.isdigit()]
    assert central == sorted(central) and set(central) >= {*range(1, 67)}
    assert list(ROWS) == [*map(str, central), *(f"P{number}" for number in range(1, 49))]
    assert all(behaviour for behaviour, _ in ROWS.values())


def test_the_tables_name_the_tests_of_each_behaviour_and_each_has_some():
    tests = {number: row_cell(files) for number, files in found().items()}
    rows = {number: cell for number, (_, cell) in ROWS.items()}
    for number, cell in list(rows.items()):
        if cell == NOT_THERE_YET and number.startswith("P") and number not in tests:
            del rows[number]
    cells = {number: (rows.get(number), tests.get(number)) for number in rows.keys() | tests.keys()}
    wrong = {number: pair for number, pair in cells.items() if pair[0] != pair[1]}
    assert wrong == {}, "in the tables, in the tests: each needs a test, and behaviours.py writes the tables"

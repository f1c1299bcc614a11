"""Each behaviour of a trustworthy central or peripheral has a test, and each number in a test's name is one of them."""

from behaviours import documented, found


def test_each_behaviour_has_a_test_and_each_number_is_one_of_a_behaviour():
    numbers = [*map(str, [*range(1, 105), *range(113, 119)]), *(f"P{number}" for number in range(1, 49))]
    others = [123, 126, 127, 128, 137, 138, 139, 157, 158, 159]
    numbers = [*map(str, [*range(1, 105), *others]), *(f"P{number}" for number in range(1, 49))]
    more = (147,)
    more = (134, 147)
    more = (124, 133, 134, 147)
    more = (124, 130, 133, 134, 147)
    more = (124, 125, 130, 132, 133, 134, 147)
    more = (124, 125, 130, 132, 133, 134, 147, 155, 156)
    numbers = [*map(str, (*range(1, 105), *more)), *(f"P{number}" for number in range(1, 49))]
    missing = {*range(112, 123), 135, 136, *range(140, 147)}  # not shown yet
    numbers = [*(str(number) for number in range(1, 160) if number not in missing)]
    numbers += [f"P{number}" for number in range(1, 49)]
    assert list(documented()) == numbers and all(documented().values())
    numbers = list(documented())
    assert numbers == sorted(numbers, key=lambda number: (number[0] == "P", int(number.lstrip("P"))))
    assert set(map(str, range(1, 105))) | {f"P{number}" for number in range(1, 49)} <= set(numbers)
    assert all(documented().values())
    assert [number for number in numbers if number not in found()] == []
    assert found().keys() - set(numbers) == set()

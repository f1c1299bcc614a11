"""Each behaviour of a trustworthy central or peripheral has a test, and each number in a test's name is one of them."""

from behaviours import documented, found


def test_each_behaviour_has_a_test_and_each_number_is_one_of_a_behaviour():
    others = [number for number in range(105, 160) if number not in (112, 136)]  # these two are the guide's
    numbers = [str(number) for number in [*range(1, 105), *others]]
    numbers += [f"P{number}" for number in range(1, 49)]
    assert list(documented()) == numbers and all(documented().values())
    assert [number for number in numbers if number not in found()] == []
    assert found().keys() - set(numbers) == set()

"""When a central that reads with care has a value whole: reads of parts, and values that change in between."""

import pytest

from lenker_bench.phone.reading import Reading

ROOM = 22
SHORT, OTHER, CUT, LONG, LONGER = b"a" * 19, b"b" * 19, b"c" * 20, b"d" * 30, b"e" * 44


def told(*parts: tuple[bytes, int]) -> list[bool]:
    """What is said of each part: of which value, and from which offset."""
    reading = Reading()
    return [reading.answered(value, offset, value[offset : offset + ROOM], ROOM) for value, offset in parts]


def test_a_short_value_is_whole_at_once():
    assert told((SHORT, 0), (OTHER, 0)) == [True, True]


def test_what_an_app_may_have_cut_is_whole_when_nothing_follows():
    assert told((CUT, 0), (CUT, 20)) == [False, True]


def test_a_value_that_fills_one_part_is_whole_when_nothing_follows():
    assert told((LONG[:22], 0), (LONG[:22], 22)) == [False, True]


@pytest.mark.parametrize(("value", "offsets"), [(LONG, [22]), (LONGER, [22, 44])])
def test_a_value_of_several_parts_is_whole_when_its_first_one_is_still_the_same(value, offsets):
    assert told((value, 0), *((value, offset) for offset in offsets), (value, 0)) == [
        *[False] * (len(offsets) + 1),
        True,
    ]


def test_a_value_that_changes_after_its_first_part_is_read_anew():
    assert told((CUT, 0), (LONG, 20), (LONG, 0), (LONG, 22), (LONG, 0)) == [False, False, False, False, True]
    assert told((CUT, 0), (SHORT, 20), (SHORT, 0)) == [False, False, True]


def test_nobody_has_the_value_that_came_between_two_parts_of_another():
    assert told((CUT, 0), (b"f" * 20, 20)) == [False, False]


def test_a_value_that_changes_before_the_second_look_is_read_anew():
    assert told((LONG, 0), (LONG, 22), (CUT, 0), (CUT, 20)) == [False, False, False, True]
    assert told((LONG, 0), (LONG, 22), (SHORT, 0)) == [False, False, True]


def test_a_part_of_which_nobody_has_the_beginning_makes_no_value_whole():
    assert told((LONG, 22), (LONG, 0)) == [False, False]


def test_a_value_is_not_whole_before_its_end_however_often_it_is_begun():
    assert told((LONGER, 0), (LONGER, 0), (LONGER, 22), (LONGER, 0)) == [False] * 4


def test_parts_that_an_app_keeps_short_end_no_value_before_its_end():
    reading = Reading()
    parts = [(0, 10), (10, 10), (20, 10)]
    assert [reading.answered(LONG, offset, LONG[offset : offset + size], ROOM) for offset, size in parts] == [False] * 3
    assert not reading.answered(LONG, 0, LONG[:10], ROOM)

"""What the virtual iPhone notifies of: how its habits are chosen, and its answers."""

import pytest
from bumble import att

from lenker_bench.phone.notifications import (
    ACT,
    INVALID_PARAMETER,
    MAIL,
    MESSAGE,
    TITLE,
    UNKNOWN_COMMAND,
    Habits,
    HabitsError,
    Notification,
    Notifications,
)


def test_its_habits_are_those_that_are_named():
    habits = Habits.parsed("every=5,call=20,old=3,part=1,error=3,allowed=30,silent")
    assert (habits.every, habits.call, habits.old, habits.part) == (5, 20, 3, 1)
    assert (habits.refusal, habits.allowed, habits.is_silent, habits.is_there) == (3, 30, True, True)
    assert Notifications(Habits.parsed("none")).service is None


@pytest.mark.parametrize("text", ["", "every", "every=-1", "part=x", "silent=1", "error=999", "loud"])
def test_what_is_no_habit_says_what_is(text):
    with pytest.raises(HabitsError, match="write none, or some of"):
        Habits.parsed(text)


@pytest.mark.parametrize(
    ("question", "code"),
    [("03 01000000", UNKNOWN_COMMAND), ("00 09000000 01 8000", INVALID_PARAMETER), ("", UNKNOWN_COMMAND)],
)
def test_a_wrong_question_gets_the_services_own_error(question, code):
    phone = Notifications(Habits(is_there=True))
    phone.add(Notification(MAIL, {TITLE: "a", MESSAGE: "b"}))
    with pytest.raises(att.ATT_Error) as caught:
        phone.control.value.write(None, bytes.fromhex(question))
    assert caught.value.error_code == code and ACT == 2

"""Four questions to a machine that was learned, each answered by a search in its graph."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from aalpy.automata import MealyMachine, MealyState

Word = tuple[str, ...]
Memory = Any
Watch = Callable[[Memory, str, list[str]], Memory]
FOUND = "found"


def walk(machine: MealyMachine, watch: Watch, memory: Memory) -> Iterator[tuple[MealyState, Memory, Word]]:
    """Each state with each memory of what led there, by a shortest word; `watch` says what a step adds to it."""
    start = (machine.initial_state, memory)
    words: dict[tuple[MealyState, Memory], Word] = {start: ()}
    queue = deque([start])
    while queue:
        state, memory = queue.popleft()
        word = words[state, memory]
        yield state, memory, word
        for letter, after in state.transitions.items():
            following = (after, watch(memory, letter, state.output_fun[letter].split(", ")))
            if following not in words:
                words[following] = (*word, letter)
                queue.append(following)


def find(machine: MealyMachine, watch: Watch, memory: Memory) -> Word | None:
    return next((word for _, found, word in walk(machine, watch, memory) if found == FOUND), None)


def write_without_encryption(is_encrypted: Memory, letter: str, said: list[str]) -> Memory:
    """Whether the link is encrypted. The chip encrypts only if both sides gave the same key."""
    for word in said:
        if word in ("turn", "taken") and not is_encrypted:
            return FOUND
        if word in ("linked", "encrypted"):
            is_encrypted = word == "encrypted"
    return is_encrypted


def key_without_check_and_press(memory: Memory, letter: str, said: list[str]) -> Memory:
    """Whether there is a bond, a question, a yes to it, and the peer's right check value."""
    if memory == FOUND:
        return FOUND
    is_bonded, is_asked, is_agreed, is_checked = memory
    is_agreed = is_agreed or (is_asked and letter == "A")
    is_checked = is_checked or letter == "check"
    for word in said:
        if (word in ("encrypts", "gives a key") and not is_bonded) or word in ("pairing done", "bond saved"):
            if not (is_agreed and is_checked):
                return FOUND
        if word in ("linked", "pairing failed"):
            is_asked = is_agreed = is_checked = False
        is_asked = is_asked or word == "pairing confirm"
        is_bonded = is_bonded or word == "bond saved"
    return is_bonded, is_asked, is_agreed, is_checked


def answer_after_timeout(memory: Memory, letter: str, said: list[str]) -> Memory:
    """Whether a pairing runs on the link, or ran for 30 s without a command."""
    if memory == "over" or (memory == "runs" and letter == "31 s"):
        memory = "over"
    for word in said:
        is_command = re.match(r"[0-9A-F]{2}\b", word) is not None
        if word == "linked":
            memory = "idle"
        elif is_command and memory == "over":
            return FOUND
        elif is_command and word[:2] != "05":
            memory = "runs"
        elif word in ("pairing done", "pairing failed") and memory == "runs":
            memory = "idle"
    return memory


def no_way_back(machine: MealyMachine) -> Word | None:
    """A shortest word to where no word leads to a turn of the phone that is remembered without the rider's help, or to
    a new pairing with it."""
    alone = {"phone", "right key", "turn", "31 s", "link ends"}

    def is_bonded(memory: Memory, letter: str, said: list[str]) -> Memory:
        return (memory or "bond saved" in said) and "bond erased" not in said

    turns = leading_to(machine, lambda letter, said: letter in alone, {"turn", "taken"})
    bonds = leading_to(machine, lambda letter, said: True, {"bond saved"})
    for state, has_bond, word in walk(machine, is_bonded, False):
        if state not in bonds or (has_bond and state not in turns):
            return word
    return None


def leading_to(machine: MealyMachine, may: Callable[[str, list[str]], bool], wanted: set[str]) -> set[MealyState]:
    """The states from which steps that may be taken lead to an output with one of these words."""
    found: set[MealyState] = set()
    while True:
        more = {
            state
            for state in machine.states
            for letter, after in state.transitions.items()
            if may(letter, said := state.output_fun[letter].split(", ")) and (after in found or wanted & set(said))
        }
        if more <= found:
            return found
        found |= more


QUESTIONS: dict[str, Callable[[MealyMachine], Word | None]] = {
    "a way to a write that is taken without encryption by the right key": lambda machine: find(
        machine, write_without_encryption, False
    ),
    "a way to a key without the check value and a press": lambda machine: find(
        machine, key_without_check_and_press, (False, False, False, False)
    ),
    "a state after 31 s that still answers SMP": lambda machine: find(machine, answer_after_timeout, "idle"),
    "a state from which the phone never comes back": no_way_back,
}

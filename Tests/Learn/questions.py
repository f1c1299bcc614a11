"""Four questions to a machine that was learned, each answered by a search in its graph."""

from collections.abc import Iterable, Iterator

from aalpy.automata import MealyMachine, MealyState

Word = tuple[str, ...]
WRITE = "a way to a write that is taken without encryption by the right key"
KEY = "a way to a key without the check value and a press"
TIMEOUT = "a state after 31 s that still answers SMP"
NO_RETURN = "a state from which the phone never comes back"
QUESTIONS = WRITE, KEY, TIMEOUT, NO_RETURN
ALONE = "phone", "right key", "turn", "31 s", "link ends"  # what happens without the rider
COUNTS_AFTER = {"check": "linked", "A": "pairing confirm", "31 s": "runs"}  # letters, and behind what they matter
REMEMBERED = {"linked", "encrypted", "pairing confirm", "bond saved"}  # of a link; the bond for good
FORGOTTEN = {"pairing done": {"runs"}, "pairing failed": {"runs", "pairing confirm", "check", "A"}}


def answers(machine: MealyMachine) -> dict[str, Word]:
    """A shortest word for each question whose answer is yes; each state is asked with each memory of what led there."""
    found: dict[str, Word] = {}
    words: dict[tuple[MealyState, frozenset[str]], Word] = {(machine.initial_state, frozenset()): ()}
    queue = list(words)
    for state, known in queue:
        word = words[state, known]
        is_lost = "bond saved" in known and not leads_to(state, ALONE, {"turn", "taken"})
        if is_lost or not leads_to(state, machine.get_input_alphabet(), {"bond saved"}):
            found.setdefault(NO_RETURN, word)
        for letter, after in state.transitions.items():
            memory = set(known)
            for question in step(memory, letter, state.output_fun[letter]):
                found.setdefault(question, (*word, letter))
            following = after, frozenset(memory)
            if following not in words:
                words[following] = (*word, letter)
                queue.append(following)
    return found


def step(known: set[str], letter: str, said: str) -> Iterator[str]:
    """Adds what is known after a step of the link, its pairing and the bond; asks the first three questions."""
    if COUNTS_AFTER.get(letter) in known:
        known.add(letter)
    for word in said.split(", "):
        is_command, is_bonded = word.startswith("0"), "bond saved" in known
        if word in ("turn", "taken") and "encrypted" not in known:
            yield WRITE
        if word in ("pairing done", "bond saved") or (word in ("encrypts", "gives a key") and not is_bonded):
            if not known >= {"check", "A"}:
                yield KEY
        if is_command and "31 s" in known:
            yield TIMEOUT
        if is_command and not word.startswith("05"):
            known.add("runs")  # the pairing does
        if word == "linked":
            known &= {"bond saved"}
        known |= {word} & REMEMBERED
        known -= FORGOTTEN.get(word, set())


def leads_to(state: MealyState, letters: Iterable[str], wanted: set[str]) -> bool:
    """Whether a word of these letters leads from here to one of these outputs."""
    states = [state]
    for state in states:
        states += {state.transitions[letter] for letter in letters} - set(states)
    return any(wanted & set(state.output_fun[letter].split(", ")) for state in states for letter in letters)

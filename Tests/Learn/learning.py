"""Learns how the program pairs in each role, draws it, and asks what was learned four questions.

AALpy's L# draws the machine. Where it differs from the program is looked for behind each step of each state by the
stories below, then by AALpy's random Wp-method.
"""

import argparse
import difflib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from aalpy.automata import MealyMachine, MealyState
from aalpy.base import Oracle
from aalpy.learning_algs import run_Lsharp
from aalpy.oracles import RandomWpMethodEqOracle

from builds import command_of
from device import Device
from questions import QUESTIONS, Word

PAIRING_END = [
    ("random", "user"),
    ("A", "dhKeyCheck"),
    ("check", "encryption"),
    ("right key", "identityInformation"),
    ("identity", "identityAddress"),
    ("address", "paired"),
]
"""What both roles do from Pairing Random on."""

PHASES = {
    "central": [
        ("phone", "features"),
        ("features", "publicKey"),
        ("key", "confirm"),
        ("confirm", "promisedRandom"),
        *PAIRING_END,
    ],
    "peripheral": [
        ("phone", "idle"),
        ("features", "publicKey"),
        ("key", "random"),
        *PAIRING_END,
    ],
}
"""A pairing step by step, with the phase behind each (`PairingPhase`)."""
END = r"\l"  # of a line that begins at the left


def stories(role: str) -> list[Word]:
    """What tells the states of a pairing, of the search and of the remembered key apart."""
    pairing = tuple(letter for letter, _ in PHASES[role])
    failing, again = (
        (("phone", "no key"),) * 2 if role == "central" else (("phone", "wrong key"), ("phone", "features"))
    )
    waits: list[Word] = [(), ("A",), ("31 s",), ("31 s", "A")]
    return [
        *((*pairing[index:], "turn") for index in range(len(pairing))),
        *(("link ends", *wait, *then) for wait in waits for then in (pairing[:2], ("phone", "right key", "turn"))),
        *(("link ends", *failing * count, "A", *again) for count in range(4)),
        ("link ends", "stranger", "features"),
        *(
            (*ends, "phone", "31 s", "phone", "features")
            for ends in ((), ("link ends",), ("link ends", "31 s"), ("31 s",))
        ),
        ("31 s", "features"),
        ("B", "check", "right key"),
        ("check", "A", "right key", "identity", "address", "turn"),
        ("address", "turn"),
        ("features",),
        ("turn",),
    ]


class Stories(Oracle):
    """Tells each story behind each step of each state, and what AALpy thinks of at random after that."""

    def __init__(self, device: Device, role: str, tests: int) -> None:
        super().__init__(device.alphabet, device)
        self._device = device
        self._stories = stories(role)
        self._told: dict[Word, list[str]] = {}
        self._random = RandomWpMethodEqOracle(device.alphabet, device, 1, 3, tests)

    def find_cex(self, hypothesis: MealyMachine) -> Word | None:
        found = (self._difference(hypothesis, word) for word in self._words(hypothesis))
        word = next(filter(None, found), None) or self._random.find_cex(hypothesis)
        print(f"{hypothesis.size} states, and then: {', '.join(word or ['nothing'])}", file=sys.stderr, flush=True)
        return word

    def _words(self, hypothesis: MealyMachine):
        yield from self._told
        yield self._tell((), self._stories[0])
        for state in hypothesis.states:
            for letter in self.alphabet:
                begin = (*state.prefix, letter)
                left = [story for story in self._stories if (*begin, *story) not in self._told]
                if not left:
                    continue
                self._device.pre()
                said = [self._device.step(letter) for letter in begin]
                for story in left:
                    self._tell(begin, story, said)
                self._device.post()
                yield from ((*begin, *story) for story in left)

    def _tell(self, begin: Word, story: Word, said: list[str] = ()) -> Word:
        self._told[*begin, *story] = [*said, *self._device.query(story)]
        return (*begin, *story)

    def _difference(self, hypothesis: MealyMachine, word: Word) -> Word | None:
        hypothesis.reset_to_initial()
        for index, said in enumerate(self._told[word]):
            if hypothesis.step(word[index]) != said:
                return word[: index + 1]
        return None


def learn(role: str, tests: int) -> MealyMachine:
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        device = Device(command_of("regular"), role, Path(folder))
        try:
            oracle = Stories(device, role, tests)
            machine = run_Lsharp(device.alphabet, device, oracle, "mealy", print_level=0)
        finally:
            device.program.close()
    spent = time.monotonic() - begin
    print(f"{role}: {machine.size} states by {device.num_queries} words in {spent:.0f} s", flush=True)
    return machine


def named(machine: MealyMachine, role: str) -> dict[MealyState, str]:
    """What the states are that the stories lead to; of a pairing with a phone that has a bond they are `again`."""
    pairing, phases = zip(*PHASES[role], strict=True)
    names: dict[MealyState, str] = {}

    def name(state: MealyState, letters: Word, called: Word) -> MealyState:
        for letter, phase in zip(letters, called, strict=True):
            state = state.transitions[letter]
            names.setdefault(state, phase)
        return state

    names[machine.initial_state] = "searching"
    name(machine.initial_state, ("31 s",), ("not searching",))
    state = name(machine.initial_state, (*pairing, "link ends"), (*phases, "phone lost"))
    for times in (", key failed", ", key failed twice", ", key failed often"):
        state = name(state, ("phone", "wrong key"), ("key awaited", f"phone lost{times}"))
    state = name(state, ("A", "phone"), ("phone asked for", "key awaited, phone asked for"))
    begin = "no key" if role == "central" else "features"
    first = 1 if role == "central" else 2
    name(state, (begin, *pairing[first:]), tuple(f"{phase} again" for phase in phases[first - 1 :]))
    return names


def draw(machine: MealyMachine, role: str) -> str:
    """The machine in Graphviz's language. What leads back, or nowhere, is in the box of its state."""
    order = [machine.initial_state]
    for state in order:
        order += [after for after in dict.fromkeys(state.transitions.values()) if after not in order]
    names = named(machine, role)
    lines = [f"digraph {role} {{", 'node [shape=box style=rounded fontname="Helvetica" fontsize=10]']
    lines.append('edge [fontname="Helvetica" fontsize=10]')
    for number, state in enumerate(order):
        steps = defaultdict(list)
        for letter, after in state.transitions.items():
            if (after, state.output_fun[letter]) != (state, "-"):
                steps[order.index(after), state.output_fun[letter]].append(letter)
        box, edges = [f"{number} {names.get(state, '')}".strip(), ""], defaultdict(list)
        for (after, said), letters in steps.items():
            step = f"{', '.join(letters)} / {said}"
            if after == number:
                box.append(step)
            elif after < number:
                box.append(f"{step} → {after}")
            else:
                edges[after].append(step)
        lines += [f'{number} [label="{END.join([*box, ""])}"]']
        lines += [f'{number} -> {after} [label="{END.join([*steps, ""])}"]' for after, steps in edges.items()]
    return "\n".join([*lines, "}", ""])


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/learn", description=__doc__)
    parser.add_argument("roles", nargs="*", metavar="ROLE", help="central, peripheral; both without")
    parser.add_argument("--tests", type=int, default=1000, metavar="N", help="random words at the end")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of them")
    arguments = parser.parse_args()
    is_well = True
    for role in arguments.roles or PHASES:
        random.seed(arguments.seed)
        machine = learn(role, arguments.tests)
        for question, ask in QUESTIONS.items():
            word = ask(machine)
            print(f"  {question}? {'no' if word is None else 'yes: ' + ', '.join(word)}")
            is_well = is_well and word is None
        drawn, kept = draw(machine, role), Path(__file__).with_name(f"{role}.dot")
        if os.environ.get("LENKER_RECORD"):
            kept.write_text(drawn)
            subprocess.run(["dot", "-Tsvg", kept, "-o", kept.with_suffix(".svg")], check=True)
        elif drawn != kept.read_text():
            before, after = kept.read_text().splitlines(), drawn.splitlines()
            print(*difflib.unified_diff(before, after, "expected", "learned", lineterm=""), sep="\n")
            is_well = False
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())

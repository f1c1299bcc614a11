"""Learns how the program pairs in each role, draws it, and asks what was learned four questions.

AALpy's L# draws the machine. Where it differs from the program is looked for behind each step of each state by the
stories below, then by AALpy's random Wp-method.
"""

import argparse
import difflib
import itertools
import os
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from aalpy.automata import MealyMachine, MealyState
from aalpy.learning_algs import run_Lsharp
from aalpy.oracles import RandomWpMethodEqOracle

from device import Device
from questions import QUESTIONS, Word, answers

PAIRING_END = {"random": "user", "A": "dhKeyCheck", "check": "encryption", "right key": "identityInformation"}
PAIRING_END |= {"identity": "identityAddress", "address": "paired"}
PAIRING = {
    "central": {"phone": "features", "features": "publicKey", "key": "confirm", "confirm": "promisedRandom"},
    "peripheral": {"phone": "idle", "features": "publicKey", "key": "random"},
}
"""A pairing letter by letter, with the phase behind each (`PairingPhase`); both roles end alike."""
AGAIN = {"central": "no key", "peripheral": "features"}
"""With what a phone that is remembered begins to pair again, and fails unless the rider has asked for it."""
END = r"\l"  # of a line that begins at the left


def stories(role: str) -> list[Word]:
    """What tells the states of a pairing, of the search and of the remembered key apart."""
    pairing, again = (*PAIRING[role], *PAIRING_END), ("phone", AGAIN[role])
    waits: list[Word] = [(), ("A",), ("31 s",), ("31 s", "A")]
    returns: list[Word] = [(), ("link ends",), ("link ends", "31 s"), ("31 s",)]
    return [
        *((*pairing[index:], "turn") for index in range(len(pairing) + 1)),
        *(("link ends", *wait, *then) for wait in waits for then in (pairing[:2], ("phone", "right key", "turn"))),
        *(("link ends", *again * count, "A", *again) for count in range(4)),
        *((*back, "phone", "31 s", "phone", "features") for back in returns),
        ("link ends", "stranger", "features"),
        ("31 s", "features"),
        ("B", "check", "right key"),
        ("check", "A", "right key", "identity", "address", "turn"),
    ]


class Stories(RandomWpMethodEqOracle):
    """Tells each story behind each step of each state, and then what AALpy thinks of at random."""

    stories: list[Word]

    def find_cex(self, hypothesis: MealyMachine) -> Word | None:
        for state, letter, story in itertools.product(hypothesis.states, self.alphabet, self.stories):
            word = (*state.prefix, letter, *story)
            if self.sul.query(word) != hypothesis.compute_output_seq(hypothesis.initial_state, word):
                return word
        return super().find_cex(hypothesis)


def learn(role: str, tests: int) -> MealyMachine:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        device = Device(role, Path(folder))
        oracle = Stories(device.alphabet, device, min_length=1, expected_length=3, num_tests=tests)
        oracle.stories = stories(role)
        return run_Lsharp(device.alphabet, device, oracle, "mealy")


def named(machine: MealyMachine, role: str) -> dict[MealyState, str]:
    """What the states are that the stories lead to; of a pairing with a phone that has a bond they are `again`."""
    pairing = [*PAIRING[role].items(), *PAIRING_END.items()]
    steps = [*pairing, ("link ends", "phone lost")]
    for times in ("", " twice", " often"):
        steps += [("phone", "key awaited"), ("wrong key", f"phone lost, key failed{times}")]
    steps += [("A", "phone asked for"), ("phone", "key awaited, phone asked for")]
    steps += [("no key", "features again")] if role == "central" else []
    steps += [(letter, f"{phase} again") for letter, phase in pairing[1:]]
    state = machine.initial_state
    names = {state: "searching", state.transitions["31 s"]: "not searching"}
    for letter, name in steps:
        state = state.transitions[letter]
        names.setdefault(state, name)
    return names


def draw(machine: MealyMachine, role: str) -> str:
    """The machine in Graphviz's language. What leads back, or nowhere, is in the box of its state."""
    order = [machine.initial_state]
    for state in order:
        order += [after for after in dict.fromkeys(state.transitions.values()) if after not in order]
    names = named(machine, role)
    font = 'fontname="Helvetica" fontsize=10'
    lines = [f"digraph {role} {{", f"node [shape=box style=rounded {font}]", f"edge [{font}]"]
    for number, state in enumerate(order):
        steps, edges = defaultdict(list), defaultdict(list)
        for letter, after in state.transitions.items():
            steps[order.index(after), state.output_fun[letter]].append(letter)
        box = [f"{number} {names.get(state, '')}".strip(), ""]
        for (after, said), letters in steps.items():
            step = f"{', '.join(letters)} / {said}"
            if after > number:
                edges[after].append(step)
            elif after < number:
                box.append(f"{step} → {after}")
            elif said != "-":
                box.append(step)
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
    for role in arguments.roles or PAIRING:
        random.seed(arguments.seed)
        machine = learn(role, arguments.tests)
        found = answers(machine)
        for question in QUESTIONS:
            print(f"{role}: {question}? {'yes: ' + ', '.join(found[question]) if question in found else 'no'}")
        drawn, kept = draw(machine, role), Path(__file__).with_name(f"{role}.dot")
        if os.environ.get("LENKER_RECORD"):
            kept.write_text(drawn)
            subprocess.run(["dot", "-Tsvg", kept, "-o", kept.with_suffix(".svg")], check=True)
        for line in difflib.unified_diff(kept.read_text().splitlines(), drawn.splitlines(), "expected", "learned"):
            print(line.rstrip())
        is_well = is_well and not found and drawn == kept.read_text()
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())

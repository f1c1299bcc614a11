"""The program as a learner sees it: letters go in, and what it said and told comes out."""

import copy
import json
from pathlib import Path

from aalpy.base import SUL

from phone import Phone
from program import COPY, END, Program

LETTERS = (
    *("phone", "stranger", "features", "key", "confirm", "random", "check", "identity", "address", "failed"),
    *("security", "wrong check", "right key", "wrong key", "no key", "turn", "A", "B", "31 s", "link ends"),
)


class Device(SUL):
    """A role of the device, which has never met a phone when a word begins.

    A word goes on from where it parts from the one before it: each step is made by a copy of the program.
    """

    def __init__(self, role: str, folder: Path) -> None:
        super().__init__()
        is_central = role == "central"
        self.alphabet = [letter for letter in LETTERS if is_central or letter not in ("security", "no key")]
        self.program = Program([f"advertise={'off' if is_central else 'on'}", "pairing=required"], folder)
        self.phone = Phone(is_central)
        self.told: list[dict] = []
        self._steps: list[tuple[str, Phone, bytes, str]] = []  # the last word: letter, what was before, and answer
        self._count = 0  # of letters so far
        self._pass(1000)

    def pre(self) -> None:
        self._count = 0

    def post(self) -> None:
        pass

    def step(self, letter: str) -> str:
        index, self._count = self._count, self._count + 1
        if index == len(self._steps) or self._steps[index][0] != letter:
            while len(self._steps) > index:
                self.program.go_on(END)
                _, self.phone, store, _ = self._steps.pop()
                self.program.store.write_bytes(store)
            before = copy.copy(self.phone), self.program.store.read_bytes()
            self.program.go_on(COPY)
            self._steps.append((letter, *before, self._answer(letter)))
        return self._steps[index][-1]

    def _answer(self, letter: str) -> str:
        self.phone.said, self.told = [], []
        match letter:
            case "31 s":
                self._pass(31_000)
            case "A" | "B":
                self._press(letter.lower())
            case "phone" | "stranger":
                # Before there is a bond, whom the rider agrees to is the phone.
                if not self.phone.is_linked and (letter == "phone" or self.phone.kept):
                    self._come(letter == "stranger")
            case _ if self.phone.is_linked:
                self.phone.do(letter)
        self._pass()
        return ", ".join([*self.phone.said, *filter(None, map(self._word, self.told))]) or "-"

    def _word(self, event: dict) -> str:
        """What an event is to the learner: nothing, if only what is remembered besides the key has changed."""
        name, state = event["event"], event.get("state")
        if name == "instruction":
            return "turn"
        if state == "saved":
            key = self.phone.key()
            if key in (None, self.phone.kept) or key not in self.program.store.read_bytes():
                return ""
            self.phone.kept = key
        return f"{name} {state}" if name in ("pairing", "bond") else ""

    def _press(self, button: str) -> None:
        """Until something comes of it, or all pages were turned and the first one is there again."""
        for _ in range(6 if button == "a" else 2):
            self.program.buttons.write(button.encode())
            self._pass()
            if self.phone.said or any(event["event"] in ("scan", "pairing") for event in self.told):
                break

    def _come(self, is_stranger: bool) -> None:
        """Somebody is near for some seconds: longer than the device rests after another link."""
        phone = self.phone
        phone.come(is_stranger)
        for _ in range(1 if phone.is_central and is_stranger else 20):
            phone.advertise()
            self._pass()
            phone.connect()
            if phone.is_linked or (phone.is_central and not (phone.is_scanning or phone.wanted)):
                break
            self._pass(100)

    def _pass(self, milliseconds: int = 0) -> None:
        """Lets time pass, but no longer than there is a link, if there is one."""
        phone, program = self.phone, self.program
        end, was_linked = program.now + milliseconds, phone.is_linked
        program.go_on()
        while True:
            phone.take(program.radio.read(65536) or b"")
            if phone.queue:
                program.radio.write(phone.queue)
                phone.queue = b""
                program.go_on()
            elif program.now < end and phone.is_linked == was_linked:
                program.go_on(end)
            else:
                break
        self.told += map(json.loads, (program.events.read(65536) or b"").splitlines())

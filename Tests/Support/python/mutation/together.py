"""Many changes in one program, so that they are built once: which of them runs is chosen at its start.

A function with a change in it keeps its body beside the changed one, and asks `Switch` which to run:
`{ if chosen_change() == 17 { changed } else { as it was } }`. That compiles where each of the two does,
but for few; what is in no function, and what does not compile so, is left to a build of its own.
"""

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from .places import Place
from .swift_code import code_only, is_balanced

_HEAD = re.compile(
    r"\bfunc (?:[^\s(<]+|[<>=!]+(?= \())|(?<![.\w])init[?!]?(?=[(<])|\bsubscript(?=[(<])|\b(?:get|set)(?= \{)"
    r"|\bvar \w+: [^={}\n]+(?= \{)"
)
_BETWEEN = re.compile(r"(?:[^{}\n]|\n\s*(?=->|where|throws|\{))*")
_ACCESSORS = re.compile(r"\s*(?:@\w+(?:\([^)]*\))?\s*)*(?:(?:non)?mutating |borrowing )?(?:get|set|didSet|willSet)\b")

IMPORT = "import Switch\n"


def bodies(source: str) -> list[range]:
    """What is between the braces of each function, initializer and accessor that is in no other."""
    code, found, position = code_only(source), [], 0
    while (head := _HEAD.search(code, position)) is not None:
        position = head.end()
        if head[0].startswith(("func", "init", "subscript")):
            if code.startswith("<", position):
                position = _behind(code, position, "<>")
            position = _BETWEEN.match(code, _behind(code, position, "()")).end()
        elif code.startswith(" ", position):
            position += 1
        if not code.startswith("{", position):
            continue
        body = range(position + 1, _behind(code, position, "{}") - 1)
        position = body.start
        if not _ACCESSORS.match(code, body.start):
            found.append(body)
            position = body.stop
    return found


def _behind(code: str, start: int, brackets: str) -> int:
    """Behind the bracket that closes the one that opens first from `start` on."""
    depth, index = 0, code.find(brackets[0], start)
    while 0 <= index < len(code):
        depth += (code[index] == brackets[0]) - (code[index] == brackets[1])
        index += 1
        if depth == 0:
            return index
    return len(code)


def _changed_body(place: Place, source: str, all_bodies: Iterable[range]) -> tuple[range, str] | None:
    """The body that the change is in, and its text with the change."""
    changed = place.made_in(source)
    start = _common(source, changed)
    end = _common(reversed(source[start:]), reversed(changed[start:]))
    for body in all_bodies:
        if body.start <= start and len(source) - end <= body.stop:
            text = changed[body.start : len(changed) - (len(source) - body.stop)]
            return (body, text) if is_balanced(code_only(text)) else None
    return None


def _common(one: Iterable[str], other: Iterable[str]) -> int:
    """How many characters are the same at the beginning."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@dataclass
class Together:
    """A source with many changes in it, each with its number."""

    source: str
    places: dict[int, Place] = field(default_factory=dict)
    _bodies: list[range] = field(init=False)
    _numbers_of_lines: list[set[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._bodies = bodies(self.source)
        self.places = {
            number: place
            for number, place in self.places.items()
            if _changed_body(place, self.source, self._bodies) is not None
        }

    def text(self) -> str:
        """The source with all of them."""
        chosen: dict[range, dict[int, str]] = {}
        for number, place in self.places.items():
            body, text = _changed_body(place, self.source, self._bodies)
            chosen.setdefault(body, {})[number] = text
        pieces: list[tuple[str, set[int]]] = [(IMPORT, set())]
        position = 0
        for body in sorted(chosen, key=lambda body: body.start):
            changed = chosen[body]
            pieces.append((self.source[position : body.start], set()))
            for number, text in changed.items():
                pieces.append((f" if chosen_change() == {number} {{{text}\n}} else", {number}))
            pieces.append((f" {{{self.source[body.start : body.stop]}\n}} ", set(changed)))
            position = body.stop
        pieces.append((self.source[position:], set()))
        self._numbers_of_lines = [set()]
        for text, numbers in pieces:
            # A body ends with a line of its own, so what can be wrong in a line is of the one that begins in it.
            self._numbers_of_lines[-1] = numbers or self._numbers_of_lines[-1]
            self._numbers_of_lines += [numbers] * text.count("\n")
        return "".join(text for text, _ in pieces)

    def leave_out(self, lines: Iterable[int]) -> bool:
        """Leaves out what is in these lines of the text, the first being 1; says whether that is anything."""
        numbers = set().union(*(self._numbers_of_lines[line - 1] for line in lines))
        for number in numbers:
            self.places.pop(number, None)
        return bool(numbers)

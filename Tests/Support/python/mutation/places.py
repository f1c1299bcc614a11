"""All places of a Swift source where something small can be changed."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .changes import Change, in_one_line
from .swift_code import code_only, is_balanced

_UNTOUCHED = re.compile(r"\s*(@|#|precondition|assert|fatalError)")
_DECLARATION = re.compile(
    r"(let|var|func|init|case|default|struct|enum|extension|import|package|public|private|fileprivate|internal|static"
    r"|mutating|typealias|subscript|deinit|get|set|do|switch|for|while|catch|repeat|protocol|final|indirect|borrowing|consuming"
    r"|nonmutating|else|throw|return .*|where|unsafe)\b"
)
_STATEMENT = re.compile(r"(if|guard|defer) |(return|break|continue)$|_?[\w(].*( [-+&|^*]?= |\()")
_CONTINUED = ("{", ",", "(", "[", "=", "&&", "||", "?", ":", "+", "-", "->", "in", "|", "&")
_CONTINUES = (".", "&&", "||", "?", ":", "+ ", "- ", "else", "| ", "& ", "= ", "{", "==", "!=", "<", ">")
_ORDERLESS = {"self", "at", "now", "if", "guard", "else", "true", "false", "nil", "try", "return", "inout", "into"}
_RESULT = re.compile(r"(?:->|\bvar \w+:) ([\w.\[\]<>]+\??)")


@dataclass(frozen=True)
class Place:
    """A change that can be made: `old` becomes `new` from the line `number` on, the first of all being 1."""

    file: str
    number: int
    kind: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    """Which of the same changes of the same lines in this file, from 0 on."""
    occurrence: int = 0

    @property
    def module(self) -> str:
        return self.file.split("/")[1]

    @property
    def texts(self) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        """What names the change though its lines have moved."""
        return self.file, tuple(line.strip() for line in self.old), tuple(line.strip() for line in self.new)

    def made_in(self, source: str) -> str:
        """The source after the change."""
        lines = source.split("\n")
        first = self.number - 1
        assert tuple(lines[first : first + len(self.old)]) == self.old
        lines[first : first + len(self.old)] = self.new
        return "\n".join(lines)


def places_in(file: str, source: str) -> list[Place]:
    """All of a source, in the order of its lines."""
    lines, code = source.split("\n"), [line.rstrip() for line in code_only(source).split("\n")]
    found: Counter[tuple] = Counter()
    places = []
    for index, changes in _changes(lines, code):
        for change in changes:
            count = 2 if change.kind == "order" else 1
            place = Place(file, index + 1, change.kind, tuple(lines[index : index + count]), change.lines)
            places.append(Place(**{**vars(place), "occurrence": found[place.texts]}))
            found[place.texts] += 1
    return places


def _changes(lines: list[str], code: list[str]) -> Iterator[tuple[int, list[Change]]]:
    """For each line that has some, its changes, none of them twice."""
    in_conditions = False
    for index, line in enumerate(lines):
        if not code[index].strip() or _UNTOUCHED.match(code[index]):
            continue
        changes = list(in_one_line(code[index], line))
        if in_conditions and code[index].endswith(",") and not re.match(r"\s*(let|var|case)\b", code[index]):
            changes.append(Change("condition", ()))
        in_conditions = _begins_conditions(code[index]) or (in_conditions and code[index].endswith(","))
        changes += _results(code, index, line)
        if _is_statement(code, index):
            changes.append(Change("dropped", ()))
            if _is_order_of_interest(code, index):
                changes.append(Change("order", (lines[index + 1], line)))
        yield index, list(dict.fromkeys(changes))


def _begins_conditions(code: str) -> bool:
    return re.search(r"\b(if|guard|while) ", code) is not None and code.endswith(",")


def _is_statement(code: list[str], index: int) -> bool:
    """Whether the line is a whole statement that can be left out."""
    text = code[index].strip()
    if _DECLARATION.match(text) or not _STATEMENT.match(text) or not is_balanced(text) or text.endswith(_CONTINUED):
        return False
    before = next((code[above].strip() for above in range(index - 1, -1, -1) if code[above].strip()), "")
    after = next((line.strip() for line in code[index + 1 :] if line.strip()), "")
    if (
        before.endswith("{")
        and after == "}"
        and _result_above(code, index - 1)
        and re.search(r"->|\bvar\b|get", before)
    ):
        return False  # the value of a function or a property
    is_begun = before.endswith(_CONTINUED[1:]) and not before.startswith(("case ", "default"))
    return not is_begun and not after.startswith(_CONTINUES)


def _is_order_of_interest(code: list[str], index: int) -> bool:
    """Whether the next line is a statement beside this one, and both name the same thing."""
    if index + 1 == len(code) or not _is_statement(code, index + 1):
        return False
    this, other = code[index], code[index + 1]
    if this == other or len(this) - len(this.lstrip()) != len(other) - len(other.lstrip()):
        return False
    if re.match(r"\s*(return|break|continue)$", this + "\n" + other, re.M):
        return False
    names = [set(re.findall(r"[A-Za-z_]\w*(?!\w*:)", line)) - _ORDERLESS for line in (this, other)]
    return bool(names[0] & names[1])


def _results(code: list[str], index: int, line: str) -> Iterator[Change]:
    """Another value that a function returns: `nil`, or the opposite."""
    returned = re.search(r"\breturn ([^{}]+?)( \})?$", code[index]) or re.search(
        r"(?:->|\bvar \w+:) (?:Bool|\w+\?) \{ ([^{}]+) \}$", code[index]
    )
    if returned is None or not is_balanced(returned[1]) or returned[1] in ("nil", "true", "false"):
        return
    if index + 1 < len(code) and code[index + 1].strip().startswith(_CONTINUES):
        return
    start, end = returned.span(1)
    kind = _result_above(code, index)
    if kind == "Bool":
        yield Change("value", (f"{line[:start]}!({line[start:end]}){line[end:]}",))
    elif kind.endswith("?"):
        yield Change("value", (f"{line[:start]}nil{line[end:]}",))


def _result_above(code: list[str], index: int) -> str:
    """The type that the function or property around this line returns, as far as one can see."""
    indent = len(code[index]) - len(code[index].lstrip())
    for above in range(index, -1, -1):
        text = code[above]
        if above != index and (not text.strip() or len(text) - len(text.lstrip()) >= indent):
            continue
        indent = len(text) - len(text.lstrip())
        if (result := _RESULT.search(text)) is not None and text.endswith(("{", "}")):
            return result[1]
        if re.search(r"\bfunc\b|\binit\b", text):
            return ""
    return ""

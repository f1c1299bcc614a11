"""Which small changes can be made to a line of Swift.

A change is found in the code alone, without its comments and texts, and made in the line itself. It
need not compile: who makes it finds out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .swift_code import find_outside, is_balanced

# What stands between two blanks, and what is put in its place.
_OPERATORS = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "&&": ("||",),
    "||": ("&&",),
    "+": ("-",),
    "-": ("+",),
    "&+": ("&-",),
    "&-": ("&+",),
    "+=": ("-=",),
    "-=": ("+=",),
    "*": ("/",),
    "/": ("*",),
    "%": ("/",),
    "&": ("|",),
    "|": ("&",),
    "<<": (">>",),
    ">>": ("<<",),
    "&<<": ("&>>",),
    "&>>": ("&<<",),
}
_WORDS = {"true": "false", "false": "true", "min(": "max(", "max(": "min("}

_OPERATOR = re.compile(
    r"(?<=\s)(" + "|".join(re.escape(o) for o in sorted(_OPERATORS, key=len, reverse=True)) + r")(?=\s(?!~Copyable))"
)
_WORD = re.compile(r"\b(true\b|false\b|min\(|max\()")
_RANGE = re.compile(r"(\.\.<|\.\.\.)(?=[\w(-])")
_NUMBER = re.compile(r"(?<![\w$])(0x[0-9A-Fa-f_]+|0b[01_]+|\d[\d_]*)(?!\w|\.\d)")
_NOT = re.compile(r"(?<![\w)!])!(?=[\w(.])")
_CHOICE = re.compile(r"(?<![\w.!)])([a-zA-Z][\w.]*)(?= \? )")
_HEADER = re.compile(r"\b(if|guard|while) ")
_HEADER_END = {"guard": re.compile(r" else\b"), "if": re.compile(r" \{"), "while": re.compile(r" \{")}
_WHERE = re.compile(r"\bfor .* in .*( where )")
_COMPARISON = re.compile(r"\s([<>]=?|[!=]=)\s")
_ONE_LINE_BODY = re.compile(r"\{ (?:[\w, ]+ in )?([^{}]+) \}$")
_CASE = re.compile(r"\s*(?:case .+|default): (\S.*)$")


@dataclass(frozen=True)
class Change:
    """What a line, or two, become."""

    kind: str
    lines: tuple[str, ...]


def _replaced(line: str, start: int, end: int, text: str) -> tuple[str, ...]:
    return (line[:start] + text + line[end:],)


def _operators(code: str, line: str) -> Iterator[Change]:
    for match in _OPERATOR.finditer(code):
        kind = "comparison" if match[0] in ("<", "<=", ">", ">=", "==", "!=") else "operator"
        for other in _OPERATORS[match[0]]:
            yield Change(kind, _replaced(line, *match.span(), other))
    for match in _RANGE.finditer(code):
        yield Change("comparison", _replaced(line, *match.span(), "..." if match[0] == "..<" else "..<"))


def _words(code: str, line: str) -> Iterator[Change]:
    for match in _WORD.finditer(code):
        yield Change("value", _replaced(line, *match.span(), _WORDS[match[0]]))


def _numbers(code: str, line: str) -> Iterator[Change]:
    for match in _NUMBER.finditer(code):
        before = code[: match.start()]
        # A member of a tuple, or the size of a type.
        if (before.endswith(".") and not before.endswith("..")) or (
            before.endswith("<") and not before.endswith("..<")
        ):
            continue
        number = int(match[0].replace("_", ""), 0)
        for other in (number + 1, number - 1):
            if other >= 0:
                yield Change("constant", _replaced(line, *match.span(), _written_like(match[0], other)))


def _written_like(example: str, number: int) -> str:
    digits = len(example.replace("_", "")) - 2
    if example.startswith("0x"):
        return f"0x{number:0{digits}X}"
    if example.startswith("0b"):
        return f"0b{number:0{digits}b}"
    return str(number)


def _negations(code: str, line: str) -> Iterator[Change]:
    for match in _NOT.finditer(code):
        yield Change("condition", _replaced(line, *match.span(), ""))
    for match in _CHOICE.finditer(code):
        yield Change("condition", _replaced(line, *match.span(), f"!{match[0]}"))


def _conditions(code: str, line: str) -> Iterator[Change]:
    """Each condition of `if`, `guard`, `while` and `where` turned round, or left out if it is not the only one."""
    if (where := _WHERE.match(code.lstrip())) is not None:
        start = where.end() + len(code) - len(code.lstrip())
        if (end := code.rfind(" {")) > start:
            yield Change("condition", _replaced(line, start - len(" where "), end, ""))
            yield Change("condition", _replaced(line, start, end, f"!({line[start:end]})"))
    for header in _HEADER.finditer(code):
        end_mark = find_outside(code, _HEADER_END[header[1]], header.end())
        end = end_mark.start() if end_mark else len(code.rstrip())
        if end_mark is None and not code.rstrip().endswith(","):
            continue  # it goes on in the next line
        parts = _parts(code, header.end(), end)
        for number, (start, stop) in enumerate(parts):
            if not _is_plain(code[start:stop]):
                continue
            if len(_COMPARISON.findall(code[start:stop])) != 1 and not code.startswith("!", start):
                yield Change("condition", _replaced(line, start, stop, f"!({line[start:stop]})"))
            if number + 1 < len(parts):
                yield Change("condition", _replaced(line, start, parts[number + 1][0], ""))
            elif number > 0:
                yield Change("condition", _replaced(line, parts[number - 1][1], stop, ""))
            elif end_mark is None:
                yield Change("condition", (line[:start].rstrip(),))


def _parts(code: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the parts between commas are."""
    comma, parts = re.compile(r",(?: |$)"), []
    while start < end:
        match = find_outside(code[:end], comma, start)
        parts.append((start, match.start() if match else end))
        start = match.end() if match else end
    return parts


def _is_plain(condition: str) -> bool:
    """Whether a condition binds nothing, so that it can be turned round."""
    return re.match(r"(let|var|case|#|_)\b", condition.strip()) is None and is_balanced(condition)


def _bodies(code: str, line: str) -> Iterator[Change]:
    """The one statement of a case or of braces in this line left out."""
    if (case := _CASE.match(code)) is not None and _does_something(case[1]) and is_balanced(case[1]):
        yield Change("dropped", _replaced(line, *case.span(1), "break"))
    elif (body := _ONE_LINE_BODY.search(code)) is not None and _HEADER.match(code.lstrip()) is not None:
        if "guard " not in code and " = if " not in code and _does_something(body[1]):
            yield Change("dropped", _replaced(line, *body.span(1), ""))


def _does_something(code: str) -> bool:
    """Whether it looks like a statement and not like a value."""
    return re.match(r"(self\.|_ = )?[a-z][\w.?]*\(|.* [-+&|^*]?= ", code) is not None and not code.startswith(
        ("return", "throw", "if ", "switch ", "let ", "var ")
    )


def in_one_line(code: str, line: str) -> Iterator[Change]:
    """All changes that need to know of this line only."""
    for changes in (_operators, _words, _numbers, _negations, _conditions, _bodies):
        yield from changes(code, line)

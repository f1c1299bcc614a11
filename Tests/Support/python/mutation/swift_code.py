"""What of a Swift source is code, as far as a change of single lines needs to know."""

import re

_MULTILINE = '"""'


def code_only(source: str) -> str:
    """The source with blanks in the place of comments and of what stands in string literals.

    Each character keeps its place; the quotes stay.
    """
    code = list(source)
    index = 0
    while index < len(source):
        if source.startswith("//", index):
            end = source.find("\n", index)
            end = len(source) if end < 0 else end
            _blank(code, index, end)
        elif source.startswith("/*", index):
            end = _end_of_comment(source, index)
            _blank(code, index, end)
        elif (quote := re.compile(r'(#*)("""|")').match(source, index)) is not None:
            end = _end_of_text(source, quote)
            _blank(code, quote.end(), end - len(quote[0]))
        else:
            end = index + 1
        index = end
    return "".join(code)


def _blank(code: list[str], start: int, end: int) -> None:
    for index in range(start, end):
        if code[index] != "\n":
            code[index] = " "


def _end_of_comment(source: str, start: int) -> int:
    depth = 0
    for mark in re.compile(r"/\*|\*/").finditer(source, start):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(source)


def _end_of_text(source: str, quote: re.Match[str]) -> int:
    """Behind the end of the string literal that begins with `quote`."""
    hashes, quotes = quote[1], quote[2]
    escape = "\\" + hashes
    index = quote.end()
    while index < len(source):
        if source.startswith(quotes + hashes, index):
            return index + len(quotes + hashes)
        if source.startswith(escape + "(", index):
            index = _end_of_interpolation(source, index + len(escape))
        elif source.startswith(escape, index):
            index += len(escape) + 1
        elif quotes != _MULTILINE and source[index] == "\n":
            return index
        else:
            index += 1
    return len(source)


def _end_of_interpolation(source: str, start: int) -> int:
    depth, index = 0, start
    while index < len(source):
        if (quote := re.compile(r'(#*)("""|")').match(source, index)) is not None:
            index = _end_of_text(source, quote)
            continue
        depth += {"(": 1, ")": -1}.get(source[index], 0)
        index += 1
        if depth == 0:
            return index
    return len(source)


def is_balanced(code: str) -> bool:
    """Whether each bracket that is opened is closed, and none is that was not opened."""
    depth = 0
    for character in code:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def find_outside(code: str, pattern: re.Pattern[str], start: int) -> re.Match[str] | None:
    """The first match from `start` on that is in no bracket opened behind `start`."""
    depth = 0
    for index in range(start, len(code)):
        if depth == 0 and (match := pattern.match(code, index)) is not None:
            return match
        depth += (code[index] in "([{") - (code[index] in ")]}")
    return None

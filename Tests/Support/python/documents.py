"""The Markdown of the project: its links, its anchors and its sentences."""

import re
from pathlib import Path

from lenker_bench.programs.processes import ROOT

FOLDERS = (".github", "Boards", "Fonts", "Sources", "Tests")

FENCED = re.compile(r"^ *```.*?^ *```\s*$", re.M | re.S)
# A line of code begins with four blanks more than what it belongs to, behind an empty line or another one.
INDENTED = re.compile(r"(?:(?<=\n\n)|\A)(?: {4}[^\n]*(?:\n|\Z))+")
CODE = re.compile(r"(`+)(.+?)\1")
IMAGE = re.compile(r"!\[([^]]*)\]\(([^)\s]+)\)")
LINK = re.compile(r"\[([^]]*)\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?) *#*$", re.M)
# A sentence ends at one of these marks, a quotation mark or bracket behind it, and a blank.
END = re.compile(r"(?<=[.!?])[”*)]*(?= |$)")


def documents() -> list[Path]:
    """Every Markdown file, without what was built."""
    return sorted([*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))])


def without_blocks_of_code(text: str) -> str:
    return INDENTED.sub("", FENCED.sub("", text))


def links(text: str) -> list[str]:
    """Where each link and each picture leads, but those in code."""
    text = CODE.sub("code", without_blocks_of_code(text))
    pictures = [target for _, target in IMAGE.findall(text)]
    return [target for _, target in LINK.findall(IMAGE.sub("picture", text))] + pictures


def anchors(text: str) -> set[str]:
    """The name that GitHub gives to each heading; one that is there already gets a number."""
    names: dict[str, int] = {}
    for heading in HEADING.findall(without_blocks_of_code(text)):
        plain = LINK.sub(r"\1", CODE.sub(r"\2", heading)).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        names[name] = names.get(name, 0) + 1
    return {f"{name}-{number}" if number else name for name, count in names.items() for number in range(count)}


def sentences(text: str) -> list[str]:
    """The sentences of paragraphs, items and cells of tables; a piece of code is one word.

    A paragraph or an item may go on in the next line.
    """
    text = CODE.sub("code", IMAGE.sub("", without_blocks_of_code(HEADING.sub("\n", text))))
    lines = re.sub(r"\n(?! *(?:[-*] |\d+\. |\||$))", " ", LINK.sub(r"\1", text), flags=re.M).splitlines()
    lines = [re.sub(r"^\s*(?:[-*] |\d+\. )", "", line) for line in lines]
    pieces = (piece for line in lines for piece in (cells(line) if line.lstrip().startswith("|") else [line]))
    found = (sentence.strip() for piece in pieces for sentence in END.split(piece))
    return [sentence for sentence in found if words(sentence)]


def cells(row: str) -> list[str]:
    return [cell.replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)]


def whole_sentences(text: str) -> list[str]:
    """Those that can be long: neither the short cells of tables nor lists of code, which are no sentences."""
    return [part for part in sentences(text) if len(words(part)) >= 5 and not re.fullmatch(r"(?:code,? ?)+", part)]


def words(sentence: str) -> list[str]:
    return [word for word in sentence.split() if re.search(r"\w", word)]


def is_long(sentence: str) -> bool:
    """Whether it has more than 25 words, or is a chain of sentences between semicolons."""
    return len(words(sentence)) > 25 or sentence.count(";") > 1

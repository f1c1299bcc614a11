"""The parts of what is given away, and whether a text has the notice of each: see Boards/licences/parts."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from lenker_bench.programs.processes import ROOT

LICENCES = ROOT / "Boards" / "licences"
KINDS = ("card", "page", "package")
OWN = "Lenker"


@dataclass(frozen=True)
class Part:
    """A row of the table."""

    name: str
    licence: str
    packages: dict[str, list[str]]
    """By kind of what is given away; none where its notice is here."""
    texts: list[str]
    links: list[str]
    fonts: list[str]
    files: list[str]


def stanzas(text: str) -> list[dict[str, str]]:
    """Those of a file in Debian's format, without comments; a value has its further lines as they are."""
    found: list[dict[str, str]] = []
    for block in re.split(r"\n(?:[ \t]*\n)+", "\n".join(line for line in text.split("\n") if line[:1] != "#").strip()):
        fields: dict[str, str] = {}
        name = ""
        for line in block.split("\n"):
            if line[:1] == " ":
                fields[name] += "\n" + line
            else:
                name, _, value = line.partition(":")
                assert re.fullmatch(r"[A-Z][A-Za-z-]*", name), line
                assert name not in fields, line
                fields[name] = value.strip()
        found.append(fields)
    return found


def parts() -> list[Part]:
    return [
        Part(
            fields["Part"],
            fields["Licence"],
            {kind: fields[kind.title()].replace("-\n", "").split() for kind in KINDS if kind.title() in fields},
            *(fields.get(name, "").split() for name in ("Texts", "Links", "Fonts", "Files")),
        )
        for fields in stanzas((LICENCES / "parts").read_text("utf-8"))
    ]


def unclaimed(kind: str, column: str, things: Iterable[str]) -> list[str]:
    """Which of the things that a build puts in no part of this kind names in that column."""
    claims = [claim for part in parts() if kind in part.packages for claim in getattr(part, column)]
    return sorted(thing for thing in set(things) if not any(fnmatch(thing, claim) for claim in claims))


def unclaimed_packages(kind: str, packages: Iterable[str]) -> list[str]:
    claims = [claim for part in parts() for claim in part.packages.get(kind, [])]
    return sorted(package for package in set(packages) if not any(fnmatch(package, claim) for claim in claims))


def copyright_files(package: str, folders: Iterable[Path]) -> Iterator[str]:
    """What the package itself says; folders have unpacked packages."""
    for folder in [*folders, Path("/")]:
        found = sorted((folder / "usr/share/doc").glob(f"{package}/copyright"))
        if found:
            yield from (file.read_text("utf-8") for file in found)
            return
    raise FileNotFoundError(f"no copyright file of {package}")


def bare(text: str) -> str:
    """Without how its lines are indented, and what stands for an empty one."""
    lines = (re.sub(r"^[ \t]*\.$", "", line).strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def wanted(part: Part, kind: str, folders: Iterable[Path]) -> Iterator[str]:
    """What must stand in the notice of a part."""
    if part.name == OWN:
        yield (ROOT / "LICENSE").read_text("utf-8")
    for package in part.packages[kind]:
        if package != "-":
            yield from copyright_files(package, folders)


def sections(text: str) -> dict[str, str]:
    """Those of a text for people, by their headings."""
    found = re.split(r"\n\n\n([^\n]+)\n=+\n\n", "\n\n\n" + text.replace("\r\n", "\n"))
    return dict(zip(found[1::2], found[2::2], strict=True))


def missing(kind: str, text: str, folders: Iterable[Path]) -> list[str]:
    """The parts of which a text for people lacks the row, the notice, or a licence that this refers to."""
    folders = list(folders)
    there = sections(text)
    rows = {line for line in there["Parts"].split("\n") if line[:1] != " "}
    lacking = []
    for part in parts():
        if kind not in part.packages:
            continue
        notice = bare(there.get(f"Notice: {part.name}", ""))
        texts = {name: bare(there.get(f"Text: {name}", "")) for name in part.texts}
        is_whole = all(bare(piece) in notice for piece in wanted(part, kind, folders)) and all(
            bare((LICENCES / "texts" / f"{name}.txt").read_text("utf-8")) == found for name, found in texts.items()
        )
        if part.name not in rows or not is_whole:
            lacking.append(part.name)
    return lacking


def without(text: str, part: Part) -> str:
    """The text as if nobody had thought of that part."""
    text = text.replace("\r\n", "\n").replace(f"\nNotice: {part.name}\n", "\nNotice: -\n", 1)
    return text.replace(f"\n{part.name}\n", "\n", 1)


def missing_in_package(text: str, folders: Iterable[Path]) -> list[str]:
    """The same of a file that programs read: a full licence may be one of those that each Debian has."""
    folders = list(folders)
    head, *rows = stanzas(text)
    assert head["Format"] == "https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
    by_folder = {row["Files"]: row for row in rows}
    assert len(by_folder) == len(rows)
    lacking = []
    for part in parts():
        if "package" not in part.packages:
            continue
        folder = "*" if part.name == OWN else f"parts/{re.sub('[^A-Za-z0-9]', '-', part.name)}/*"
        row = by_folder.get(folder, {"Copyright": "", "License": ""})
        notice = bare(row["License"])
        is_whole = row["Copyright"] != "" and all(bare(piece) in notice for piece in wanted(part, "package", folders))
        for name in part.texts:
            if name.endswith("-exception"):
                is_whole &= bare((LICENCES / "texts" / f"{name}.txt").read_text("utf-8")) in notice
            else:
                file = re.sub(r"^(GPL-[23])\.0$", r"\1", name)
                is_whole &= f"/usr/share/common-licenses/{file}." in notice
        if not is_whole:
            lacking.append(part.name)
    return lacking

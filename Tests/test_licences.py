"""What a build puts into what is given away has a part in Boards/licences/parts, and each part has its notice."""

import hashlib
import json
import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from lenker_bench.programs.processes import ROOT
from notices import KINDS, LICENCES, missing, parts, sections, unclaimed, unclaimed_packages

BOARDS = ROOT / "Boards"

# Of the whole texts, as base-files of Debian has them.
WHOLE = {
    "Apache-2.0": "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30",
    "CC0-1.0": "a2010f343487d3f7618affe54f789f5487602331c0a8d03f49e9a7c547cf0499",
    "GPL-2.0": "8177f97513213526df2cf6184d8ff986c675afb514d4e68a404010521b880643",
    "GPL-3.0": "3972dc9744f6499f0f9b2dbf76696f2ae7ad8af9b23dde66d6af86c9dfb36986",
    "LGPL-2.1": "dc626520dcd53a22f727af3ee42c770e56c97a64fe3adb063799d8ab032fe551",
}


def linked(board: str, c_modules: list[str]) -> set[str]:
    """What the linker is told to take: by the toolset of the board, and by these modules of Package.swift."""
    options = json.loads((BOARDS / board / "toolset.json").read_text())["linker"]["extraCLIOptions"]
    found = {option[2:] for option in options if option.startswith("-l")}
    found |= {Path(option).name for option in options if option.startswith("/")}
    package = (ROOT / "Package.swift").read_text()
    for module in c_modules:
        (target,) = re.findall(rf'\.target\(\s*name: "{module}".*?\),\n', package, re.DOTALL)
        found |= set(re.findall(r'\.linkedLibrary\("(\w+)"\)', target))
    return found


@pytest.mark.parametrize(
    ("kind", "board", "modules"),
    [
        ("card", "pi-zero-w", ["CLinux", "CCrypto"]),
        ("package", "pi-zero-2-w", ["CLinux", "CCrypto"]),
        ("page", "browser", ["CCrypto"]),
    ],
)
def test_what_is_linked_has_a_part(kind, board, modules):
    things = linked(board, modules)
    assert "c" in things and "mbedcrypto" in things
    assert unclaimed(kind, "links", things) == []


def test_no_other_module_links_a_library():
    package = (ROOT / "Package.swift").read_text()
    of_two = sum(len(linked("browser", [name]) - linked("browser", [])) for name in ("CLinux", "CCrypto"))
    assert len(re.findall("linkedLibrary", package)) == of_two


@pytest.mark.parametrize("kind", KINDS)
def test_the_packages_of_the_fonts_have_a_part(kind):
    recipe = (ROOT / "Fonts" / "fonts.conf").read_text("utf-8")
    packages = set(re.findall(r"^font \S+ \S+ +(\S+)", recipe, re.MULTILINE))
    packages |= set(re.findall(r"^unicode \S+ (\S+)", recipe, re.MULTILINE))
    assert len(packages) > 5
    assert unclaimed(kind, "fonts", packages) == []
    # A package whose name a part has for its fonts, or another one of the same source.
    for part in parts():
        assert not part.fonts or set(part.packages[kind]) <= set(part.fonts)


def test_the_packages_that_the_card_is_made_of_have_a_part():
    script = (BOARDS / "pi-zero-w" / "image").read_text()
    lines = re.findall(r'^unpack \w+ "\$\(kernel_package \w+ (\w+)\)"(.*)$', script, re.MULTILINE)
    packages = [f"linux-image-1-{kernel}" for kernel, _ in lines] + " ".join(more for _, more in lines).split()
    assert len(packages) == len(re.findall("kernel_package arm", script)) + 2
    assert unclaimed_packages("card", packages) == []


def test_swift_s_library_and_our_own_licence_are_everywhere():
    for part in parts()[:2]:
        assert list(part.packages) == list(KINDS)


def test_each_text_is_whole_and_is_one_that_a_part_needs():
    files = {file.stem: file for file in (LICENCES / "texts").iterdir()}
    assert files.keys() == {name for part in parts() for name in part.texts}
    assert {name: hashlib.sha256(files[name].read_bytes()).hexdigest() for name in WHOLE} == WHOLE


def test_a_text_that_a_licence_is_named_after_goes_with_it():
    for part in parts():
        for name in WHOLE:
            if re.search(rf"(?<![A-Z]){re.escape(name)}", part.licence):
                assert name in part.texts, part.name


def test_a_notice_that_is_cut_short_is_missed():
    notice = "\n\n\nNotice: Lenker\n==============\n\n"
    licence = (ROOT / "LICENSE").read_text("utf-8")
    text = f"\n\n\nParts\n=====\n\nLenker\n{notice}{licence}"
    assert list(sections(text)) == ["Parts", "Notice: Lenker"]
    try:
        found = missing("page", text, [])
    except FileNotFoundError as error:
        pytest.skip(f"{error}; install it with Boards/install browser")
    assert "Lenker" not in found
    assert "Lenker" in missing("page", text[:-100], [])
    assert "Lenker" in missing("page", text.replace("\nLenker\n", "\n"), [])


REUSE = (ROOT / ".reuse" / "dep5").read_text("utf-8")
# Where the text of each licence is that a file of the project is under; that of the last is in `.reuse/dep5` itself.
TEXTS = {
    "MIT": ROOT / "LICENSE",
    "GPL-2.0-only": LICENCES / "texts" / "GPL-2.0.txt",
    "LicenseRef-Verbatim": ROOT / ".reuse" / "dep5",
}
# In two pieces, as it would be a line of this file's own.
TAG = b"SPDX-License" + b"-Identifier: "
OWN_LINE = re.compile(TAG + rb"([\w.-]+)")


def files_of_the_project() -> list[str]:
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=False)
    if listing.returncode:
        pytest.skip("no git here, which names the files of the project")
    return [name for name in listing.stdout.split("\0") if (ROOT / name).is_file()]


def licence_of(name: str, start: bytes, reuse: str) -> str | None:
    """By the file's own line, or by the last paragraph that fits; `None` where neither says so."""
    if own := OWN_LINE.search(start):
        return own[1].decode()
    paragraphs = re.findall(r"^Files: (.+)\nCopyright: .+\nLicense: (.+)$", reuse, re.MULTILINE)
    fitting = [licence for pattern, licence in paragraphs if fnmatchcase(name, pattern)]
    return fitting[-1] if fitting else None


def test_every_file_has_a_licence_whose_text_is_here():
    """As REUSE wants it: each licence has its text, and each text a file."""
    found = {name: licence_of(name, (ROOT / name).read_bytes()[:2_000], REUSE) for name in files_of_the_project()}
    assert len(found) > 1_000
    assert [name for name, licence in found.items() if licence not in TEXTS] == []
    assert set(found.values()) == set(TEXTS)
    assert all(path.is_file() for path in TEXTS.values())


def test_a_file_that_nothing_says_the_licence_of_is_found():
    rules = "Files: a/*\nCopyright: we\nLicense: MIT\n\nFiles: a/b*.txt\nCopyright: they\nLicense: CC0-1.0\n"
    names = ("a/x.c", "a/c/x.c", "a/b1.txt", "b/x.c")
    assert [licence_of(name, b"", rules) for name in names] == ["MIT", "MIT", "CC0-1.0", None]
    assert licence_of("b/x.c", b"// " + TAG + b"GPL-2.0-only\n", rules) == "GPL-2.0-only"


def test_the_texts_of_licences_are_not_said_to_be_ours():
    names = [path.relative_to(ROOT).as_posix() for path in (LICENCES / "texts").iterdir()]
    assert {licence_of(name, b"", REUSE) for name in names} == {"LicenseRef-Verbatim"}

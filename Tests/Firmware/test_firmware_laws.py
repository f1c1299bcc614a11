"""The project's laws, checked in its sources and in what the compiler made of them."""

import functools
import re
import subprocess
from pathlib import Path

import pytest

from builds import AARCH64, command_of
from lenker_bench.programs.processes import ROOT
from swift_syntax import Node, syntax

SOURCES = ROOT / "Sources"
# The modules that are only needed to build.
HOST_TOOLS = {"FontTool", "FontPlugin", "VersionPlugin", "Replay", "Replaying"}
# C for Swift: the system's calls and libraries.
OUTSIDE = {"CLinux", "CCrypto", "CFreeType"}
FIRMWARE = [path for path in sorted(SOURCES.rglob("*.swift")) if path.relative_to(SOURCES).parts[0] not in HOST_TOOLS]
BOARDS = {
    "armv6": (ROOT / ".build/pi-zero-w/armv6-none-none-eabi/release", "arm-linux-gnueabi-nm"),
    "aarch64": (ROOT / ".build/pi-zero-2-w/aarch64-none-none-elf/release", "aarch64-linux-gnu-nm"),
}
each_board = pytest.mark.parametrize("board", ["armv6", AARCH64])
# What Swift calls to get memory, and what C has for it: SwiftShims and malloc(3).
HEAP = re.compile(
    r"swift_(allocObject|slowAlloc\w*|allocBox|allocEmptyBox|bufferAllocate)"
    r"|(__libc_)?(malloc|calloc|realloc|reallocarray|memalign|aligned_alloc|posix_memalign|valloc|strdup)"
)


def module(path: Path) -> str:
    return path.relative_to(SOURCES).parts[0]


def symbols(tool: str, *files: Path, options: tuple[str, ...] = ()) -> set[str]:
    """The names in symbol tables. Some are as long as a font, so they are cut."""
    output = subprocess.run([tool, *options, *map(str, files)], capture_output=True, check=True).stdout
    return {line.split()[-1][:200].decode() for line in output.splitlines() if line.split()}


def swift_objects(folder: Path) -> list[Path]:
    """The object files that Swift made for the board; those of C are named after their sources."""
    return [path for path in folder.glob("*.build/*.o") if not path.name.endswith(".c.o")]


@each_board
def test_a_board_binary_has_nothing_of_swifts_heap(board):
    command_of(board)
    folder, tool = BOARDS[board]
    names = symbols(tool, folder / "lenker")  # the board's own file has no symbols left
    assert "main" in names, "a symbol table is needed to say anything"
    assert {name for name in names if name.startswith("swift_") and HEAP.fullmatch(name)} == set()
    # Accessors that yield have a form for other modules that takes its frame from the heap. All calls are inlined,
    # so the objects have that form, and the linker drops it.
    assert "swift_coroFrameAlloc" not in names


@each_board
def test_no_swift_code_for_a_board_asks_for_memory(board):
    command_of(board)
    folder, tool = BOARDS[board]
    objects = swift_objects(folder)
    with_code = {path.parent.name.removesuffix(".build") for path in objects}
    assert {"Lenker", "Central", "Linux", "Panel", "Screens"} <= with_code
    asked = {name for name in symbols(tool, *objects, options=("--undefined-only",)) if HEAP.fullmatch(name)}
    assert asked == set()


def test_the_check_for_memory_finds_it(tmp_path):
    """Else the two tests above would pass whatever the compiler does."""
    source = tmp_path / "heap.c"
    source.write_text("void *malloc(unsigned long); void *get(void) { return malloc(7); }\n")
    subprocess.run(["cc", "-c", source.name, "-o", "heap.o"], cwd=tmp_path, check=True)
    undefined = symbols("nm", tmp_path / "heap.o", options=("--undefined-only",))
    assert {name for name in undefined if HEAP.fullmatch(name)} == {"malloc"}


@each_board
def test_a_board_binary_is_static(board):
    binary = Path(command_of(board)[-1])
    header = subprocess.run(["readelf", "-lW", str(binary)], capture_output=True, text=True, check=True).stdout
    assert "LOAD" in header
    assert "INTERP" not in header and "DYNAMIC" not in header


@each_board
def test_a_board_binary_cannot_write_to_what_is_only_set_up_at_its_start(board):
    command = command_of(board)
    headers = subprocess.run(["readelf", "-lW", command[-1]], capture_output=True, text=True, check=True).stdout
    address, size = (int(field, 16) for field in re.search(r"GNU_RELRO +\S+ (\S+) \S+ \S+ (\S+)", headers).groups())
    page = 4096
    start, end = address // page * page, (address + size) // page * page
    traced = [command[0], "-strace", *command[1:], "--version"]
    lines = subprocess.run(traced, capture_output=True, text=True, check=True).stderr
    calls = re.findall(r"mprotect\((\w+),(\d+),PROT_READ\) = 0", lines)
    assert [(int(where, 16), int(count)) for where, count in calls] == [(start, end - start)]


# What the laws are about.
KINDS = frozenset({"import_decl", "unsafe_expr", "nonisolated_attr"})


@functools.cache
def sources() -> dict[Path, Node]:
    return syntax(FIRMWARE, KINDS)


def is_unsafe(source: Node) -> bool:
    """Whether it says `unsafe`, without which the compiler lets nothing unsafe be done."""
    marked = source.all("unsafe_expr", "nonisolated_attr")
    return any(part.kind == "unsafe_expr" or part.text.endswith(" unsafe)") for part in marked)


def test_unsafe_code_is_at_the_seams_to_the_kernel_and_to_the_page_only():
    found = {module(path) for path, source in sources().items() if is_unsafe(source)}
    assert {"Browser"} <= found <= {"Linux", "Browser"}


def test_only_the_linux_module_touches_the_outside():
    """And only the module Crypto its library, and the kernel's random numbers through that."""
    modules = {path.name for path in SOURCES.iterdir()} - OUTSIDE
    imports = {(module(path), part.name) for path, source in sources().items() for part in source.all("import_decl")}
    found = {(importer, name) for importer, name in imports if name not in modules}
    assert found == {("Linux", "CLinux"), ("Crypto", "CCrypto")}


def test_what_the_laws_forbid_is_found_in_code_and_in_nothing_else(tmp_path):
    unsafe, safe = tmp_path / "Unsafe.swift", tmp_path / "Safe.swift"
    unsafe.write_text("public import Glibc\nfunc take(_ bytes: UnsafeRawPointer) { unsafe free(bytes) }\n")
    safe.write_text('// import Glibc\nlet text = """\nimport Glibc: unsafe\n"""  // UnsafeRawPointer\n')
    found = syntax([unsafe, safe], KINDS)
    assert [part.name for source in found.values() for part in source.all("import_decl")] == ["Glibc"]
    assert [is_unsafe(source) for source in found.values()] == [True, False]


def test_the_laws_are_asked_of_every_module():
    folders = {path.name for path in SOURCES.iterdir() if path.is_dir()}
    assert {module(path) for path in FIRMWARE} == folders - HOST_TOOLS - OUTSIDE


def test_every_source_is_short_enough_to_be_read():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.swift", "*.py"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    lengths = {path: len((ROOT / path).read_text("utf-8").splitlines()) for path in listed if (ROOT / path).exists()}
    assert len(lengths) > 500
    assert {path: length for path, length in lengths.items() if length >= 400} == {}

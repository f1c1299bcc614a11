"""What LLVM must not do to a program for the Pi Zero W: change the register in which a caller keeps `self`.

Swift passes `self` in r10 ("sl"), and a caller goes on using it. In ARM code LLVM's load/store optimizer makes
`ldm r10!, {…}` of the last `ldm r10, {…}` of a function, and saves r10 nowhere (seen with Swift 6.3.1). The toolset
of the board asks for Thumb code, whose `ldm` knows no r10.
"""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from builds import command_of
from lenker_bench.programs.processes import ROOT

FOLDER = ROOT / ".build/pi-zero-w/armv6-none-none-eabi/release"
TOOLS = "arm-linux-gnueabi-"
SWIFT_SYMBOL = re.compile(r"([0-9a-f]{8}) [tTwW] (\$e.+)")
INSTRUCTION = re.compile(r"\s+([0-9a-f]+):\t(\S+)\t?(.*)")
COMPARING_OR_STORING = ("cmp", "cmn", "tst", "teq", "str", "stm")


def changes_register(name: str, operands: str) -> bool:
    """Whether an instruction changes r10, as its result or as a base that moves on."""
    if re.search(r"\bsl!|\[sl[^\]]*\]!|\[sl\], ", operands):
        return True
    if name.startswith(("ldm", "pop")):
        return re.search(r"\{.*\bsl\b", operands) is not None
    return operands.startswith("sl,") and not name.startswith(COMPARING_OR_STORING)


def saves_register(name: str, operands: str, copies: set[str]) -> bool:
    """Whether r10, or in Thumb code a register with a copy of it, is saved on the stack."""
    registers = set(re.findall(r"\w+", operands))
    return not copies.isdisjoint(registers) and (name.startswith("push") or operands.startswith("sp!"))


def faulty(functions: dict[int, str], lines: Iterable[str]) -> set[str]:
    """Which functions, by their addresses, change r10 and do not save it."""
    function, spoiling, copies, is_saved = "", set(), {"sl"}, False
    for line in lines:
        if not (found := INSTRUCTION.match(line)):
            continue
        address, name, operands = found.groups()
        if (start := functions.get(int(address, 16))) is not None:
            function, copies, is_saved = start, {"sl"}, False
        if copied := re.fullmatch(r"(\w+), sl", operands):
            copies.add(copied[1])
        if saves_register(name, operands, copies):
            is_saved = True
        elif changes_register(name, operands) and not is_saved:
            spoiling.add(function)
    return spoiling - {""}


def functions_of(binary: Path) -> dict[int, str]:
    """Swift's functions; what lies behind one up to the next, such as what was outlined, has no name."""
    names = subprocess.run([f"{TOOLS}nm", "--special-syms", str(binary)], capture_output=True, check=True)
    functions: dict[int, str] = {}
    for line in names.stdout.decode("latin-1").splitlines():
        parts = line.split(" ", 2)
        if len(parts) == 3 and parts[1] in "tTwW" and re.fullmatch("[0-9a-f]{8}", parts[0]):
            is_named = SWIFT_SYMBOL.fullmatch(line) is not None
            # A mapping symbol says only what the bytes are.
            if not re.fullmatch(r"\$[adt](\..*)?", parts[2]):
                functions[int(parts[0], 16)] = parts[2] if is_named else ""
    return functions


@pytest.mark.thorough
def test_no_function_moves_the_register_of_self_away_from_its_caller():
    command_of("armv6")
    functions = functions_of(FOLDER / "lenker")
    assert sum(name != "" for name in functions.values()) > 200, "names are needed to say anything"
    disassembly = [f"{TOOLS}objdump", "-d", "--no-show-raw-insn", str(FOLDER / "lenker")]
    lines = subprocess.run(disassembly, capture_output=True, text=True, check=True).stdout.splitlines()
    assert faulty(functions, lines) == set()


@pytest.mark.parametrize(
    ("body", "is_faulty"),
    [
        (["ldmib\tsl!, {r2, r3, r4}"], True),
        (["push\t{r4, sl, lr}", "ldmib\tsl!, {r2, r3, r4}", "pop\t{r4, sl, pc}"], False),
        (["ldm\tsl, {r4, r5}", "str\tsl, [sp, #4]", "cmp\tsl, #0"], False),
        (["ldr\tr0, [sl], #4"], True),
        (["mov\tsl, r0"], True),
        (["push\t{r4, r6, lr}", "mov\tr6, sl", "push\t{r6}", "mov\tsl, r0", "pop\t{r6}", "mov\tsl, r6"], False),
        (["push\t{r4, r6, lr}", "mov\tr6, sl", "mov\tsl, r0"], True),
        (["mov\tsl, r0", "push\t{r4, sl, lr}"], True),
    ],
)
def test_the_check_for_it_finds_it(body, is_faulty):
    lines = [f"    {0x8000 + 4 * index:x}:\t{text}" for index, text in enumerate(body)]
    assert faulty({0x8000: "$e4Host"}, lines) == ({"$e4Host"} if is_faulty else set())

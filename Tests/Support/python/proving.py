"""Undoes what was mended, one defect at a time, and has the fuzzer find it again: `Tests/fuzz --prove`.

Each is undone in a copy of the project below `.build/prove`; the fuzzer begins with the kept corpus of `device`.
"""

import argparse
import contextlib
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fuzzing import PACKS, ROOT, libfuzzer_options, timed_options, unpack
from mutation.tree import Broken, Tree

TARGET = "device"
PROGRAM = ".build/release/Fuzz"
PATIENCE = 120  # seconds for each
EXECUTIONS = re.compile(r"stat::number_of_executed_units:\s*(\d+)")
LAST = re.compile(r"^#(\d+)\s", re.MULTILINE)
WRONG = re.compile(r"^(?:wrong: |==\d+== ERROR: libFuzzer: )(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Edit:
    """A text that is there once, and what was there before the defect was mended."""

    file: str
    mended: str
    broken: str


@dataclass(frozen=True)
class Defect:
    """What was wrong, and how it is wrong again."""

    name: str
    edits: tuple[Edit, ...]


CONTROLLER = "Sources/Central/Host+Receiving.swift"
STEPS = "Sources/Controller/Controller.swift"
LINK = "Sources/Central/Phone/Host+Link.swift"
LINK_BEFORE_RESET = Edit(LINK, "    case .bringUp: return  // Reset ends it, or has\n", "")

DEFECTS = (
    Defect(
        "a Command Complete without its status ends the bring-up for ever",
        (
            Edit(
                STEPS,
                "try? reader.u8() else { return .failed(.commandFailed(opcode, .success)) }",
                "try? reader.u8() else { return .nothing }",
            ),
        ),
    ),
    Defect(
        "the bring-up takes another command's answer for its step's",
        (
            Edit(
                STEPS,
                "return isSteps(opcode) ? carriedOut(step, opcode, reader.rest()) : .nothing",
                "return carriedOut(step, opcode, reader.rest())",
            ),
            Edit(STEPS, "    guard isSteps(opcode) else { return .nothing }\n", ""),
            # That other command is the Disconnect of such a link.
            LINK_BEFORE_RESET,
        ),
    ),
    Defect(
        "a link that comes up in the bring-up is ended before Reset is through",
        (
            LINK_BEFORE_RESET,
            Edit(
                CONTROLLER,
                "    guard phase != .off, phase != .recovering else { return }\n    let wasAwaited",
                "    guard phase != .off else { return }\n    let wasAwaited",
            ),
        ),
    ),
    Defect(
        "a packet that was prepared before a failure is sent in recovery",
        (Edit(STEPS, "    dropCommands()\n    dropOutput()\n", "    dropCommands()\n"),),
    ),
    Defect(
        "a remembered phone is asked over a link whose encryption is only begun",
        (Edit("Sources/Link/Client/GATTClient.swift", "= Standing.silent\n", "= Standing.open\n"),),
    ),
    Defect(
        "a phone is asked over a link that a new pairing only begins to encrypt",
        (
            Edit(
                "Sources/Link/Link.swift",
                "if machine.encryption != .begun(.pairing) { channels.sendRequest(of: &client) }",
                "channels.sendRequest(of: &client)",
            ),
        ),
    ),
    Defect(
        "a phone that was not kept is searched for in vain where pairing is required",
        (
            Edit(
                "Sources/Search/Search.swift",
                "    if demandsPairing, target == .stranger, !isKeyKept { endInVain() }\n",
                "",
            ),
        ),
    ),
)
"""What the issue "Broken on purpose, at scale" names, in its order."""


@contextlib.contextmanager
def undone(tree: Tree, edits: tuple[Edit, ...]) -> Iterator[None]:
    """The copy is broken meanwhile."""
    with contextlib.ExitStack() as stack:
        for edit in edits:
            text = (tree.path / edit.file).read_text("utf-8")
            if text.count(edit.mended) != 1:
                raise Broken(
                    f"{edit.file}: is to have this once, and has it {text.count(edit.mended)} times:\n{edit.mended}"
                )
            stack.enter_context(tree.changed(edit.file, text.replace(edit.mended, edit.broken)))
        yield


def _build(tree: Tree, log: Path) -> None:
    # What is found is found by the targets, several times as fast without the other sanitizer.
    command = ["swift", "build", "--quiet", "-c", "release", "--product", "Fuzz"]
    with log.open("w") as output:
        status = subprocess.run(
            command,
            cwd=tree.path,
            env={**os.environ, "LENKER_FUZZING": "fuzzer"},
            stdout=output,
            stderr=output,
            check=False,
        ).returncode
    if status != 0:
        raise Broken(f"a build failed: see {log}")


def _corpus(tree: Tree) -> Path:
    """A fresh folder with the inputs of the repository alone."""
    folder = tree.folder / "corpus"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, data in enumerate(unpack((PACKS / f"{TARGET}.pack").read_bytes())):
        (folder / f"packed-{number:05}").write_bytes(data)
    return folder


def _search(tree: Tree, seed: int, seconds: int, log: Path) -> tuple[bool, str]:
    """Whether the fuzzer finds anything, and what it says of that."""
    options = [
        *libfuzzer_options(TARGET, seed, f"{tree.folder}/finding-"),
        *timed_options(seconds),
        "-print_final_stats=1",
    ]
    for path in tree.folder.glob("finding-*"):
        path.unlink()
    started = time.monotonic()
    with log.open("w") as output:
        status = subprocess.run(
            [tree.path / PROGRAM, TARGET, *options, _corpus(tree)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=output,
            check=False,
        ).returncode
    said = log.read_text("utf-8", "replace")
    counts = EXECUTIONS.findall(said) or LAST.findall(said) or ["?"]
    after = f"{counts[-1]} executions, {time.monotonic() - started:.0f} s"
    if status == 0:
        return False, f"NOT FOUND in {after}"
    words = WRONG.findall(said) or [f"it ended with status {status}: see {log}"]
    for path in tree.folder.glob("finding-*"):
        if subprocess.run([tree.folder / "Mended", TARGET, path], capture_output=True, check=False).returncode != 0:
            kept = path.rename(tree.folder / f"open-{path.name}")
            return False, f"NOT FOUND, but what is there with its mending, too: {words[0]}: see {kept}"
    return True, f"found again after {after}: {words[0]}"


def prove(seed: int, seconds: int, wanted: list[str]) -> int:
    """Tries all, or those of whose names these words are a part; 1 if one is not found."""
    defects = [defect for defect in DEFECTS if not wanted or any(words in defect.name for words in wanted)]
    tree = Tree(ROOT, "prove", "Tests/fuzz --prove")
    print(f"seed {seed}, at most {seconds} s for each of {len(defects)} defects", flush=True)
    missed = 0
    with tree.locked():
        tree.copy()
        _build(tree, tree.folder / "build.log")
        shutil.copy(tree.path / PROGRAM, tree.folder / "Mended")
        for number, defect in enumerate(defects, 1):
            with undone(tree, defect.edits):
                _build(tree, tree.folder / "build.log")
                is_found, words = _search(tree, seed, seconds, tree.folder / f"defect-{number}.log")
            missed += not is_found
            print(f"{defect.name}: {words}", flush=True)
    return 1 if missed or not defects else 0


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Tests/fuzz --prove", description="Finds again what was mended.")
    parser.add_argument("words", nargs="*", help="of the names of defects; all of them without")
    parser.add_argument("--seconds", type=int, default=PATIENCE, help="for each at most (%(default)s)")
    parser.add_argument("--seed", type=int, help="a fresh one without")
    return parser.parse_intermixed_args(arguments)


def main() -> int:
    options = parse(sys.argv[1:])
    seed = secrets.randbelow(2**31) if options.seed is None else options.seed
    try:
        return prove(seed, options.seconds, options.words)
    except Broken as error:
        print(f"Tests/fuzz --prove: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())

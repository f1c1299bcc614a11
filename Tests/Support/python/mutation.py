"""Changes single lines of the firmware and says which changes no unit notices.

A change turns a comparison or a condition, leaves out a condition or a statement, makes a constant one more or less, or
takes another operator or value. All changes are built together in a copy below .build/mutate, with no more of the
package than the tests need: there a function keeps its changed bodies beside its own, and LENKER_CHANGE says which one
runs. What does not compile gives way to the next of the seed. Each is tried with the units of its module, up to the
first that fails. A trap, 2 GiB, and 10 s more than twice the usual time of the processor count as noticed, too.

Ends with 0 if each change was noticed or is explained in Tests/Support/python/mutation.txt, with 1 if one was not, and
with 75 if the minutes did not suffice.
"""

import argparse
import contextlib
import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
WORK, TREE = ROOT / ".build/mutate", ROOT / ".build/mutate/tree"
OWN = "ATT BondFile Central Device Events Navigation Panel PhoneServices Places SMP ScanTool Screens Sensors"
TESTS = dict.fromkeys(("Bond", "Controller", "Link", "Search", "SensorLinks", "Exploring"), "CentralTests")
TESTS |= {"DeviceState": "DeviceTests", "Recording": "DeviceTests", **{name: f"{name}Tests" for name in OWN.split()}}
"""The modules that are changed, and the units of each."""

OTHERS = """< <= >=;<= < >;> >= <=;>= > <;== !=;!= ==;+ -;- +;&+ &-;&- &+;+= -=;-= +=;* /;/ *;% /;& |;| &;<< >>;>> <<
&<< &>>;&>> &<<;&& ||;|| &&;..< ...;... ..<;true false;false true;min( max(;max( min("""
SWAPS = {word: others for word, *others in map(str.split, re.split("[;\n]", OTHERS))}
OPERATORS = "|".join(re.escape(word) for word in SWAPS if not word[0].isalpha() and word[0] != ".")
SWAP = re.compile(rf"(?<=\s)(?:{OPERATORS})(?=\s(?!~Copyable))|\b(?:true|false)\b|\b(?:min|max)\(|\.\.[.<](?=[\w(-])")
NUMBER = re.compile(r"(?<![\w$])(?<![^.]\.)(?<![^.]<)(0x[0-9A-Fa-f_]+|0b[01_]+|\d[\d_]*)(?!\w|\.\d)")
NOT, CHOICE = re.compile(r"(?<![\w)!])!(?=[\w(.])"), re.compile(r"(?<![\w.!)])[a-zA-Z][\w.]*(?= \? )")
UNTOUCHED = re.compile(r"\s*(?:@|#|precondition|assert|fatalError|$)")
STATEMENT = re.compile(
    r"\s*(?:(?:if|guard|defer) .*\}|return|break|continue|[a-z_][\w.?!]*\(.*\)"
    r"|[\w.?!]+(?:\[.*\])? [-+&|^*]?= .*[^{(\[,=])$"
)
TEXT = re.compile(r'//[^\n]*|/\*[\s\S]*?\*/|"""[\s\S]*?"""|"(?:\\\((?:[^()"]|"[^"\n]*"|\([^()]*\))*\)|\\.|[^"\\\n])*"')


class Place(NamedTuple):
    """A change that can be made: in a body of a source, a part becomes another one."""

    file: str
    number: int
    old: str
    new: str
    part: range
    other: str
    body: range

    @property
    def texts(self) -> tuple[str, str, str]:
        """What names the change though its line has moved."""
        return self.file, self.old.strip(), self.new.strip()

    @property
    def module(self) -> str:
        return self.file.split("/")[1]


def code_of(source: str) -> str:
    """The source with blanks for its comments and texts; each character keeps its place."""

    def blank(match: re.Match[str]) -> str:
        blanks = re.sub(r"[^\n]", " ", match[0])
        return f'"{blanks[1:-1]}"' if match[0][0] == '"' else blanks

    return TEXT.sub(blank, source)


def outside(code: str, start: int, mark: str) -> int:
    """Where the mark stands from `start` on, in no bracket opened behind `start`; -1 if it does not."""
    depth = 0
    for index in range(start, len(code)):
        if depth == 0 and code.startswith(mark, index):
            return index
        depth += (code[index] in "([{") - (code[index] in ")]}")
    return -1


def is_balanced(code: str) -> bool:
    return outside(code + "\0", 0, "\0") == len(code)


def conditions(code: str, line: str) -> Iterator[tuple[int, int, str]]:
    """Each condition of `if`, `guard` and `while` turned round, or left out if it is not the only one."""
    for header in re.finditer(r"\b(if|guard|while) ", code):
        end = outside(code, header.end(), " else" if header[1] == "guard" else " {")
        if end < 0 and not code.endswith(","):
            continue  # the condition goes on in the next line
        goes_on, end, parts, start = end < 0, end if end >= 0 else len(code), [], header.end()
        while start < end:
            stop = outside(code[:end] + ",", start, ",")
            parts.append((start, stop if stop >= 0 else end))
            start = parts[-1][1] + 2
        for number, (start, stop) in enumerate(parts):
            part = code[start:stop]
            if re.match(r"(?:let|var|case|#|_)\b", part) or not is_balanced(part):
                continue
            if len(re.findall(r"\s(?:[<>]=?|[!=]=)\s", part)) != 1 and part[0] != "!":
                yield start, stop, f"!({line[start:stop]})"
            if number + 1 < len(parts):
                yield start, parts[number + 1][0], ""
            elif number > 0 or goes_on:
                yield parts[number - 1][1] if number > 0 else start - 1, stop, ""


def edits(code: str, line: str) -> Iterator[tuple[int, int, str]]:
    """What can replace which part of a line."""
    for match in SWAP.finditer(code):
        yield from ((*match.span(), other) for other in SWAPS[match[0]])
    for match in NUMBER.finditer(code):
        number, digits = int(match[0].replace("_", ""), 0), len(match[0].replace("_", "")) - 2
        form = {"0x": "X", "0b": "b"}.get(match[0][:2])
        for other in {number + 1, abs(number - 1)} - {number}:
            yield *match.span(), f"{match[0][:2]}{other:0{digits}{form}}" if form else str(other)
    yield from ((*match.span(), "") for match in NOT.finditer(code))
    yield from ((match.start(), match.start(), "!") for match in CHOICE.finditer(code))
    yield from conditions(code, line)


def places_in(file: str, source: str) -> Iterator[Place]:
    """All changes of a source, in the order of its lines."""
    all_bodies, begin, in_conditions = list(bodies(source)), 0, False
    for number, (line, text) in enumerate(zip(source.split("\n"), code_of(source).split("\n"), strict=True), 1):
        changes = [] if UNTOUCHED.match(text) else list(dict.fromkeys(edits(text.rstrip(), line)))
        is_own_condition = in_conditions and text.endswith(",") and not re.match(r"\s*(?:let|var|case)\b", text)
        if is_own_condition or (STATEMENT.match(text.rstrip()) and is_balanced(text)):
            changes.append((0, len(line), ""))
        in_conditions = text.endswith(",") and (in_conditions or re.search(r"\b(?:if|guard|while) ", text) is not None)
        body = next((body for body in all_bodies if body.start <= begin + len(line) and begin < body.stop), None)
        for start, end, other in changes if body else []:
            if body.start <= begin + start and begin + end <= body.stop:
                new = (line[:start] + other + line[end:]).rstrip()
                yield Place(file, number, line, new, range(begin + start, begin + end), other, body)
        begin += len(line) + 1


def all_places(modules: Iterable[str]) -> Iterator[Place]:
    for path in sorted(path for module in modules for path in (TREE / "Sources" / module).rglob("*.swift")):
        yield from places_in(path.relative_to(TREE).as_posix(), path.read_text("utf-8"))


HEAD = re.compile(
    r"\bfunc (?:[^\s(<]+|[<>=!]+(?= \())|(?<![.\w])init[?!]?(?=[(<])|\bsubscript(?=[(<])|\b(?:get|set)(?= \{)"
    r"|\bvar \w+: [^={}\n]+(?= \{)|^ *(?:[a-z()]+ )*(?:var|let) \w+(?:: [^={}\n]+)? (?== [^\n{]+$)",
    re.MULTILINE,
)
BETWEEN = re.compile(r"(?:[^{}\n]|\n\s*(?=->|where|throws|\{))*")
ACCESSORS = re.compile(r"\s*(?:@\w+(?:\([^)]*\))?\s*)*(?:(?:non)?mutating |borrowing )?(?:get|set|didSet|willSet)\b")


def bodies(source: str) -> Iterator[range]:
    """What is between the braces of each function and accessor that is in no other, and what a property begins with."""
    code, position = code_of(source), 0
    while (head := HEAD.search(code, position)) is not None:
        position = head.end()
        if code.startswith("= ", position):
            value = range(position + 2, code.find("\n", position))
            if is_balanced(code[value.start : value.stop]):
                yield value
            continue
        if head[0].startswith(("func", "init", "subscript")):
            for bracket, closing in ("<>", "()"):
                if code.startswith(bracket, position):
                    position = outside(code, position + 1, closing) + 1
            position = BETWEEN.match(code, position).end()
        position += code.startswith(" ", position)
        if code.startswith("{", position):
            body = range(position + 1, outside(code, position + 1, "}"))
            position = body.start
            if not ACCESSORS.match(code, position):
                yield body
                position = body.stop


def marked(text: str, *numbers: int) -> str:
    """The text so that the compiler's errors in it name the numbers as a file."""
    name = "-".join(map(str, ["change", *numbers]))
    return f'\n#sourceLocation(file: "{name}.swift", line: 1)\n{text}\n#sourceLocation()\n'


def together(source: str, places: dict[int, Place]) -> str:
    """The source with all of these changes, each with its number."""
    text, position = "import Switch\n", 0
    for body in sorted({place.body for place in places.values()}, key=lambda body: body.start):
        own, others = source[body.start : body.stop], {}
        for number, (*_, part, other, where) in places.items():
            if where == body:
                others[number] = source[body.start : part.start] + other + source[part.stop : body.stop]
        if source[body.start - 1] == "{":
            text += source[position : body.start]
            for number, other in others.items():
                text += f" if chosen_change() == {number} {{{marked(other, number)}}} else"
            text += f" {{{marked(own, *others)}}} "
        else:
            begin = source.rindex("\n", 0, body.start) + 1
            choices = "".join(f"chosen_change() == {number} ? ({other}) : " for number, other in others.items())
            text += source[position:begin] + marked(f"{source[begin : body.start]}{choices}({own})", *others)
        position = body.stop
    return text + source[position:]


def write(path: Path, text: str | bytes) -> None:
    """Writes a file if it is another one, so that what is again as it was last built is not built again."""
    data, was = text.encode() if isinstance(text, str) else text, path.read_bytes() if path.is_file() else None
    if data != was:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def copy(suites: Iterable[str]) -> None:
    """Makes the copy like the working tree, with what these tests need alone."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    names = {name for name in listed if (ROOT / name).is_file()} - {"Package.swift"}
    for path in [path for folder in ("Sources", "Tests") for path in (TREE / folder).rglob("*.*")]:
        if path.relative_to(TREE).as_posix() not in names and path.stem != "Switch":
            path.unlink()
    for name in names:
        write(TREE / name, (ROOT / name).read_bytes())
        (TREE / name).chmod((ROOT / name).stat().st_mode)  # a plugin runs some of them
    package = json.loads(subprocess.check_output(["swift", "package", "dump-package"], cwd=ROOT))
    targets, kept, waiting = {target["name"]: target for target in package["targets"]}, set(), sorted(suites)
    while waiting:
        if (name := waiting.pop()) in targets and name not in kept:
            kept.add(name)
            uses = [*targets[name]["dependencies"], *(targets[name].get("pluginUsages") or [])]
            waiting += [words[0] for use in uses for kind, words in use.items() if kind != "product"]
    reduced = f"""
let kept: Set<String> = {json.dumps(sorted(kept))}
(package.products, package.dependencies) = ([], [])
package.targets.removeAll {{ !kept.contains($0.name) }}
package.targets.filter {{ $0.type == .regular && $0.path == nil }}.forEach {{ $0.dependencies.append("Switch") }}
package.targets.append(.target(name: "Switch"))
"""
    write(TREE / "Package.swift", (ROOT / "Package.swift").read_text("utf-8") + reduced)
    choice = 'static int it = -1; if (it < 0) it = getenv("LENKER_CHANGE") ? atoi(getenv("LENKER_CHANGE")) : 0;'
    function = f"static inline int chosen_change(void) {{ {choice} return it; }}"
    write(TREE / "Sources/Switch/include/Switch.h", f"#pragma once\n#include <stdlib.h>\n{function}\n")
    write(TREE / "Sources/Switch/Switch.c", '#include "Switch.h"\n')


def build() -> list[str]:
    """Builds the copy; returns the compiler's errors."""
    command = ["swift", "build", "--build-tests", "-debug-info-format", "none"]
    done = subprocess.run(command, cwd=TREE, capture_output=True, text=True, check=False)
    (WORK / "build.log").write_text(said := done.stdout + done.stderr, "utf-8")
    errors = re.findall(r"^\S+?:\d+:\d+: error: .*$", said, re.MULTILINE)
    if done.returncode != 0 and not errors:
        sys.exit(f"Tests/mutate: a build failed, but not the compiler: see {WORK / 'build.log'}")
    return errors if done.returncode else []


def build_together(order: list[Place], count: int) -> dict[int, Place]:
    """Has the first that compile in the copy, and returns them with their numbers; what does not, leaves the order."""
    sources = {file: (TREE / file).read_text("utf-8") for file in {place.file for place in order}}
    while True:
        chosen = dict(enumerate(sorted(order[:count], key=lambda place: place[:4]), 1))
        for file, source in sources.items():
            here = {number: place for number, place in chosen.items() if place.file == file}
            write(TREE / file, together(source, here) if here else source)
        if not (errors := build()):
            return chosen
        wrong = {int(number) for error in errors for number in re.findall(r"-(\d+)", error.partition(".swift:")[0])}
        wrong = wrong & chosen.keys() or {n for n in chosen if any(chosen[n].file in error for error in errors)}
        if not wrong:
            sys.exit(f"Tests/mutate: it does not compile without a change: {errors[0]}")
        for number in wrong:
            order.remove(chosen[number])


def run_tests(suite: str, number: int, processor: float = 3600, clock: float = 3600) -> tuple[str, float]:
    """Which test noticed the change, or nothing, and the seconds of the processor that the tests used."""
    [program] = TREE.glob(".build/debug/*.xctest")
    reading, writing = os.pipe()
    limits = f"timeout --signal=KILL {clock:.0f} prlimit --cpu={processor} --data=2147483648 --core=0"
    command = [*limits.split(), program, "--testing-library", "swift-testing", "--filter", rf"^(?:{suite})\."]
    command += ["--event-stream-output-path", f"/dev/fd/{writing}"]
    # A trap is told at once: the program that prints where it was may hang, with our pipe in its hand.
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "LENKER_CHANGE": str(number)}
    options = {"cwd": TREE, "env": environment, "pass_fds": [writing], "start_new_session": True}
    before, failed, running = resource.getrusage(resource.RUSAGE_CHILDREN), "", ""
    with (WORK / "tests.log").open("w") as log, os.fdopen(reading, encoding="utf-8", errors="replace") as events:
        process = subprocess.Popen(command, stdout=log, stderr=log, **options)
        os.close(writing)
        try:
            for line in events:
                event = json.loads(line).get("payload", {}) if line.endswith("}\n") else {}
                name = re.sub(r"^\w+\.|/[^/]+\.swift:\d+:\d+$", "", event.get("testID", ""))
                running = name if event.get("kind") == "testStarted" else running
                if event.get("kind") == "issueRecorded" and not event["issue"].get("isKnown"):
                    failed = name
                    break
            status = 0 if failed else process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if not running and status in (0, 125, 126, 127):
        sys.exit(f"Tests/mutate: the tests could not be run: see {WORK / 'tests.log'}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    failed = failed or (f"a trap, time or memory near {running}" if status != 0 else "")
    return failed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def usual(suite: str) -> tuple[float, float]:
    """The seconds of the processor, and of the clock, that these tests may use with a change."""
    begun = time.monotonic()
    failed, used = run_tests(suite, 0)
    if failed:
        sys.exit(f"Tests/mutate: without a change it fails: {failed}; see {WORK / 'tests.log'}")
    return round(10 + 2 * used), 100 + 20 * (time.monotonic() - begun)


def explanations() -> set[tuple[str, str, str]]:
    """The changes of which the file says why no test can notice them."""
    blocks = re.sub(r"(?m)^#.*\n", "", Path(__file__).with_suffix(".txt").read_text("utf-8")).strip().split("\n\n")
    found = [block.splitlines() for block in blocks]
    return {(file, old[2:].strip(), rest[0][2:] if rest[0][0] == "+" else "") for file, old, *rest in found}


def try_all(chosen: dict[int, Place], end: float) -> dict[Place, str]:
    """The test that noticed each change, or nothing."""
    limits, noticed, explained = {}, dict[Place, str](), explanations()
    for number, place in chosen.items():
        if (suite := TESTS[place.module]) not in limits:
            limits[suite] = usual(suite)
        if (begun := time.monotonic()) >= end:
            break
        by = noticed[place] = run_tests(suite, number, *limits[suite])[0]
        said = f"noticed by {by}" if by else f"SURVIVED{', as is explained' * (place.texts in explained)}"
        change = f"{place.file}:{place.number}: {place.texts[1]} → {place.texts[2]}"
        print(f"{change}: {said} ({time.monotonic() - begun:.0f} s)", flush=True)
    return noticed


def report(noticed: dict[Place, str]) -> bool:
    """Prints the survivors and the score; whether each survivor is explained."""
    explained = explanations()
    survivors = [place for place, by in noticed.items() if not by]
    unexplained = [place for place in survivors if place.texts not in explained]
    for file, old, new in (place.texts for place in unexplained):
        print("", file, f"- {old}", *([f"+ {new}"] if new else []), "  REASON", sep="\n")
    print("\n| module | tried | noticed | explained | survived |\n|---|---|---|---|---|")
    for module in (*sorted({place.module for place in noticed}), "all"):
        lists = (noticed, survivors, unexplained)
        tried, alive, bad = (sum(module in (place.module, "all") for place in some) for some in lists)
        print(f"| {module} | {tried} | {tried - alive} | {alive - bad} | {bad} |")
    return not unexplained


def main() -> int:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("Tests/mutate", description=__doc__, formatter_class=form)
    parser.add_argument("--module", action="append", choices=sorted(TESTS), help="this module, or several; else all")
    parser.add_argument("--also", action="append", default=[], metavar="MODULE", help="try this one's units, too")
    parser.add_argument("--files", default="", metavar="WORD", help="only files with this in their paths")
    parser.add_argument("--count", type=int, default=300, help="how many changes that compile (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which (%(default)s)")
    parser.add_argument("--limit-minutes", type=float, default=float("inf"), help="try nothing more after this time")
    options = parser.parse_args()
    modules, begun = sorted(set(options.module or TESTS)), time.monotonic()
    # The tests find them by their own place otherwise, and that is the copy's.
    os.environ.setdefault("LENKER_RECORDINGS", str(ROOT.parent / "shared"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    for module in modules:
        TESTS[module] = "|".join(dict.fromkeys([TESTS[module], *(f"{name}Tests" for name in options.also)]))
    copy({suite for module in modules for suite in TESTS[module].split("|")})
    for texts in explanations() - {place.texts for place in all_places(TESTS)}:
        print("explained, but cannot be made any more:", *texts)
    order = [place for place in all_places(modules) if options.files in place.file]
    keys, seen = {}, Counter()
    for place in order:
        file, old, new = place.texts
        name = repr((options.seed, (file, (old,), (new,) if new else ()), seen[place.texts]))
        keys[place] = hashlib.sha256(name.encode()).digest()
        seen[place.texts] += 1
    order.sort(key=lambda place: keys[place])
    chosen = build_together(order, options.count)
    print(f"built with {len(chosen)} changes in {time.monotonic() - begun:.0f} s", flush=True)
    noticed = try_all(chosen, begun + 60 * options.limit_minutes)
    print(f"\n{len(chosen) - len(noticed)} were not tried")
    return 1 if not report(noticed) else 75 if len(noticed) < len(chosen) else 0


if __name__ == "__main__":
    sys.exit(main())

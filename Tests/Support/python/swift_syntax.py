"""The syntax of Swift sources, as the compiler's parser prints it: no comment and no text is taken for code."""

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

_ATTRIBUTE = re.compile(r'\b(\w+)="((?:[^"\\]|\\.)*)"')
_OWN_NAME = re.compile(r'(?:^|\] )"([^"]+)"')


@dataclass
class Node:
    """A part of a source: what kind it is, what the parser says of it, and its parts."""

    kind: str
    text: str
    parts: "list[Node]" = field(default_factory=list)

    def all(self, *kinds: str) -> "Iterator[Node]":
        """This and all that is in it, of these kinds, in the source's order."""
        if not kinds or self.kind in kinds:
            yield self
        for part in self.parts:
            yield from part.all(*kinds)

    def attribute(self, name: str) -> str:
        """What stands behind `name=`, or nothing."""
        return next((value for key, value in _ATTRIBUTE.findall(self.text) if key == name), "")

    @property
    def name(self) -> str:
        """What a declaration declares, without its parameters; an import's module."""
        own = _OWN_NAME.search(self.text.strip())
        return own[1].partition("(")[0] if own else self.attribute("module")

    def calls(self, *functions: str) -> "Iterator[Node]":
        """The calls of functions or methods with these names."""
        for call in self.all("call_expr"):
            function = call.parts[0]
            if {function.attribute("name"), function.attribute("field")} & set(functions):
                yield call

    @property
    def arguments(self) -> "list[Node]":
        """What a call is given."""
        lists = (part.parts for part in self.parts if part.kind == "argument_list")
        return [argument.parts[0] for argument in next(lists, []) if argument.parts]

    @property
    def first_argument(self) -> "Node | None":
        """What a call is given first."""
        return next(iter(self.arguments), None)


def syntax(files: Iterable[Path], kinds: frozenset[str] = frozenset()) -> dict[Path, Node]:
    """Each source's syntax; for speed, only parts of these kinds, where some are named."""
    batches: list[dict[str, Path]] = []
    for path in files:  # the compiler takes sources of one module, whose files have different names
        batch = next((batch for batch in batches if path.name not in batch), None)
        if batch is None:
            batches.append(batch := {})
        batch[path.name] = path
    return {path: root for batch in batches for path, root in _parsed(list(batch.values()), kinds).items()}


def _parsed(files: list[Path], kinds: frozenset[str]) -> dict[Path, Node]:
    options = [option for path in files for option in ("-primary-file", str(path))]
    command = ["swiftc", "-frontend", "-dump-parse", "-enable-bare-slash-regex", *options]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    kind = "|".join(["source_file", *kinds]) if kinds else r"\w+"
    line = re.compile(rf"^( *)\((?:(\w+)=)?({kind})\b(.*)$".encode(), re.MULTILINE)
    roots: list[Node] = []
    above: list[tuple[int, Node]] = []
    # A source's syntax begins where that of the one before it ends, without a line of its own.
    for match in line.finditer(done.stdout.replace(b"(source_file ", b"\n(source_file ")):
        depth, node = len(match[1]), Node(match[3].decode(), match[4].decode(errors="replace"))
        while above and above[-1][0] >= depth:
            above.pop()
        if match[2] != b"processed_init":  # which is said a second time, behind `original_init`
            (above[-1][1].parts if above else roots).append(node)
        above.append((depth, node))
    found = {Path(root.name): root for root in roots}
    assert list(found) == files
    return found

"""A copy of the project that may be broken, with a package of no more than a module's tests need."""

import contextlib
import fcntl
import filecmp
import hashlib
import json
import os
import shutil
import subprocess
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

SWITCH = "Tests/Support/python/mutation/Switch"


class Broken(Exception):
    """Something is wrong with more than the change that is tried."""


def write(path: Path, text: str) -> None:
    """Gives a file a time that goes with its text: what is again as it was last built is not built again."""
    path.write_text(text, "utf-8")
    time = 1_000_000_000 + zlib.crc32(text.encode()) % 500_000_000
    os.utime(path, (time, time))


class Tree:
    """The copy below `.build/NAME`; nothing outside of that folder is written to."""

    def __init__(self, root: Path, name: str = "mutate", command: str = "Tests/mutate") -> None:
        self.root = root
        self.command = command
        self.folder = root / ".build" / name
        self.path = self.folder / "tree"
        self._targets: dict[str, dict] = {}
        self._sources: dict[str, str] = {}

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """For one at a time."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / "lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise Broken(f"another {self.command} is at work") from None
            yield

    def copy(self) -> None:
        """Makes it like the working tree; files that are the same keep their times, so that little is built again."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=self.root, check=True, capture_output=True, text=True,
        )  # fmt: skip
        names = {name for name in listed.stdout.split("\0") if name and (self.root / name).is_file()}
        for name in names:
            source, target = self.root / name, self.path / name
            if not target.is_file() or not filecmp.cmp(source, target, shallow=False):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
                shutil.copymode(source, target)
        for folder, folders, files in os.walk(self.path):
            folders[:] = [name for name in folders if Path(folder, name) != self.path / ".build"]
            for name in files:
                if (path := Path(folder, name)).relative_to(self.path).as_posix() not in names:
                    path.unlink()
        described = subprocess.run(
            ["swift", "package", "dump-package"], cwd=self.path, capture_output=True, text=True, check=True
        )
        self._targets = {target["name"]: target for target in json.loads(described.stdout)["targets"]}

    def needed(self, targets: Iterable[str]) -> set[str]:
        """These targets and all that they are built of."""
        found: set[str] = set()
        waiting = list(targets)
        while waiting:
            name = waiting.pop()
            if name in found or name not in self._targets:
                continue
            found.add(name)
            target = self._targets[name]
            for use in [*target["dependencies"], *(target.get("pluginUsages") or [])]:
                waiting += [names[0] for kind, names in use.items() if kind != "product"]
        return found

    def digest(self, targets: Iterable[str], *, of_tests: bool) -> str:
        """What the sources of these targets are: of their tests and the tests' helpers, or of all the others."""
        digest = hashlib.sha256((self.root / "Package.swift").read_bytes())
        for name in sorted(targets):
            folder = self.path / (self._targets[name].get("path") or f"Sources/{name}")
            if folder.relative_to(self.path).parts[0] != ("Tests" if of_tests else "Sources"):
                continue
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                digest.update(f"{path.relative_to(self.path)}\0".encode() + path.read_bytes() + b"\0")
        return digest.hexdigest()[:16]

    def reduce(self, targets: Iterable[str]) -> None:
        """Leaves only these targets in the copy's package, and lets its modules ask which change is chosen."""
        text = (self.root / "Package.swift").read_text("utf-8")
        kept = ", ".join(f'"{name}"' for name in sorted(targets))
        text += f"\nlet kept: Set = [{kept}]\npackage.products = []"
        text += "\npackage.targets.removeAll { !kept.contains($0.name) }\n"
        text += "for target in package.targets where target.type == .regular && target.path == nil {"
        text += ' target.dependencies.append("Switch") }\n'
        text += f'package.targets.append(.target(name: "Switch", path: "{SWITCH}"))\n'
        if "Replay" not in targets:
            text += "package.dependencies = []\n"
        manifest = self.path / "Package.swift"
        write(manifest, text)

    def source(self, file: str) -> str:
        """A file of the copy as it was before it was asked for the first time."""
        if file not in self._sources:
            self._sources[file] = (self.path / file).read_text("utf-8")
        return self._sources[file]

    @contextlib.contextmanager
    def changed(self, file: str, text: str) -> Iterator[None]:
        """Has this text in a file meanwhile."""
        path = self.path / file
        before = path.read_text("utf-8")
        write(path, text)
        try:
            yield
        finally:
            write(path, before)

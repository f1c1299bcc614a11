"""The virtual machine's first file system: an archive of what is needed, and of nothing else."""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

FOLDER, PROGRAM, FILE, LINK = 0o040755, 0o100755, 0o100644, 0o120777


@dataclass
class Archive:
    """A cpio archive as the kernel unpacks it.

    Linux, Documentation/driver-api/early-userspace/buffer-format.rst, "newc".
    """

    _entries: dict[str, tuple[int, bytes]] = field(default_factory=dict)

    def add(self, path: str, content: bytes, mode: int = FILE) -> None:
        """Adds or replaces a file, with the folders that it is in."""
        for folder in reversed(Path(path).parents[:-1]):
            self._entries.setdefault(str(folder), (FOLDER, b""))
        self._entries[path] = mode, content

    def add_program(self, path: str, source: Path) -> None:
        """Adds a program or a library with all libraries that it is linked to, each where this machine has it."""
        self.add(path.removeprefix("/"), source.read_bytes(), PROGRAM)
        linked = subprocess.run(["ldd", source], capture_output=True, text=True, check=False).stdout
        for library in re.findall(r"(/\S+) \(0x", linked):
            self.add(library.removeprefix("/"), Path(library).read_bytes(), PROGRAM)

    def __bytes__(self) -> bytes:
        parts = [_entry(number, *entry) for number, entry in enumerate(self._entries.items(), 1)]
        return b"".join([*parts, _entry(0, "TRAILER!!!", (0, b""))])


def _entry(number: int, path: str, entry: tuple[int, bytes]) -> bytes:
    mode, content = entry
    name = path.encode() + b"\0"
    fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name), 0)
    header = b"070701" + b"".join(b"%08X" % value for value in fields) + name
    return header + bytes(-len(header) % 4) + content + bytes(-len(content) % 4)


def add_modules(archive: Archive, folder: Path, kernel: str, names: list[str]) -> None:
    """Adds these modules with all that they need, so that modprobe finds them."""
    place = f"lib/modules/{kernel}"
    needs: dict[str, list[str]] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in needs:
            continue
        content = (folder / f"{name}.ko").read_bytes()
        archive.add(f"{place}/{name}.ko", content)
        needs[name] = _needs(content, folder)
        waiting += needs[name]
    lines = [f"{name}.ko: {' '.join(f'{need}.ko' for need in _all_needs(name, needs))}\n" for name in needs]
    archive.add(f"{place}/modules.dep", "".join(lines).encode())


def _needs(module: bytes, folder: Path) -> list[str]:
    """What a module says that it needs; a file may be called with `-` where the module is with `_`."""
    match = re.search(rb"\0depends=([^\0]*)\0", module)
    names = match[1].decode().split(",") if match and match[1] else []
    files = {file.stem.replace("-", "_"): file.stem for file in folder.glob("*.ko")}
    return [files[name.replace("-", "_")] for name in names]


def _all_needs(name: str, needs: dict[str, list[str]]) -> list[str]:
    """In the order of modules.dep: each before those that it needs itself."""
    found: list[str] = []
    for need in needs[name]:
        for other in [need, *_all_needs(need, needs)]:
            if other in found:
                found.remove(other)
            found.append(other)
    return found

"""Libraries that take the kernel's part, to be loaded before the C library of the regular build."""

import shutil
import subprocess
from pathlib import Path


def interposer(name: str, folder: Path) -> Path:
    """Compiles `Tests/Support/C/name.c` into that folder."""
    compiler = shutil.which("cc") or shutil.which("clang")
    assert compiler, "no C compiler; install it with Boards/install host"
    library = folder / f"{name}.so"
    source = Path(__file__).parents[1] / "C" / f"{name}.c"
    options = ["-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-O1"]
    subprocess.run([compiler, *options, "-o", library, source, "-ldl", "-lm"], check=True)
    return library

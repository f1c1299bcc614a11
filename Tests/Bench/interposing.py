"""Libraries that take the kernel's part, to be loaded before the C library of the regular build."""

import shutil
import subprocess
from pathlib import Path


def interposer(name: str, folder: Path) -> Path:
    """Compiles `name`.c, which is beside this file."""
    compiler = shutil.which("cc") or shutil.which("clang")
    assert compiler, "no C compiler; install it with Boards/install host"
    library = folder / f"{name}.so"
    source = Path(__file__).with_name(f"{name}.c")
    options = ["-shared", "-fPIC", "-Wall", "-Werror", "-O1"]
    subprocess.run([compiler, *options, "-o", library, source, "-ldl", "-lm"], check=True)
    return library

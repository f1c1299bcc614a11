"""Finds what programs in Python consist of, for a machine without Python's own folders.

    python_files.py FOLDER PROGRAM…

Compiles the modules that they import into the folder, each below its path, and prints the paths of the libraries. The
Python that is to run the programs runs this.
"""

import runpy
import sys
from pathlib import Path
from py_compile import PycInvalidationMode
from py_compile import compile as compile_module

from gi import Repository


def compile_all(programs: list[str], folder: Path) -> list[Path]:
    """Compiles the modules; the libraries, which are those of modules and the descriptions of GLib's."""
    for program in programs:
        runpy.run_path(program, run_name="imported")
    files = {Path(module.__file__) for module in sys.modules.values() if getattr(module, "__file__", None)}
    found = {file for file in files - {Path(__file__)} if file.is_file()}
    for file in sorted(found):
        if file.suffix == ".py":
            # There is no source beside it whose time could be compared.
            target = folder / file.relative_to("/").with_suffix(".pyc")
            compile_module(file, target, doraise=True, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    described = Repository.get_default()
    descriptions = [Path(described.get_typelib_path(name)) for name in described.get_loaded_namespaces()]
    return [file for file in sorted(found) if file.suffix != ".py"] + descriptions


if __name__ == "__main__":
    print(*compile_all(sys.argv[2:], Path(sys.argv[1])), sep="\n")

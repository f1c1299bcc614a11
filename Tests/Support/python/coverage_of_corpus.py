"""Which lines of the firmware the kept corpora run: `Tests/fuzz --coverage`."""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from fuzzing import PACKS, ROOT, TARGETS

WORK = ROOT / ".build" / "coverage"
TOOLS = Path(shutil.which("swift") or "swift").resolve().parent  # others do not read what this compiler counts
WANTED = 95  # percent of each module's lines
LEFT_OUT = {
    "Linux": "the kernel's interfaces, which no target has",
    "Ports": "what opens them",
    "Lenker": "the program, which begins with them",
    "Crypto": "mbed TLS; a virtual device has seeded random numbers instead",
    "PanelModel": "mirrors a panel for the tests",
    "Replaying": "the reader of the reports, a tool of the host's",
    "VirtualAir": "the other side of the link",
    "Responder": "the other side of a pairing",
    "Seeded": "the random numbers of both",
    "Hexadecimal": "how they write bytes",
}
"""What no board's modules below `Linux` are, and why each is not counted."""


def _profile() -> str:
    """Runs each corpus once; the path of what was counted."""
    shutil.rmtree(WORK / "counts", ignore_errors=True)
    for target in TARGETS:
        subprocess.run(
            [WORK / "debug" / "Fuzz", target, PACKS / f"{target}.pack"],
            env={**os.environ, "LLVM_PROFILE_FILE": f"{WORK}/counts/{target}.profraw"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
    merged = f"{WORK}/counts/all.profdata"
    subprocess.run(
        [TOOLS / "llvm-profdata", "merge", "-o", merged, *sorted((WORK / "counts").glob("*.profraw"))], check=True
    )
    return merged


def _files(profile: str) -> list[dict]:
    command = [TOOLS / "llvm-cov", "export", "-instr-profile", profile, WORK / "debug" / "Fuzz"]
    told = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    return json.loads(told)["data"][0]["files"]


def _missed(file: dict) -> list[int]:
    """The lines on which something begins that was never run."""
    return sorted(
        {line for line, _, count, has_count, is_entry, *_ in file["segments"] if has_count and is_entry and not count}
    )


def coverage(tells_lines: bool) -> int:
    files = defaultdict(list)
    sources = f"{ROOT}/Sources/"
    for file in _files(_profile()):
        name = file["filename"]
        # What a build makes, as the tables of the fonts, is data.
        if name.startswith(sources) and (module := name[len(sources) :].split("/")[0]) not in LEFT_OUT:
            files[module].append(file)
    print("| module | lines | run |\n|---|---:|---:|")
    poor = []
    for module, those in sorted(files.items()):
        lines = sum(file["summary"]["lines"]["count"] for file in those)
        run = sum(file["summary"]["lines"]["covered"] for file in those)
        print(f"| `{module}` | {lines} | {100 * run / lines:.1f} % |")
        if run * 100 < WANTED * lines:
            poor.append(module)
    if tells_lines:
        for those in files.values():
            for file in those:
                if missed := _missed(file):
                    print(f"{file['filename'][len(sources) :]}: {', '.join(map(str, missed))}")
    print(f"below {WANTED} %: {', '.join(poor) or 'none'}")
    return 1 if poor or not files else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/fuzz --coverage", description="Lines that the kept corpora run.")
    parser.add_argument("--lines", action="store_true", help="tell those that nothing runs")
    options = parser.parse_args()
    command = ["swift", "build", "--package-path", ROOT, "--scratch-path", WORK, "--quiet"]
    flags = ["-Xswiftc", "-profile-generate", "-Xswiftc", "-profile-coverage-mapping"]
    # The tools that the build runs are instrumented, too, and are not asked for.
    subprocess.run(
        [*command, "--product", "Fuzz", *flags], env={**os.environ, "LLVM_PROFILE_FILE": "/dev/null"}, check=True
    )
    return coverage(options.lines)


if __name__ == "__main__":
    sys.exit(main())

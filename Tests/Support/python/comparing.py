"""Compares what two versions of the device gave out, a line for each run: `Tests/compare`."""

import sys
from pathlib import Path


def runs_of(path: Path) -> list[tuple[str, dict[str, int]]]:
    """The number of each run, and how much there was of each kind."""
    runs = []
    for line in path.read_text().splitlines():
        digest, *counts = line.split()
        runs.append((digest, dict(zip(counts[::2], map(int, counts[1::2]), strict=True))))
    return runs


def main() -> int:
    target, before, now = sys.argv[1], runs_of(Path(sys.argv[2])), runs_of(Path(sys.argv[3]))
    if len(before) != len(now):
        print(f"{target}: {len(before)} runs before, {len(now)} now")
        return 1
    different = [index for index, pair in enumerate(zip(before, now, strict=True)) if pair[0] != pair[1]]
    totals = {kind: sum(counts[kind] for _, counts in now) for kind in now[0][1]}
    said = ", ".join(f"{count} of kind {kind}" for kind, count in totals.items())
    print(f"{target}: {len(now)} runs, {len(different)} different; {said}")
    for index in different[:10]:
        print(f"  run {index + 1}: before {before[index][1]}, now {now[index][1]}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())

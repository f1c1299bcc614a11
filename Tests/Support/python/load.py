"""What the load of the machine alone decides, and is therefore tried a second time: never without being counted."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def load_dependent(what: str) -> None:
    """Notes a second try as one more line of LENKER_LOAD_LOG, or of `.build/results/load.txt`."""
    log = Path(os.environ.get("LENKER_LOAD_LOG", ROOT / ".build" / "results" / "load.txt"))
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a", encoding="utf-8") as lines:
        lines.write(" ".join(what.split()) + "\n")

"""The tables of Boards/reference."""

from lenker_bench.programs.processes import ROOT

REFERENCE = ROOT / "Boards" / "reference"


def table(heading: str) -> list[list[str]]:
    """The rows below a heading, as cells without the marks of code."""
    text = "\n".join(path.read_text("utf-8") for path in sorted(REFERENCE.glob("*.md")))
    _, _, behind = text.partition(f"\n## {heading}\n")
    section, _, _ = behind.partition("\n## ")
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    return [[cell.strip().replace("`", "") for cell in row.strip("|").split("|")] for row in rows]


def key(name: str) -> list[str]:
    """The cells of a key of the board file: its values, its default, its meaning."""
    (row,) = (cells for own_name, *cells in table("Board file") if own_name == name)
    return row


def values(name: str) -> list[str]:
    """What a key of the board file may be, where those are words."""
    return key(name)[0].split(", ")

"""What the kernel counts of a process."""

import os
import re
from pathlib import Path

CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


def resident_of(process: int) -> int:
    """Resident KB with all that it shares with others, as its libraries."""
    return int(re.search(r"^VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text(), re.M)[1])


def own_memory_of(process: int) -> int:
    """Resident KB that the program itself touched: its own file, heap and stack."""
    own = 0
    for block in re.split(r"\n(?=[0-9a-f]+-[0-9a-f]+ )", Path(f"/proc/{process}/smaps").read_text()):
        head = block.split("\n", 1)[0]
        if "lenker" in head or "[heap]" in head or "[stack]" in head:
            own += int(re.search(r"^Rss:\s+(\d+)", block, re.M)[1])
    return own


def wakeups_of(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status, re.M)[1])


def processor_time(pid: int) -> float:
    """Seconds of processor time, its own and the kernel's for it: proc(5), `stat`, fields 14 and 15."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS

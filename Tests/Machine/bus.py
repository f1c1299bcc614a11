"""What goes over the bus of the emulated Pi, and what a panel there shows of it.

By the model of the data sheet that the bench has, which knows nothing of the firmware's own mirror image.
"""

import re
from pathlib import Path

from ssd1306 import Panel

HEADER = b"P4\n128 64\n"
BUS_EVENT = re.compile(r"i2c_(?:event (start|finish)|send send)\(addr:0x3c\)(?: data:0x(\w\w))?")


def bus_messages(trace: Path) -> list[bytes]:
    """What the emulated controller sent to the panel: each message from its start to the next one or the stop.

    One without a byte is where the emulated controller gives up messages that are joined by repeated starts. lenker
    finds that out by its very first ones, and sends them again one by one.
    """
    messages: list[bytearray] = []
    for line in trace.read_text("ascii").splitlines():
        if match := BUS_EVENT.search(line):
            if match[1] == "start":
                if messages and not messages[-1]:
                    messages.clear()
                messages.append(bytearray())
            elif match[2]:
                messages[-1].append(int(match[2], 16))
    return list(map(bytes, messages))


def replay(folder: Path, frames: list[dict]) -> None:
    """Writes what the panel showed after each frame, as the mock display does."""
    messages = iter(bus_messages(folder / "i2c.trace"))
    panel = Panel("ssd1306-128x64")
    for frame in frames:
        for _ in range(frame["messages"]):
            panel.write(next(messages))
        rows = [int("".join(map(str, row)), 2).to_bytes(16, "big") for row in panel.picture()]
        (folder / f"frame-{frame['number']:06}.pbm").write_bytes(HEADER + b"".join(rows))

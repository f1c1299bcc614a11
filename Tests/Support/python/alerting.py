"""A firmware with an alert line, and the GPIO chip that it belongs to."""

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from builds import command_of
from interposing import interposer
from lenker_bench.programs.outputs import Outputs
from lenker_bench.programs.processes import FirmwareProcess, running_firmware


class Chip:
    """A GPIO chip of 54 lines, and what the firmware does with them."""

    path = "/dev/gpiochip9"

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "gpio"
        self.folder.mkdir()
        self.library = interposer("gpio_chip", folder)

    def fail(self, number: int) -> None:
        """From now on everything fails with this error."""
        (self.folder / "failure").write_text(str(number))

    def press(self, line: int) -> None:
        """From now on the button at this line is pressed."""
        (self.folder / "pressed").write_text(str(line))

    def heal(self) -> None:
        (self.folder / "failure").unlink()

    def log(self) -> list[str]:
        """What became of the lines so far."""
        path = self.folder / "log"
        return path.read_text().splitlines() if path.exists() else []


def interposed(chip: Chip) -> list[str]:
    """The command of the regular build with this chip in the kernel's place."""
    return ["env", f"LD_PRELOAD={chip.library}", f"GPIO_FOLDER={chip.folder}", *command_of("regular")]


@contextlib.asynccontextmanager
async def alerting_firmware(
    command: Sequence[str], port: int, folder: Path, *keys: str
) -> AsyncIterator[FirmwareProcess]:
    """A firmware without buttons, its radio at this port of this machine, its outputs in the folder."""
    outputs = Outputs(folder)
    own = {key.partition("=")[0] for key in keys} | {"buttons"}
    usual = [f"{name}={value}" for name, value in outputs.keys(port).items() if name not in own]
    async with running_firmware(command, [*usual, *keys], events=outputs.events) as firmware:
        yield firmware

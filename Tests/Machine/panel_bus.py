"""The machine's bus that fails as it is told, and what arrived at the panel on it; see panel_bus.c."""

from dataclasses import dataclass

from machine import Machine
from ssd1306 import Panel

BUS = "/dev/i2c-1"
RECORD = "/sys/kernel/debug/panel-bus"
PARAMETERS = "/sys/module/panel_bus/parameters"


@dataclass(frozen=True)
class Arrival:
    """The bytes of a message that arrived: in which call, as which of its messages, and how long that might take."""

    call: int
    number: int
    timeout: int  # milliseconds
    data: bytes


class PanelBus:
    """An adapter with a panel at 0x3c."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    async def fail(self, errno: int, messages: int = 0, data: int = 0, times: int = -1) -> None:
        """From now on calls fail, behind so many messages and bytes of the next one; so many calls, or all."""
        values = {"messages": messages, "bytes": data, "times": times, "fault": errno}
        await self._set(**values)

    async def heal(self) -> None:
        await self._set(fault=0)

    async def set_gauge(self, registers: bytes) -> None:
        """A gauge at 0x36 holds these bytes from its first register on."""
        await self._machine.run(f"echo {','.join(map(str, registers))} >{PARAMETERS}/registers")

    async def pull_out(self) -> None:
        """It begins to go: a program that has it open keeps it until it closes it."""
        await self._set(present=0)

    async def is_gone(self) -> None:
        """Waits until it has gone."""
        await self._machine.run(f"while [ -e {BUS} ]; do usleep 10000; done")

    async def put_in(self) -> None:
        await self._set(present=1)

    async def failures(self) -> int:
        """How many calls have failed."""
        return int(await self._machine.run(f"cat {PARAMETERS}/failures"))

    async def fails_again(self, times: int) -> None:
        """Waits until so many more calls have failed."""
        wanted = await self.failures() + times
        await self._machine.run(f"while [ $(cat {PARAMETERS}/failures) -lt {wanted} ]; do usleep 10000; done")

    async def arrivals(self) -> list[Arrival]:
        """All that arrived so far."""
        lines = [line.split() for line in (await self._machine.run(f"cat {RECORD}")).splitlines()]
        return [Arrival(int(call), int(number), int(time), bytes.fromhex(data)) for call, number, time, data in lines]

    async def _set(self, **parameters: int) -> None:
        # Not one moment of a fault that is half told: what says that it fails is told last.
        await self._machine.run("; ".join(f"echo {value} >{PARAMETERS}/{key}" for key, value in parameters.items()))


async def add_panel_bus(machine: Machine) -> PanelBus:
    """The bus is there afterwards, with I2C messages."""
    await machine.run("mount -t debugfs none /sys/kernel/debug")
    await machine.run("modprobe i2c-dev && modprobe panel-bus")
    return PanelBus(machine)


class InterruptedPanel(Panel):
    """A panel to which a message may come in part only.

    The next one then begins within a command. SSD1306 table 9-1: the bits of a window beyond 127 columns and 8 pages
    are "don't care".
    """

    def _set_window(self, code: int, arguments: list[int]) -> None:
        bits = {0x21: 0x7F, 0x22: 0x07}.get(code, 0xFF)
        super()._set_window(code, [argument & bits for argument in arguments])


def panel_after(arrivals: list[Arrival]) -> Panel:
    """The panel that this has arrived at."""
    panel = InterruptedPanel("ssd1306-128x64")
    for arrival in arrivals:
        panel.write(arrival.data)
    return panel

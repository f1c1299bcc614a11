"""What a central hears of a ride that a phone tells."""

import struct

from central import Central
from lenker_bench.phone import komoot
from recording import Instruction, without_repeats


class Heard:
    """What a central heard: identifiers as they were notified, and what each of them stands for."""

    def __init__(self) -> None:
        self._identifiers: list[int] = []
        self._meanings: dict[int, Instruction] = {}

    def notify(self, value: bytes) -> None:
        self._identifiers.append(int.from_bytes(value[:4], "little"))

    def read(self, value: bytes) -> None:
        """Keeps a whole value. One that was read may be newer than notifications that are still on their way."""
        identifier, direction, distance = struct.unpack_from("<IBI", value)
        self._meanings[identifier] = direction, distance, value[9:].decode("utf-8")

    @property
    def instructions(self) -> list[Instruction]:
        """In the order of their identifiers, those that say the same as the one before left out."""
        found = dict.fromkeys(self._identifiers)
        return without_repeats(self._meanings[identifier] for identifier in found if identifier in self._meanings)


async def hear(central: Central, heard: Heard) -> None:
    """Keeps whole values that were notified, and reads the others."""
    while True:
        value = await central.next_notification()
        heard.notify(value)
        is_whole = len(value) >= 9 and not komoot.may_be_cut(value, central.connection.att_mtu - 3)
        heard.read(value if is_whole else await central.read())

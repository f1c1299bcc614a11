"""What can go wrong between the firmware and its controller: one small value for each kind of fault.

A fault acts on one packet and, through its lane, on those around it. The lane's random source chooses which bits
and bytes are hit, so that a seed repeats them.
"""

import random
import struct
from dataclasses import dataclass
from typing import Protocol

from lenker_bench.wire.framing import EVENT, framed, framing_bytes, header_size

HARDWARE_ERROR = bytes([EVENT, 0x10, 1, 0x42])
NO_INDICATOR = 0xFF


class Lane(Protocol):
    """One direction of the wire, as a fault sees it."""

    random: random.Random

    def pass_on(self, packet: bytes) -> None:
        """Sends a packet, behind those that were passed on before."""

    def stall(self, seconds: float) -> None:
        """Holds back this and all that follows."""

    def overtake(self, packet: bytes) -> None:
        """Sends a packet behind the next one."""

    def withhold(self, seconds: float) -> None:
        """Keeps all command answers from the firmware."""

    def reset_controller(self) -> None:
        """The controller forgets everything, as at a power cycle."""

    def tell_firmware(self, packet: bytes) -> None:
        """Sends the firmware a packet in the controller's name."""

    def lose_link(self) -> None:
        """The link ends by supervision timeout, if there is one."""

    def close(self) -> None:
        """Ends the stream on both sides."""


class Fault(Protocol):
    """A fault; `lasts` is how many seconds it goes on by itself."""

    lasts: float

    def act(self, packet: bytes, lane: Lane) -> None: ...


@dataclass(frozen=True)
class Drop:
    """The packet is lost."""

    lasts: float = 0

    def act(self, packet: bytes, lane: Lane) -> None:
        pass


@dataclass(frozen=True)
class Delay:
    """The packet and all behind it come late."""

    lasts: float = 0.5

    def act(self, packet: bytes, lane: Lane) -> None:
        lane.stall(self.lasts)
        lane.pass_on(packet)


@dataclass(frozen=True)
class Duplicate:
    """The packet comes twice."""

    lasts: float = 0

    def act(self, packet: bytes, lane: Lane) -> None:
        lane.pass_on(packet)
        lane.pass_on(packet)


@dataclass(frozen=True)
class Reorder:
    """The next packet comes first."""

    lasts: float = 0

    def act(self, packet: bytes, lane: Lane) -> None:
        lane.overtake(packet)


@dataclass(frozen=True)
class Truncate:
    """The packet lacks its last bytes, and its length says so: the framing is kept. One without any is lost."""

    lasts: float = 0

    def act(self, packet: bytes, lane: Lane) -> None:
        start = header_size(packet)
        if start == len(packet):
            return
        lane.pass_on(framed(packet[:start], packet[start : lane.random.randrange(start, len(packet))]))


@dataclass(frozen=True)
class Cut:
    """The packet lacks its last bytes, but its length counts them: it swallows what follows."""

    lasts: float = 0

    def act(self, packet: bytes, lane: Lane) -> None:
        lane.pass_on(packet[: lane.random.randrange(1, len(packet))])


@dataclass(frozen=True)
class Corrupt:
    """Some bits are wrong, but not those that say where the packet ends."""

    bits: int = 2
    lasts: float = 0

    def act(self, packet: bytes, lane: Lane) -> None:
        framing = framing_bytes(packet)
        lane.pass_on(flipped(packet, [i for i in range(len(packet)) if i not in framing], self.bits, lane.random))


@dataclass(frozen=True)
class Misframe:
    """One bit is wrong in what says where the packet ends."""

    lasts: float = 0

    def act(self, packet: bytes, lane: Lane) -> None:
        lane.pass_on(flipped(packet, framing_bytes(packet), 1, lane.random))


@dataclass(frozen=True)
class Garbage:
    """Bytes that are no packet come before the packet."""

    count: int = 16
    lasts: float = 0

    def act(self, packet: bytes, lane: Lane) -> None:
        lane.pass_on(bytes([NO_INDICATOR]) + lane.random.randbytes(self.count - 1) + packet)


@dataclass(frozen=True)
class Withhold:
    """No command is answered for a while; the commands are carried out."""

    lasts: float = 5.0

    def act(self, packet: bytes, lane: Lane) -> None:
        lane.withhold(self.lasts)
        if opcode_of_answer(packet) is None:
            lane.pass_on(packet)


@dataclass(frozen=True)
class Reset:
    """The controller forgets everything, and the packet with it."""

    is_told: bool
    lasts: float = 0

    def act(self, packet: bytes, lane: Lane) -> None:
        lane.reset_controller()
        if self.is_told:
            lane.tell_firmware(HARDWARE_ERROR)


@dataclass(frozen=True)
class LoseLink:
    """The link is lost: both sides see a supervision timeout."""

    lasts: float = 0

    def act(self, packet: bytes, lane: Lane) -> None:
        lane.pass_on(packet)
        lane.lose_link()


@dataclass(frozen=True)
class Close:
    """The stream ends."""

    lasts: float = 0

    def act(self, packet: bytes, lane: Lane) -> None:
        lane.close()


FAULTS: dict[str, Fault] = {
    "drop": Drop(),
    "delay": Delay(),
    "duplicate": Duplicate(),
    "reorder": Reorder(),
    "truncate": Truncate(),
    "cut": Cut(),
    "corrupt": Corrupt(),
    "misframe": Misframe(),
    "garbage": Garbage(),
    "withhold": Withhold(),
    "reset": Reset(is_told=False),
    "reset-told": Reset(is_told=True),
    "lose-link": LoseLink(),
    "close": Close(),
}


def flipped(packet: bytes, offsets: list[int], bits: int, source: random.Random) -> bytes:
    """The packet with `bits` different bits flipped in the bytes at these offsets."""
    places = [(offset, bit) for offset in offsets for bit in range(8)]
    damaged = bytearray(packet)
    for offset, bit in source.sample(places, min(bits, len(places))):
        damaged[offset] ^= 1 << bit
    return bytes(damaged)


class Plan(Protocol):
    """Which fault acts on which packet; it is asked for every packet, in order."""

    def choose(self, direction: str, packet: bytes) -> tuple[str, Fault] | None:
        """The fault and its name."""


class RandomPlan:
    """Each packet meets a fault by chance.

    Each direction has a random source of its own, so that the same seed hits the same packets of a direction however
    the two directions mix.
    """

    def __init__(self, seed: int, probabilities: dict[str, float], faults: dict[str, Fault] | None = None) -> None:
        self._probabilities = probabilities
        self._faults = faults or FAULTS
        self._sources: dict[str, random.Random] = {}
        self._seed = seed

    def choose(self, direction: str, packet: bytes) -> tuple[str, Fault] | None:
        source = self._sources.setdefault(direction, random.Random(f"{self._seed} {direction}"))
        left = source.random()
        for name, probability in self._probabilities.items():
            if left < probability:
                return name, self._faults[name]
            left -= probability
        return None


def hexadecimal(packet: bytes) -> str:
    """The packet in hexadecimal digits for a report; a long one is cut."""
    return packet[:32].hex() + ("…" if len(packet) > 32 else "")


def opcode_of_answer(packet: bytes) -> int | None:
    """The opcode that a Command Complete or Command Status answers; none for any other packet."""
    if len(packet) >= 6 and packet[:2] == bytes([EVENT, 0x0E]):
        return struct.unpack_from("<H", packet, 4)[0]
    if len(packet) >= 7 and packet[:2] == bytes([EVENT, 0x0F]):
        return struct.unpack_from("<H", packet, 5)[0]
    return None

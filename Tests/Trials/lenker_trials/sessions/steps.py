"""Names for the packets of a session, so that a fault can say where it acts.

A name is what the packet is, and for an answer, what it answers: `le-create-connection`, `le-create-connection:answer`,
`read`, `read:answer`. The phone's own requests begin with `phone-`, what is said on the link of a sensor with
`sensor-`. What is asked or told of other services than komoot's ends with its name, as in `subscribe-sc` or
`notification-calls`. A number, as in `completed#3`, counts the packets of that name.
"""

import struct
from collections import Counter
from collections.abc import Callable

from bumble import gatt

from lenker_bench.phone import music, notifications
from lenker_bench.phone.komoot import SERVICE
from lenker_bench.wire.framing import ACL, COMMAND, EVENT

from ..wire.faults import Fault, opcode_of_answer
from ..wire.proxy import TO_CONTROLLER

ATTRIBUTE_CHANNEL, SIGNALING_CHANNEL = 0x0004, 0x0005
CONTINUATION = 0b01

COMMANDS = {
    0x0406: "disconnect",
    0x041D: "read-remote-version",
    0x0C01: "set-event-mask",
    0x0C03: "reset",
    0x0C6D: "write-le-host-support",
    0x1001: "read-version",
    0x1002: "read-commands",
    0x1005: "read-buffers",
    0x1009: "read-address",
    0x2001: "le-set-event-mask",
    0x2002: "le-read-buffers",
    0x2003: "le-read-features",
    0x200B: "le-set-scan-parameters",
    0x200C: "le-set-scan-enable",
    0x200D: "le-create-connection",
    0x200E: "le-create-connection-cancel",
    0x2010: "le-clear-accept-list",
    0x2011: "le-add-to-accept-list",
    0x2013: "le-connection-update",
    0x2019: "le-enable-encryption",
    0x201C: "le-read-states",
    0x2020: "le-parameter-request-reply",
    0x2021: "le-parameter-request-negative-reply",
    0x2022: "le-set-data-length",
    0x2032: "le-set-phy",
}
EVENTS = {0x05: "disconnection-complete", 0x08: "encryption-change", 0x10: "hardware-error", 0x13: "completed"}
LE_EVENTS = {
    0x01: "le-connection-complete",
    0x03: "le-connection-update-complete",
    0x06: "le-parameter-request",
    0x07: "le-data-length-change",
    0x0C: "le-phy-update-complete",
}
REQUESTS = {
    0x02: "exchange-mtu",
    0x04: "find-descriptors",
    0x06: "find-service",
    0x08: "find-characteristic",
    0x0A: "read",
    0x0C: "read-blob",
    0x12: "subscribe",
}
OTHERS = {0x1B: "notification", 0x1D: "indication", 0x1E: "confirmation"}
DEVICE_NAME, APPEARANCE, BATTERY_LEVEL = b"\x00\x2a", b"\x01\x2a", b"\x19\x2a"
ZONE = b"\x0f\x2a"
NEWS = {
    gatt.GATT_CURRENT_TIME_SERVICE.to_bytes(): "-clock",
    music.SERVICE.to_bytes(): "-music",
    notifications.SERVICE.to_bytes(): "-calls",
}
"""What a paired phone has beside the way, by the service in a search."""
LONGEST_MUSIC_WRITE = 4  # bytes; a question about a notification has more
SCAN_RESPONSE = 0x04
SENSOR = "sensor-"
STATIC = 0b11  # how the address of a sensor ends; those of phones change
BY_ACCEPT_LIST = 1


class Namer:
    """Names packets in the order in which they are sent; it remembers what is being answered."""

    def __init__(self) -> None:
        self._commands: dict[int, str] = {}
        self._requests: dict[str, str] = {}
        self._last: dict[str, str] = {}
        self._search = ""
        self._news: dict[int, str] = {}
        """Which of the news a value is, by its handle."""
        self._sensors: dict[int, Namer] = {}
        """What is said on the link with this handle."""

    def name(self, direction: str, packet: bytes) -> str:
        kind = packet[0] if packet else 0
        try:
            if kind == COMMAND:
                return self._command(packet)
            if kind == EVENT:
                return self._event(packet)
            if kind == ACL:
                return self._data(direction, packet)
        except (struct.error, IndexError):
            return "malformed"
        return f"indicator-{kind:#04x}"

    def _command(self, packet: bytes) -> str:
        opcode = struct.unpack_from("<H", packet, 1)[0]
        name = COMMANDS.get(opcode, f"command-{opcode:#06x}")
        if opcode == 0x200C:
            name += "-on" if packet[4] else "-off"
        elif opcode == 0x200D and packet[8] == BY_ACCEPT_LIST:
            name += "-listed"
        elif opcode == 0x200B:
            interval, window = struct.unpack_from("<HH", packet, 5)
            name += "-fast" if interval == window else "-slow"
        self._commands[opcode] = name
        return name

    def _event(self, packet: bytes) -> str:
        opcode = opcode_of_answer(packet)
        if opcode is not None:
            return self._commands.get(opcode, f"command-{opcode:#06x}") + ":answer"
        code = packet[1]
        if code == 0x05 and self._sensors.pop(struct.unpack_from("<H", packet, 4)[0], None):
            return SENSOR + EVENTS[code]
        if code != 0x3E:
            return EVENTS.get(code, f"event-{code:#04x}")
        if packet[3] == 0x02:
            return "scan-response" if packet[5] == SCAN_RESPONSE else "advertising-report"
        if packet[3] == 0x01 and packet[4] != 0:
            return "le-connection-failed"
        if packet[3] == 0x01 and packet[14] >> 6 == STATIC:
            self._sensors[struct.unpack_from("<H", packet, 5)[0]] = Namer()
            return SENSOR + LE_EVENTS[0x01]
        if packet[3] == 0x01:
            self._search = ""
            self._news.clear()
        return LE_EVENTS.get(packet[3], f"le-event-{packet[3]:#04x}")

    def _data(self, direction: str, packet: bytes) -> str:
        sensor = self._sensors.get(struct.unpack_from("<H", packet, 1)[0] & 0x0FFF)
        if sensor is not None:
            # All services but komoot's are the same to it.
            return SENSOR + sensor._data(direction, packet).replace("-sc", "")
        if packet[2] >> 4 & 0b11 == CONTINUATION:
            return self._last.get(direction, "nothing") + ":rest"
        channel, opcode = struct.unpack_from("<HB", packet, 7)
        if channel == ATTRIBUTE_CHANNEL:
            name = self._attribute(direction, opcode, packet[10:])
        elif channel == SIGNALING_CHANNEL:
            name = f"signaling-{opcode:#04x}"
        else:
            name = f"channel-{channel:#06x}"
        self._last[direction] = name
        return name

    def _attribute(self, direction: str, opcode: int, parameters: bytes) -> str:
        prefix = "" if direction == TO_CONTROLLER else "phone-"
        if opcode in OTHERS:
            return OTHERS[opcode] + self._news.get(int.from_bytes(parameters[:2], "little"), "")
        if opcode in REQUESTS:
            name = self._requests[direction] = prefix + self._request(opcode, parameters)
            return name
        answered = [name for sender, name in self._requests.items() if sender != direction]
        return (answered[0] if answered else f"att-{opcode:#04x}") + ":answer"

    def _request(self, opcode: int, parameters: bytes) -> str:
        """What is asked for: komoot's characteristic, its Service Changed (`-sc`), news, name, or battery."""
        if opcode == 0x06:
            self._search = "" if parameters[6:] == SERVICE.to_bytes(force_128=True) else NEWS.get(parameters[6:], "-sc")
        if opcode == 0x08 and parameters[4:] == DEVICE_NAME:
            return "read-name"
        if opcode == 0x08 and parameters[4:] == APPEARANCE:
            return "read-appearance"
        if opcode == 0x08 and parameters[4:] == BATTERY_LEVEL:
            return "read-battery"
        if opcode == 0x08 and parameters[4:] == ZONE:
            return "read-zone"
        if opcode == 0x0A:
            return "read" + self._news.get(int.from_bytes(parameters[:2], "little"), "")
        if opcode == 0x12:
            return self._write(*struct.unpack_from("<H", parameters), parameters[2:])
        return REQUESTS[opcode] + (self._search if opcode in (0x04, 0x06, 0x08) else "")

    def _write(self, handle: int, value: bytes) -> str:
        """A subscription, whose value is in front of it, or what is written to the news."""
        if value == b"\x02\x00":
            return "subscribe-sc"
        if len(value) != 2:
            return "write-music" if len(value) <= LONGEST_MUSIC_WRITE else "write-calls"
        if self._search not in NEWS.values():
            return "subscribe"
        self._news[handle - 1] = self._search
        return "subscribe" + self._search


Step = tuple[str, int]
"""A name, and the how manieth packet of that name."""


def text_of(step: Step) -> str:
    name, number = step
    return name if number == 1 else f"{name}#{number}"


class Recorder:
    """A plan without faults that keeps the names of all packets."""

    def __init__(self) -> None:
        self._namer = Namer()
        self.names: list[str] = []

    def choose(self, direction: str, packet: bytes) -> None:
        self.names.append(self._namer.name(direction, packet))

    def steps(self, repeated: dict[str, set[int]]) -> list[Step]:
        """The first packet of each name, in order; of `repeated` names also those with these numbers."""
        steps: list[Step] = []
        counts: Counter[str] = Counter()
        for name in self.names:
            counts[name] += 1
            if counts[name] == 1 or counts[name] in repeated.get(name, ()):
                steps.append((name, counts[name]))
        return steps


class OneFault:
    """A plan of one fault at one step; `on_hit` is called before it acts."""

    def __init__(self, step: Step, name: str, fault: Fault, on_hit: Callable[[], object] = lambda: None) -> None:
        self._namer = Namer()
        self._counts: Counter[str] = Counter()
        self._step = step
        self._chosen = name, fault
        self._on_hit = on_hit

    def choose(self, direction: str, packet: bytes) -> tuple[str, Fault] | None:
        name = self._namer.name(direction, packet)
        self._counts[name] += 1
        if (name, self._counts[name]) != self._step:
            return None
        self._on_hit()
        return self._chosen

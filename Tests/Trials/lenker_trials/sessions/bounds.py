"""How long the rider may be without fresh instructions after each fault, and why.

The parts are the firmware's own times, each with its reason; a bound is the sum of those that can come in a row.
"""

from dataclasses import dataclass

from .steps import COMMANDS, LE_EVENTS, NEWS, SENSOR

COMMAND = 2.0  # a command without an answer: Reset and start over
RESTART = 1.0  # from a failure to Reset; also from a stream that ended to the next attempt
RESYNC = 0.75  # a packet that does not end for 0.5 s, and 0.25 s until the stream is reopened
REJOIN = 2.0  # bring-up, an advertisement, 0.2 s of patience, connecting and discovery
REST = 5.0  # a phone that was lost before it was ready rests, so that others have their turn
CONNECT = 5.0  # a pending connection is called back
STUCK = 2.0  # an attempt, or a link, that does not end though the controller was told to
ATTRIBUTE = 30.0  # an attribute request without an answer ends the bearer (Vol 3, Part F, 3.3.3)
DISCOVERY = 20.0  # a stranger that is not subscribed to by then is let go
NO_SERVICE = 60.0  # a phone whose service seems to be missing rests
DEAF = 60.0  # then a controller that hears nobody is told again what to do
SLOW_SEARCH = 10.0  # and then listens for a tenth of the time
SENSOR_BACK = 90.0  # a sensor that led to nothing rests, for a minute at most; or its rider looks for it once more
MACHINE = 10.0  # a slow machine with many firmwares at a time

HARMLESS = ("delay", "reorder", "duplicate")
DAMAGING = ("truncate", "corrupt", "cut", "misframe")


@dataclass(frozen=True)
class Bound:
    """Seconds, and the parts of which they are the sum."""

    seconds: float
    reason: str


def _sum(**parts: float) -> Bound:
    reason = " + ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in parts.items())
    return Bound(sum(parts.values()), reason)


def _class_of(step: str) -> str:
    base = step.removesuffix(":rest").removesuffix(":answer")
    if step == "completed":
        return "credits"
    if base.startswith("le-create-connection") or step == "le-connection-complete":
        return "connecting"
    if base == "disconnect" or step == "disconnection-complete":
        return "ending"
    if base.startswith("le-set-scan"):
        return "scanning"
    if step in ("advertising-report", "scan-response"):
        return "report"
    if base in COMMANDS.values():
        return "command"
    if base.startswith(("notification", "signaling")) or step in ("indication", "confirmation"):
        return "news"
    if step in LE_EVENTS.values():
        return "news"
    # Until it is subscribed to, the phone is a stranger.
    own = base.removeprefix("phone-")
    return "attribute" if own.endswith(("-sc", *NEWS.values())) or own.startswith("read") else "discovery"


def bound(step: str, fault: str) -> Bound:
    """How long it may take from the end of this fault, at a packet of this name, until the ride goes on for good."""
    found = _phones_bound(step.removeprefix(SENSOR), fault)
    if not is_of_sensor(step):
        return found
    return Bound(found.seconds + SENSOR_BACK, f"{found.reason} + sensor back {SENSOR_BACK:g}")


def _phones_bound(step: str, fault: str) -> Bound:
    kind = _class_of(step)
    match fault:
        case "lose-link":
            return _sum(rest=REST, rejoin=REJOIN, machine=MACHINE)
        case "close":
            return _sum(reopen=RESTART, rest=REST, rejoin=REJOIN, machine=MACHINE)
        case "reset-told":
            return _sum(restart=RESTART, rest=REST, rejoin=REJOIN, machine=MACHINE)
        case "withhold":
            return _sum(command=COMMAND, resync=RESYNC, rest=REST, rejoin=REJOIN, machine=MACHINE)
        case "garbage":
            return _sum(resync=RESYNC, reopen=RESTART, rest=REST, rejoin=REJOIN, machine=MACHINE)
    if fault in ("reset", *DAMAGING):
        return _worst(kind)
    if fault in HARMLESS and kind not in ("attribute", "discovery"):
        # A packet that comes late, twice or out of order can at worst cost the attempt.
        return _sum(connect=CONNECT, stuck=STUCK, restart=RESTART, rest=REST, rejoin=REJOIN, machine=MACHINE)
    return _lost(kind)


def is_of_sensor(step: str) -> bool:
    """Whether there is such a step only where a sensor is used."""
    return step.startswith(SENSOR) or "accept-list" in step or "-listed" in step


def is_to_be_told(step: str, fault: str, silence: float) -> bool:
    """Whether the panel had no news for so long that the firmware must have said why.

    Not if it cannot know: a link that was lost is no error, a controller that hears nobody looks like an empty road,
    and a damaged packet may say what is believed.
    """
    is_unknowable = (
        fault in ("lose-link", "corrupt") or is_of_sensor(step) or _class_of(step) in ("report", "scanning", "command")
    )
    return silence > ATTRIBUTE and not is_unknowable


def _lost(kind: str) -> Bound:
    """The packet never came, or something useless came in its place."""
    match kind:
        case "attribute":
            return _sum(attribute=ATTRIBUTE, stuck=STUCK, restart=RESTART, rest=REST, rejoin=REJOIN, machine=MACHINE)
        case "discovery":
            return _sum(discovery=DISCOVERY, stuck=STUCK, no_service=NO_SERVICE, rejoin=REJOIN, machine=MACHINE)
        case "ending":
            return _sum(attribute=ATTRIBUTE, stuck=STUCK, restart=RESTART, rejoin=REJOIN, machine=MACHINE)
        case "connecting":
            return _sum(connect=CONNECT, stuck=STUCK, restart=RESTART, rest=REST, rejoin=REJOIN, machine=MACHINE)
        case "command" | "scanning":
            return _sum(command=COMMAND, restart=RESTART, rest=REST, rejoin=REJOIN, machine=MACHINE)
    return _sum(rejoin=REJOIN, machine=MACHINE)


def _worst(kind: str) -> Bound:
    """What came instead may have said anything, and its receiver believed it."""
    if kind in ("attribute", "discovery", "news", "credits", "ending"):
        return _sum(attribute=ATTRIBUTE, no_service=NO_SERVICE, stuck=STUCK, rejoin=REJOIN, machine=MACHINE)
    return _sum(deaf=DEAF, slow_search=SLOW_SEARCH, connect=CONNECT, stuck=STUCK, rejoin=REJOIN, machine=MACHINE)

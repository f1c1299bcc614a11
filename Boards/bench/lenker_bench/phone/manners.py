"""How phones come that make the link themselves."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Manner:
    """How a kind of phone comes; intervals and timeouts in milliseconds."""

    interval: float
    timeout: int
    gives_up: bool
    """It ends each attempt after a while, and pauses; else the attempt goes on until it is heard."""
    pairs_at_once: bool
    """Without a key it asks to pair as soon as there is a link; else it waits to be asked."""
    scans: bool = False
    """It listens in its pauses, and ends one when it hears the device."""


IPHONE = Manner(interval=30.0, timeout=720, gives_up=False, pairs_at_once=False)
ANDROID = Manner(interval=50.0, timeout=5000, gives_up=True, pairs_at_once=True)

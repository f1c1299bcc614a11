"""RootCanal as the air: Android's virtual controller, of which each connection to its HCI port is one more."""

import random
from collections.abc import Callable

from . import chip_kinds
from .air import Air
from .chip import Chip
from .rootcanal_radio import Radio


class RootCanal:
    """The air between the controllers of the RootCanal at this port.

    Without an `advertising_interval`, in milliseconds, each phone has its own.
    """

    def __init__(self, port: int, advertising_interval: float | None) -> None:
        self.advertising_interval = advertising_interval
        self._port = port
        self._radios: list[Radio] = []

    def radio(self, on_complaint: Callable[[str], None] | None = None) -> Radio:
        """One more controller."""
        radio = Radio(self._radios, self._port, on_complaint or (lambda message: None))
        self._radios.append(radio)
        return radio

    def close(self) -> None:
        """RootCanal is about to end."""
        for radio in self._radios:
            radio.leave()


def radio_on(air: Air | RootCanal, name: str, address: str, random_source: random.Random) -> Chip | Radio:
    """A controller on that air for a host of the bench. RootCanal's have the addresses that it gives them."""
    if isinstance(air, RootCanal):
        return air.radio()
    return Chip(name, air, address, random_source, kind=chip_kinds.PHONE)

"""Who advertises without a controller of its own, so that a street of two thousand costs the bench little."""

import random

from bumble import hci

from ..wire.advertising import FADING, Advertisement, ReportType
from .payloads import Payload

NEAREST, FARTHEST = -40.0, -100.0  # dBm; who is heard weaker has gone
AROUND = -95.0, -50.0  # where the devices of a street are heard at first
ARRIVING = -95.0, -85.0  # where one that comes is heard at first
WALK = 2.0  # dB; the standard deviation after a second


class Sender(Advertisement):
    """One that sends every `interval` seconds, and is connected to by nobody.

    `wanted` has the addresses that somebody wanted to connect to.
    """

    def __init__(self, pdu: ReportType, interval: float, random_source: random.Random) -> None:
        self.kind = pdu
        self.interval = interval
        self.data = self.scan_response = b""
        self.wanted: set[str] = set()
        self._random = random_source

    def prepare(self, now: float) -> bool:
        """Its time has come: whether it sends."""
        raise NotImplementedError

    def accepts_link(self) -> bool:
        self.wanted.add(self.advertiser_address.to_string(False))
        return False


class Passer(Sender):
    """A device of the street, of a kind that a capture had: its signal walks, its address changes.

    Whoever is too weak has gone, and another one comes.
    """

    def __init__(self, payload: Payload, random_source: random.Random) -> None:
        super().__init__(payload.pdu, payload.interval, random_source)
        self.payload = payload
        self._level = random_source.uniform(*AROUND)
        self._moved: float | None = None
        self._expires: float | None = None
        self._renew()

    def prepare(self, now: float) -> bool:
        if self._moved is None:
            self._begin(now)
        self._move(now - self._moved)
        self._moved = now
        if self._level < FARTHEST:
            self._level = self._random.uniform(*ARRIVING)
            self._renew()
        elif self._expires is not None and now >= self._expires:
            self._expires = now + self.payload.lifetime
            self._renew()
        return True

    def strength(self, random_source: random.Random) -> float:
        # Its own random numbers: all else is the same with a street and without.
        return self._random.gauss(self._level, FADING)

    def _begin(self, now: float) -> None:
        self._moved = now
        if self.payload.lifetime is not None:
            # Its address is not new at this moment.
            self._expires = now + self._random.uniform(0, self.payload.lifetime)

    def _move(self, seconds: float) -> None:
        self._level += self._random.gauss(0, WALK * seconds**0.5)
        if self._level > NEAREST:
            self._level = 2 * NEAREST - self._level

    def _renew(self) -> None:
        address, is_public = self.payload.new_address(self._random)
        kind = hci.Address.PUBLIC_DEVICE_ADDRESS if is_public else hci.Address.RANDOM_DEVICE_ADDRESS
        self.advertiser_address = hci.Address(address, kind)
        self.data = self.payload.data.filled(self._random)
        self.scan_response = self.payload.scan_response.filled(self._random)

"""Habits that phones have elsewhere, each told of in public bug reports, and that `--habit` gives to this one."""

import asyncio
import functools
from collections.abc import Callable
from enum import StrEnum

from bumble import hci
from bumble.device import Connection


class Habit(StrEnum):
    """What a phone does beside what its kind does; several at a time, if wanted."""

    CALL_MOVES = "call-moves"
    """A second after somebody calls its services move, and the call comes again by another number."""
    SILENT_CALLS = "silent-calls"
    """Calls are silenced, as by a Focus."""
    DEAF_SUBSCRIPTIONS = "deaf-subscriptions"
    """It forgets in silence who subscribed to its notifications, unless that was ended and begun again."""
    SHORT_COMMAND_LIST = "short-command-list"
    """It does not list the next title among its commands, and plays it all the same."""
    REFUSES_NEXT = "refuses-next"
    """It lists the next title among its commands, and answers with an error."""
    PAIRING_NOTIFICATION = "pairing-notification"
    """It asks its rider by a notification before it answers a request to pair, as Android 13 does."""
    LOSES_RELAXED = "loses-relaxed"
    """It loses each link with connection events 100 ms apart or more, a second later; it asks for none itself."""
    STAYS_ON_AIR = "stays-on-air"
    """It advertises without the app's service, too, as phones do for their maker's own services."""
    ENDS_LINKS = "ends-links"
    """It ends the three links behind its first one with 0x1F, as soon as they are encrypted."""
    SCANS = "scans"
    """Gadgetbridge listens for the device in its pauses, as by its option "scan reconnect"."""


NO_HABITS: frozenset[Habit] = frozenset()


LOST_AFTER = 1.0  # seconds from parameters that are too far apart to the loss
RELAXED = 100.0  # ms between connection events
ENDED_LINKS = 3


class StrangeLinks:
    """Ends links as the habits say; `lose` ends all of them for a reason."""

    def __init__(self, habits: frozenset[Habit], lose: Callable[[int], None]) -> None:
        self._habits = habits
        self._lose = lose
        self._links = 0

    def attend(self, connection: Connection) -> None:
        """Does to this link what the habits say."""
        if Habit.LOSES_RELAXED in self._habits:
            connection.on(
                Connection.EVENT_CONNECTION_PARAMETERS_UPDATE, functools.partial(self._on_parameters, connection)
            )
        if Habit.ENDS_LINKS in self._habits and 1 <= self._links <= ENDED_LINKS:
            end = functools.partial(self._lose, hci.HCI_UNSPECIFIED_ERROR_ERROR)
            connection.on(
                Connection.EVENT_CONNECTION_ENCRYPTION_CHANGE, lambda: asyncio.get_running_loop().call_soon(end)
            )
        self._links += 1

    def _on_parameters(self, connection: Connection) -> None:
        if connection.parameters.connection_interval >= RELAXED:
            asyncio.get_running_loop().call_later(LOST_AFTER, self._lose, hci.HCI_CONNECTION_TIMEOUT_ERROR)

"""What some habits do to links: see `Habit`."""

import asyncio
import functools
from collections.abc import Callable

from bumble import hci
from bumble.device import Connection

from .habits import Habit

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

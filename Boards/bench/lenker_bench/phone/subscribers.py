"""What the phone knows of a central that wants its turns."""

from bumble.device import Connection

from . import komoot
from .services import PhoneServer


class Subscriber:
    """A central that the phone notifies."""

    def __init__(self, server: PhoneServer, connection: Connection) -> None:
        self._server = server
        self._connection = connection

    def notify(self, value: bytes) -> bool:
        self._server.notify(self._connection, value)
        return not komoot.may_be_cut(value, self._connection.att_mtu - 3)


class Reader:
    """A central that reads, on a phone where nobody can subscribe."""

    def notify(self, value: bytes) -> bool:
        return False

"""The Apple Media Service of an iPhone, on an encrypted link only: what it plays, and the next title.

Titles and artists are invented; no phone was ever recorded here.
"""

import itertools
from collections.abc import Callable

from bumble import att, gatt
from bumble.core import UUID
from bumble.device import Connection

from .habits import NO_HABITS, Habit

SERVICE = UUID("89D3502B-0F36-433A-8EF4-C502AD55F8DC")
REMOTE_COMMAND = UUID("9B3C81D8-57B1-4A8A-B8DF-0E56F7CA51C2")
ENTITY_UPDATE = UUID("2F7CABCE-808D-411F-9A0C-BB92BA96C102")
ENTITY_ATTRIBUTE = UUID("C6B2F38C-23AB-46D8-A6AB-A3A870BBD5D7")

TRACK = 2
ARTIST, ALBUM, TITLE, DURATION = range(4)
CUT = 1
"""The flag of a value that did not fit."""
PLAY, PAUSE, TOGGLE, NEXT, PREVIOUS = range(5)
INVALID_STATE, INVALID_COMMAND, ABSENT_ATTRIBUTE = 0xA0, 0xA1, 0xA2

NONE, REFUSED, PLAYING = "none", "refused", "playing"
WAYS = (PLAYING, NONE, REFUSED)
SONGS = (
    ("Zwischen Kette und Ritzel", "Die erfundenen Speichen"),
    ("Für Élise am Vorbau", "Invented Ensemble"),
    ("架空の坂道 🚲", "作り物"),
    ("A Title that Is Invented, and Longer than a Small Panel Has Room for in All of Its Lines", "Nobody at All"),
)

NOTIFY, WRITE = gatt.Characteristic.Properties.NOTIFY, gatt.Characteristic.Properties.WRITE
READ = gatt.Characteristic.Properties.READ
ON_SECURE_LINK = gatt.Characteristic.Permissions.WRITEABLE | gatt.Characteristic.Permissions.WRITE_REQUIRES_ENCRYPTION
BOTH_WAYS = ON_SECURE_LINK | gatt.Characteristic.Permissions.READABLE
BOTH_WAYS |= gatt.Characteristic.Permissions.READ_REQUIRES_ENCRYPTION


class Music:
    """It plays the songs one behind the other, each until the next one is wanted.

    `notify` sends a value to one central; `report` hears of each command.
    """

    def __init__(self, way: str = NONE, strange: frozenset[Habit] = NO_HABITS) -> None:
        self.way = way
        self.strange = strange
        self.notify: Callable[[Connection, gatt.Characteristic, bytes], None] = lambda *_: None
        self.report: Callable[..., None] = lambda *_, **__: None
        self._songs = itertools.cycle(SONGS)
        self.artist, self.title = "", ""
        self._wanted: dict[Connection, set[int]] = {}
        self._chosen: dict[Connection, int] = {}
        self._next()
        write = gatt.CharacteristicValue
        self.command = gatt.Characteristic(
            REMOTE_COMMAND, WRITE | NOTIFY, ON_SECURE_LINK, write(write=self._on_command)
        )
        self.update = gatt.Characteristic(ENTITY_UPDATE, WRITE | NOTIFY, ON_SECURE_LINK, write(write=self._on_update))
        whole = write(read=self._whole, write=self._on_choice)
        self.attribute = gatt.Characteristic(ENTITY_ATTRIBUTE, WRITE | READ, BOTH_WAYS, whole)

    @property
    def service(self) -> gatt.Service | None:
        """`None` where the phone does not have it."""
        return None if self.way == NONE else gatt.Service(SERVICE, [self.command, self.update, self.attribute])

    def _next(self) -> None:
        self.title, self.artist = next(self._songs)

    def _on_update(self, connection: Connection, value: bytes) -> None:
        if self.way == REFUSED:
            raise att.ATT_Error(att.ATT_INSUFFICIENT_AUTHENTICATION_ERROR)
        if len(value) < 2 or value[0] > TRACK or any(attribute > DURATION for attribute in value[1:]):
            raise att.ATT_Error(ABSENT_ATTRIBUTE)
        if value[0] == TRACK:
            self._wanted[connection] = set(value[1:])
            self._tell(connection)

    def _on_choice(self, connection: Connection, value: bytes) -> None:
        """A central wants one attribute whole, as its notification was cut."""
        if len(value) != 2 or value[0] != TRACK or value[1] not in self._texts:
            raise att.ATT_Error(ABSENT_ATTRIBUTE)
        self._chosen[connection] = value[1]

    def _whole(self, connection: Connection) -> bytes:
        if connection not in self._chosen:
            raise att.ATT_Error(INVALID_STATE)
        return self._texts[self._chosen[connection]].encode("utf-8")

    @property
    def _texts(self) -> dict[int, str]:
        return {ARTIST: self.artist, TITLE: self.title}

    def _on_command(self, connection: Connection, value: bytes) -> None:
        if len(value) != 1 or value[0] > PREVIOUS:
            raise att.ATT_Error(INVALID_COMMAND)
        self.report("music", command=value[0])
        if value[0] == NEXT:
            if Habit.REFUSES_NEXT in self.strange:
                raise att.ATT_Error(INVALID_STATE)
            self.play_next()

    @property
    def is_listened_to(self) -> bool:
        return bool(self._wanted)

    def play_next(self) -> None:
        """Plays the next song, and tells those who asked."""
        self._next()
        for connection in self._wanted:
            self._tell(connection)

    def subscribed(self, connection: Connection, characteristic: gatt.Characteristic) -> None:
        """A central subscribed: it hears at once which commands are allowed."""
        if characteristic is self.command:
            others = [] if Habit.SHORT_COMMAND_LIST in self.strange else [NEXT, PREVIOUS]
            self.notify(connection, self.command, bytes([PLAY, PAUSE, TOGGLE, *others]))

    def unsubscribed(self, connection: Connection, characteristic: gatt.Characteristic) -> None:
        """The end of a subscription changes nothing else."""

    def left(self, connection: Connection) -> None:
        self._wanted.pop(connection, None)
        self._chosen.pop(connection, None)

    def _tell(self, connection: Connection) -> None:
        for attribute, text in self._texts.items():
            if attribute in self._wanted[connection]:
                whole = text.encode("utf-8")
                room = connection.att_mtu - 3 - 3
                flags = CUT if len(whole) > room else 0
                self.notify(connection, self.update, bytes([TRACK, attribute, flags]) + whole[:room])

"""The Apple Notification Center Service of an iPhone, on an encrypted link only.

All texts are invented; no phone was ever recorded here.
"""

import asyncio
import itertools
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from bumble import att, gatt
from bumble.core import UUID
from bumble.device import Connection

from .habits import NO_HABITS, Habit

SERVICE = UUID("7905F431-B5CE-4E99-A40F-4B1E122D00D0")
SOURCE = UUID("9FBF120D-6301-42D9-8C58-25E699A21DBD")
CONTROL_POINT = UUID("69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9")
DATA_SOURCE = UUID("22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB")

ADDED, MODIFIED, REMOVED = range(3)
SILENT, IMPORTANT, OLD, POSITIVE, NEGATIVE = 1, 2, 4, 8, 16
OTHER, CALL, MAIL = 0, 1, 6
APP, TITLE, SUBTITLE, MESSAGE = range(4)
ASK, ASK_APP, ACT = range(3)
ACCEPT, REFUSE = range(2)
UNKNOWN_COMMAND, INVALID_COMMAND, INVALID_PARAMETER, ACTION_FAILED = 0xA0, 0xA1, 0xA2, 0xA3
WITH_LENGTH = {TITLE, SUBTITLE, MESSAGE}
LONGEST_VALUE = 512  # bytes of any attribute; Core Specification, Vol 3, Part F, 3.2.9

NOTIFY, WRITE = gatt.Characteristic.Properties.NOTIFY, gatt.Characteristic.Properties.WRITE
READABLE = gatt.Characteristic.Permissions.READABLE
ON_SECURE_LINK = gatt.Characteristic.Permissions.WRITEABLE | gatt.Characteristic.Permissions.WRITE_REQUIRES_ENCRYPTION


@dataclass
class Notification:
    """One that is on the phone; texts by their attributes."""

    category: int
    texts: dict[int, str] = field(default_factory=dict)
    flags: int = POSITIVE | NEGATIVE


NONE = "none"
WANTED = f"write {NONE}, or some of every=5,call=20,old=3,part=1,error=3,allowed=30,silent with commas between"
INVENTED = (
    ("org.example.bakery", "Ausgedachte Bäckerei", "Das erdachte Brot ist fertig"),
    ("org.example.chat", "Invented Group", "None of this was ever written 🚲"),
    ("org.example.mail", "架空の友人", "作り話です"),
)
INVENTED_CALLER = "Anna Erfunden"


class HabitsError(Exception):
    """A text that is no habit; the message says what is one."""


@dataclass
class Habits:
    """What phones do that makes it hard, and what `--notifications` asks for; times in seconds from the start."""

    is_there: bool = False
    every: float | None = None
    """How often it notifies of something."""
    call: float | None = None
    """When somebody calls."""
    old: int = 0
    """How many it has from before, which come again at each link."""
    allowed: float | None = None
    """When the rider allows what is refused."""
    refusal: int | None = None
    """The error that each write gets, as long as the rider has not allowed it."""
    part: int | None = None
    """Into parts of how many bytes answers are cut; else as long as a notification."""
    is_silent: bool = False
    """It takes questions and does not answer them."""

    @staticmethod
    def parsed(text: str) -> "Habits":
        """Raises `HabitsError`."""
        habits = Habits(is_there=text != NONE)
        for part in text.split(",") if habits.is_there else []:
            name, _, value = part.partition("=")
            try:
                match name:
                    case "every" | "call" | "allowed" if float(value) > 0:
                        setattr(habits, name, float(value))
                    case "old" | "part" if int(value) > 0:
                        setattr(habits, name, int(value))
                    case "error" if 0 < int(value, 16) < 256:
                        habits.refusal = int(value, 16)
                    case "silent" if not value:
                        habits.is_silent = True
                    case _:
                        raise ValueError
            except ValueError as error:
                raise HabitsError(f"'{part}' is no habit of notifying: {WANTED}") from error
        return habits


class Notifications:
    """Old notifications come again when somebody subscribes, with the flag that says so.

    `notify` sends a value to one central; `report` hears of each question and action.
    """

    def __init__(self, habits: Habits | None = None, strange: frozenset[Habit] = NO_HABITS) -> None:
        self.habits = habits or Habits()
        self.strange = strange
        self.on_call: Callable[[], None] = lambda: None
        """Is called when somebody calls."""
        self.notify: Callable[[Connection, gatt.Characteristic, bytes], None] = lambda *_: None
        self.report: Callable[..., None] = lambda *_, **__: None
        self.listeners: list[Connection] = []
        self._ended: set[tuple[Connection, gatt.Characteristic]] = set()
        """Which subscriptions were ended on their link."""
        self._shown: dict[int, Notification] = {}
        self._last_uid = 0
        self._invented = itertools.cycle(INVENTED)
        for _ in range(self.habits.old):
            self.add_invented()
        value = gatt.CharacteristicValue
        self.source = gatt.Characteristic(SOURCE, NOTIFY, READABLE, b"")
        self.data = gatt.Characteristic(DATA_SOURCE, NOTIFY, READABLE, b"")
        self.control = gatt.Characteristic(CONTROL_POINT, WRITE, ON_SECURE_LINK, value(write=self._on_write))

    @property
    def service(self) -> gatt.Service | None:
        """`None` where the phone does not have it."""
        return gatt.Service(SERVICE, [self.source, self.control, self.data]) if self.habits.is_there else None

    # What happens on the phone

    def add(self, notification: Notification) -> int:
        """Notifies of one; its UID."""
        self._last_uid += 1
        self._shown[self._last_uid] = notification
        for connection in self.listeners:
            self._tell(connection, ADDED, self._last_uid, 0)
        return self._last_uid

    def add_invented(self) -> int:
        app, title, message = next(self._invented)
        return self.add(Notification(MAIL, {APP: app, TITLE: title, MESSAGE: message}))

    async def keep_notifying(self) -> None:
        """Does what the habits say, when it is due."""
        loop = asyncio.get_running_loop()
        began, habits = loop.time(), self.habits
        due: list[tuple[float, Callable[[], object]]] = []
        if habits.call is not None:
            due.append((habits.call, lambda: self.call(INVENTED_CALLER)))
        if habits.allowed is not None:
            due.append((habits.allowed, self.allow))
        if habits.every is not None:
            due.append((habits.every, self.add_invented))
        while due:
            due.sort(key=lambda entry: entry[0])
            time, happen = due.pop(0)
            await asyncio.sleep(began + time - loop.time())
            happen()
            if happen == self.add_invented and habits.every is not None:
                due.append((time + habits.every, happen))

    def allow(self) -> None:
        """The rider allows it on the phone."""
        self.habits.refusal = None

    def call(self, name: str) -> int:
        """Somebody with this name calls; the UID."""
        silence = SILENT if Habit.SILENT_CALLS in self.strange else 0
        uid = self.add(Notification(CALL, {TITLE: name}, POSITIVE | NEGATIVE | silence))
        self.on_call()
        return uid

    def move(self) -> None:
        """Its services move: all subscriptions end, and each call has another number from now on."""
        self.listeners.clear()
        for uid in [uid for uid, found in self._shown.items() if found.category == CALL]:
            self._last_uid += 1
            self._shown[self._last_uid] = self._shown.pop(uid)
            self.report("notification", moved=uid, uid=self._last_uid)

    def remove(self, uid: int) -> None:
        for connection in self.listeners:
            self._tell(connection, REMOVED, uid, 0)
        self._shown.pop(uid, None)

    def _tell(self, connection: Connection, event: int, uid: int, flags: int) -> None:
        notification = self._shown[uid]
        value = struct.pack("<BBBBI", event, notification.flags | flags, notification.category, 1, uid)
        self.notify(connection, self.source, value)

    # Centrals

    def subscribed(self, connection: Connection, characteristic: gatt.Characteristic) -> None:
        if characteristic is not self.source or self._is_deaf(connection, self.source):
            return
        self.report("notification", listening=True)
        if connection not in self.listeners:
            self.listeners.append(connection)
            for uid in self._shown:
                self._tell(connection, ADDED, uid, OLD)

    def unsubscribed(self, connection: Connection, characteristic: gatt.Characteristic) -> None:
        self._ended.add((connection, characteristic))
        if characteristic is self.source and connection in self.listeners:
            self.listeners.remove(connection)

    def _is_deaf(self, connection: Connection, characteristic: gatt.Characteristic) -> bool:
        return Habit.DEAF_SUBSCRIPTIONS in self.strange and (connection, characteristic) not in self._ended

    def left(self, connection: Connection) -> None:
        if connection in self.listeners:
            self.listeners.remove(connection)
        self._ended = {(other, of) for other, of in self._ended if other is not connection}

    def _on_write(self, connection: Connection, value: bytes) -> None:
        if self.habits.refusal is not None:
            raise att.ATT_Error(self.habits.refusal)
        if not value or value[0] not in (ASK, ACT):
            raise att.ATT_Error(UNKNOWN_COMMAND)
        if len(value) < 6:
            raise att.ATT_Error(INVALID_COMMAND)
        uid = int.from_bytes(value[1:5], "little")
        if uid not in self._shown:
            self.report("notification", gone=uid)
            raise att.ATT_Error(INVALID_PARAMETER)
        if value[0] == ACT:
            self.report("notification", action=value[5], uid=uid)
            asyncio.get_running_loop().call_soon(self.remove, uid)
            return
        wanted = self._wanted(value[5:])
        self.report("notification", asked=list(wanted), uid=uid)
        if not self.habits.is_silent and not self._is_deaf(connection, self.data):
            # The write is answered first.
            asyncio.get_running_loop().call_soon(self._answer, connection, uid, wanted)

    @staticmethod
    def _wanted(rest: bytes) -> dict[int, int]:
        """The attributes, each with its greatest length."""
        wanted = {}
        while rest:
            attribute, rest = rest[0], rest[1:]
            if attribute not in WITH_LENGTH:
                wanted[attribute] = 0xFFFF
            elif len(rest) < 2:
                raise att.ATT_Error(INVALID_COMMAND)
            else:
                wanted[attribute], rest = int.from_bytes(rest[:2], "little"), rest[2:]
        return wanted

    def _answer(self, connection: Connection, uid: int, wanted: dict[int, int]) -> None:
        """Tells what is asked of one that is there, as long as it was asked for."""
        if uid not in self._shown:
            return
        answer = struct.pack("<BI", ASK, uid)
        for attribute, length in wanted.items():
            text = self._shown[uid].texts.get(attribute, "").encode("utf-8")[:length]
            answer += struct.pack("<BH", attribute, len(text)) + text
        part = self.habits.part or min(connection.att_mtu - 3, LONGEST_VALUE)
        for start in range(0, len(answer), part):
            self.notify(connection, self.data, answer[start : start + part])

"""The clock of an iPhone: Current Time Service 1.1, told on an encrypted link only."""

import asyncio
import itertools
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bumble import att, gatt
from bumble.core import UUID
from bumble.device import Connection

NONE, REFUSED = "none", "refused"
DEFAULT = "2026-04-12T10:30:00+02:00"
CHANGE = re.compile(r"(\d+(?:\.\d+)?)s:(.+)")
WANTED = f"write {NONE}, {REFUSED}, or {DEFAULT}, and behind a comma 40s:2026-04-12T09:30:40+01:00 for a change"
UNKNOWN_ZONE = b"\x80\xff"
LOCAL_TIME_INFORMATION = UUID.from_16_bits(0x2A0F, "Local Time Information")
QUARTER = timedelta(minutes=15)
READ, NOTIFY = gatt.Characteristic.Properties.READ, gatt.Characteristic.Properties.NOTIFY
ON_SECURE_LINK = gatt.Characteristic.Permissions.READABLE | gatt.Characteristic.Permissions.READ_REQUIRES_ENCRYPTION


class ClockError(Exception):
    """A text that is no clock; the message says what is one."""


@dataclass(frozen=True)
class ClockChoice:
    """What `--clock` asks for: whether there is one, whether it may be read, and what it shows from when on."""

    times: tuple[tuple[float, datetime], ...]
    """By seconds from the start."""
    is_refused: bool = False

    @staticmethod
    def parsed(text: str) -> "ClockChoice":
        """Raises `ClockError`."""
        if text == NONE:
            return ClockChoice(())
        if text == REFUSED:
            return ClockChoice(((0.0, datetime.fromisoformat(DEFAULT)),), is_refused=True)
        times = []
        for index, part in enumerate(text.split(",")):
            match = CHANGE.fullmatch(part) if index else None
            if index and not match:
                raise ClockError(f"'{part}' is no change of a clock: {WANTED}")
            seconds, time = (float(match[1]), match[2]) if match else (0.0, part)
            try:
                times.append((seconds, datetime.fromisoformat(time)))
            except ValueError as error:
                raise ClockError(f"'{time}' is no time: {WANTED}") from error
        if any(late[0] <= early[0] for early, late in itertools.pairwise(times)):
            raise ClockError(f"'{text}': each change is later than the one before")
        return ClockChoice(tuple(times))


class Clock:
    """It goes as the machine's does, whatever `--speed` is, and tells those who subscribed of each change."""

    def __init__(self, choice: ClockChoice | None = None) -> None:
        self.choice = ClockChoice.parsed(DEFAULT) if choice is None else choice
        self._time, self._since = datetime.fromisoformat(DEFAULT), 0.0
        self.time = gatt.Characteristic(
            gatt.GATT_CURRENT_TIME_CHARACTERISTIC,
            READ | NOTIFY,
            ON_SECURE_LINK,
            gatt.CharacteristicValue(read=lambda connection: self._readable(self.current_time())),
        )
        self._zone = gatt.Characteristic(
            LOCAL_TIME_INFORMATION,
            READ,
            ON_SECURE_LINK,
            gatt.CharacteristicValue(read=lambda connection: self._readable(self.local_time_information())),
        )

    @property
    def service(self) -> gatt.Service | None:
        """`None` where the phone has no clock."""
        if not self.choice.times:
            return None
        return gatt.Service(gatt.GATT_CURRENT_TIME_SERVICE, [self.time, self._zone])

    def shown(self) -> datetime:
        """What it shows now."""
        return self._time + timedelta(seconds=asyncio.get_running_loop().time() - self._since)

    def set(self, time: datetime) -> None:
        """Shows this time now."""
        self._time, self._since = time, asyncio.get_running_loop().time()

    def _readable(self, value: bytes) -> bytes:
        if self.choice.is_refused:
            raise att.ATT_Error(att.ATT_INSUFFICIENT_AUTHENTICATION_ERROR)
        return value

    def current_time(self) -> bytes:
        """Current Time Service 1.1, 3.1."""
        time = self.shown()
        date = struct.pack("<HBB", time.year, time.month, time.day)
        fraction = time.microsecond * 256 // 1_000_000
        return date + bytes([time.hour, time.minute, time.second, time.isoweekday(), fraction, 0])

    def local_time_information(self) -> bytes:
        """Current Time Service 1.1, 3.2; all of the offset is taken for the zone."""
        offset = self.shown().utcoffset()
        return UNKNOWN_ZONE if offset is None else struct.pack("<bB", offset // QUARTER, 0)

    async def keep_changing(self, change: Callable[[datetime], None]) -> None:
        """Shows its first time from now on, and says each change when it is due."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        for seconds, time in self.choice.times:
            if seconds:
                await asyncio.sleep(began + seconds - loop.time())
            change(time)


def check_link(connection: Connection) -> None:
    """Raises the error with which an iPhone refuses a subscription on a link that is not encrypted."""
    if not connection.encryption:
        raise att.ATT_Error(att.ATT_INSUFFICIENT_AUTHENTICATION_ERROR)

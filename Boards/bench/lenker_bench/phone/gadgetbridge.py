"""Gadgetbridge on an Android phone: a client of the Nordic UART Service, by the order of its `BangleJSDeviceSupport`.

It uses the link that is there, whichever side made it, as Android gives all apps the same one. It writes lines and
understands those that come back. Read in its sources of August 2026; none ran here.
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bumble import att, core, gatt, hci
from bumble.core import UUID
from bumble.device import Connection

from ..wire.parameters import Parameters
from . import gadgetbridge_lines as lines
from .music import Music
from .navigators import FIX, Said

SERVICE = UUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
RX = UUID("6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
TX = UUID("6E400003-B5A3-F393-E0A9-E50E24DCCA9E")

SETTLING = 0.3  # seconds from the connection to the discovery
SHORTEST_PIECE = 20  # bytes
STOP, GO = 0x13, 0x11
NOTIFICATIONS, INDICATIONS = b"\x01\x00", b"\x02\x00"
INSECURE = {att.ATT_INSUFFICIENT_AUTHENTICATION_ERROR, att.ATT_INSUFFICIENT_ENCRYPTION_ERROR}
SECURING = 60.0  # seconds; a rider may be asked meanwhile
FINAL_PATIENCE = 15.0  # seconds that the last turn waits for a link
FORBIDDEN = {"http", "intent"}
"""What makes the phone do more than a display has to ask of it."""

OLD_ANDROIDS_MTU, MTU = 131, 517

BALANCED = Parameters(interval_min=24, interval_max=40, latency=0, timeout=500)
"""The connection parameters that Android asks for where an app wants a balanced link, as this one does."""


@dataclass(frozen=True)
class Table:
    """The handles of a device's service, which Android keeps for one that it is bonded with."""

    rx: int
    tx: int
    configuration: int
    changes: int | None
    """The configuration of Service Changed, which Android's own client subscribes to."""


@dataclass
class Habits:
    """What its settings say."""

    mtu: int | None = OLD_ANDROIDS_MTU
    sets_clock: bool = True


@dataclass
class Line:
    """One that waits to be written; `is_written` is known when that is over."""

    content: bytes
    is_written: asyncio.Future[bool] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def end(self, is_written: bool) -> None:
        if not self.is_written.done():
            self.is_written.set_result(is_written)


class Gadgetbridge:
    """What is said while there is no link is lost.

    `report` hears of its states, of each turn and of each line of the device; `shown` gives the time of the phone.
    """

    def __init__(self, habits: Habits | None = None) -> None:
        self.habits = habits or Habits()
        self.music = Music()
        self.report: Callable[..., None] = lambda *_, **__: None
        self.shown: Callable[[], datetime] = lambda: datetime.now().astimezone()
        self._table: Table | None = None
        self._longest = SHORTEST_PIECE
        self._waiting: asyncio.Queue[Line] = asyncio.Queue()
        self._flowing = asyncio.Event()
        self._ready = asyncio.Event()
        self._rest = b""
        self._call: str | None = None
        self._notices = 0
        self.heard = 0

    @property
    def is_ready(self) -> bool:
        return self._ready.is_set()

    @property
    def piece(self) -> int:
        """How many bytes it writes at a time: as many as the longest notification of the device had."""
        return self._longest

    async def until_ready(self) -> None:
        await self._ready.wait()

    # A link

    async def use(self, connection: Connection) -> None:
        """Does all that it does with a link, until that is lost."""
        work = asyncio.create_task(self._work(connection))
        connection.on(Connection.EVENT_DISCONNECTION, lambda reason: work.cancel())
        try:
            await work
        except asyncio.CancelledError:
            if asyncio.current_task().cancelling():
                work.cancel()
                raise
        except (att.ATT_Error, core.BaseBumbleError, hci.HCI_Error, TimeoutError) as error:
            self._state("failed", error=str(error) or type(error).__name__)
        finally:
            self._let_go()

    def _let_go(self) -> None:
        if self.is_ready:
            self._state("disconnected")
        self._ready.clear()
        self._rest = b""
        while not self._waiting.empty():
            self._waiting.get_nowait().end(False)

    def _state(self, state: str, **fields: object) -> None:
        self.report("gadgetbridge", state=state, **fields)

    async def _work(self, connection: Connection) -> None:
        await asyncio.sleep(SETTLING)
        table = self._table or await self._discovered(connection)
        if table is None:
            # It waits for another link, and that for ever.
            self._state("waiting")
            return
        client = connection.gatt_client
        client.notification_subscribers.setdefault(table.tx, set()).add(self._on_notification)
        await self._write_securely(connection, table.configuration, NOTIFICATIONS)
        self._table = table
        self._state("subscribed")
        if table.changes is not None:
            client.indication_subscribers.setdefault(table.changes - 1, set()).add(self._on_change)
            await self._write_securely(connection, table.changes, INDICATIONS)
        if self.habits.mtu is not None:
            self._state("mtu", mtu=await client.request_mtu(self.habits.mtu))
        self._flowing.set()
        if self.habits.sets_clock:
            await self._write(connection, table, self._clock())
        await self._write(connection, table, lines.line("is_gps_active", {}))
        self._ready.set()
        self._state("ready")
        while True:
            waiting = await self._waiting.get()
            waiting.end(await self._write(connection, table, waiting.content))

    async def _discovered(self, connection: Connection) -> Table | None:
        """Everything that the device has, as Android does; the handles of the service if it is there."""
        client = connection.gatt_client
        found: dict[UUID, gatt.CharacteristicProxy] = {}
        for service in await client.discover_services():
            for characteristic in await service.discover_characteristics():
                await characteristic.discover_descriptors()
                found[characteristic.uuid] = characteristic
        rx, tx = found.get(RX), found.get(TX)
        if rx is None or tx is None:
            return None
        configuration = tx.get_descriptor(gatt.GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR)
        changes = found.get(gatt.GATT_SERVICE_CHANGED_CHARACTERISTIC)
        wanted = changes and changes.get_descriptor(gatt.GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR)
        return Table(rx.handle, tx.handle, configuration.handle, wanted.handle if wanted else None)

    async def _write_securely(self, connection: Connection, handle: int, value: bytes) -> None:
        """Writes, and once more on a secure link if that is refused: Android's own client does so."""
        try:
            await connection.gatt_client.write_value(handle, value, with_response=True)
        except att.ATT_Error as error:
            if error.error_code not in INSECURE:
                raise
            self._state("refused", code=int(error.error_code))
            await self._secure(connection)
            await connection.gatt_client.write_value(handle, value, with_response=True)

    async def _secure(self, connection: Connection) -> None:
        """Returns once the link is encrypted, by the phone's key or by a pairing."""
        if connection.is_encrypted:
            return
        changed = asyncio.get_running_loop().create_future()
        connection.once(Connection.EVENT_CONNECTION_ENCRYPTION_CHANGE, lambda: changed.done() or changed.set_result(0))
        if not connection.device.smp_manager.is_pairing(connection):
            if connection.role == hci.Role.CENTRAL:
                await connection.pair()
            else:
                connection.request_pairing()
        async with asyncio.timeout(SECURING):
            await changed

    async def _write(self, connection: Connection, table: Table, content: bytes) -> bool:
        """Writes a line in pieces; whether all of them were taken. One that is refused ends the line."""
        piece = self.piece
        for start in range(0, len(content), piece):
            await self._flowing.wait()
            try:
                part = content[start : start + piece]
                await self._write_securely(connection, table.rx, part)
            except att.ATT_Error as error:
                self._state("aborted", code=int(error.error_code), line=content.decode("latin-1"))
                return False
        return True

    # What it says

    def say(self, kind: str, **members: Any) -> asyncio.Future[bool]:
        """Writes a line of this kind behind those that wait; whether it was written."""
        waiting = Line(lines.line(kind, members))
        if self.is_ready:
            self._waiting.put_nowait(waiting)
        else:
            waiting.end(False)
        return waiting.is_written

    def say_raw(self, content: bytes) -> asyncio.Future[bool]:
        """The same of any bytes."""
        waiting = Line(content)
        self._waiting.put_nowait(waiting)
        return waiting.is_written

    def _clock(self) -> bytes:
        shown = self.shown()
        zone = shown.utcoffset()
        return lines.as_line(lines.set_time(int(shown.timestamp()), zone.total_seconds() / 3600 if zone else 0.0))

    def set_clock(self) -> None:
        """The phone's clock was set."""
        if self.is_ready and self.habits.sets_clock:
            self.say_raw(self._clock())

    def ring(self, name: str, number: str = "") -> None:
        """Somebody calls."""
        self._call = name
        self.say("call", cmd="incoming", name=name, number=number)

    def stop_ringing(self) -> None:
        self._end_call("end")

    def _end_call(self, command: str) -> None:
        name, self._call = self._call, None
        if name is not None:
            self.say("call", cmd=command, name=name)

    def notify(self, app: str, title: str, body: str) -> asyncio.Future[bool]:
        """An app notifies; whether the line was written."""
        self._notices += 1
        return self.say("notify", id=self._notices, src=app, title=title, body=body)

    def play_song(self) -> None:
        """The phone plays, and says what."""
        self.say("musicinfo", artist=self.music.artist, album="", track=self.music.title, dur=240, c=1, n=1)
        self.say("musicstate", state="play", position=0, shuffle=0, repeat=0)

    # A ride

    async def play(self, turns: list[Said]) -> bool:
        """Says all of these once there is a link, each when it is due; whether the last one was written."""
        await self.until_ready()
        loop = asyncio.get_running_loop()
        start, is_written = loop.time(), False
        for number, turn in enumerate(turns, 1):
            await asyncio.sleep(start + turn.seconds - loop.time())
            said = self._turn(number, turn)
        try:
            async with asyncio.timeout(FINAL_PATIENCE):
                # An app at its destination goes on saying so, until it is closed.
                while not (is_written := await said):
                    await asyncio.sleep(FIX)
                    said = self._turn(len(turns), turns[-1])
        except TimeoutError:
            is_written = False
        self.report("ended", instructions=len(turns), heard=self.heard, last_heard=is_written)
        return is_written

    def _turn(self, number: int, turn: Said) -> asyncio.Future[bool]:
        said = self.say("nav", **turn.members)

        def over(future: asyncio.Future[bool]) -> None:
            is_written = not future.cancelled() and future.result()
            self.heard += is_written
            told = {name: value for name, value in turn.members.items() if value is not None}
            self.report("turn", number=number, written=is_written, **told)

        said.add_done_callback(over)
        return said

    # What the device says

    def _on_change(self, value: bytes) -> None:
        self._table = None
        self._state("services-changed")

    def _on_notification(self, value: bytes) -> None:
        self._longest = max(self._longest, len(value))
        for stop, change in ((STOP, self._flowing.clear), (GO, self._flowing.set)):
            if stop in value:
                change()
        value = bytes(byte for byte in value if byte not in (STOP, GO))
        *whole, self._rest = (self._rest + value).split(b"\n")
        for content in whole:
            # The byte before the newline is a carriage return, and is dropped unseen.
            self._hear(content[:-1].decode("latin-1"))

    def _hear(self, text: str) -> None:
        try:
            said = json.loads(text)
            kind = said["t"]
        except (ValueError, TypeError, KeyError):
            self.report("complaint", message=f"a line that Gadgetbridge does not understand: {text}")
            return
        if kind in FORBIDDEN or (kind == "gps_power" and said.get("status")):
            self.report("complaint", message=f"a line that makes the phone do what nobody asked for: {text}")
            return
        self.report("answer", line=said)
        self._react(kind, str(said.get("n", "")).upper())

    def _react(self, kind: str, name: str) -> None:
        match kind, name:
            case "call", "ACCEPT":
                self.say("call", cmd="start", name=self._call)
            case "call", "REJECT" | "END" | "IGNORE":
                self._end_call("end")
            case "music", "NEXT":
                self.music.play_next()
                self.play_song()

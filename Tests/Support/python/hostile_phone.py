"""A phone in this process that says what a test wants: any bytes, at any time, in parts of any size."""

import contextlib
import json
import random
from collections.abc import AsyncIterator, Callable

from lenker_bench.phone.kinds import ALL_KINDS, Kind
from lenker_bench.phone.pairing import PairingHabits
from lenker_bench.phone.phone import Phone
from lenker_bench.programs.events import EventLog
from lenker_bench.programs.report import Report
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip import Chip
from lenker_bench.wire.h4 import FirmwareServer
from lenker_bench.wire.rootcanal import RootCanal
from lenker_trials.sessions.telling import Script

FIRMWARE_ADDRESS = "B8:27:EB:4C:45:4E"


class HostilePhone:
    """The phone's script and events, and the port of the firmware's radio.

    The phone can leave and come back: it is the same one then, with what it remembered.
    """

    def __init__(
        self,
        script: Script,
        kind: Kind,
        mtu: int | None,
        pairing: PairingHabits,
        make: Callable[..., Phone],
        canal: RootCanal | None,
    ) -> None:
        self.log = EventLog()
        self.air = canal or Air()
        self.report = Report(lambda event: self.log.feed(json.dumps(event).encode() + b"\n"))
        own = None if canal else Chip("firmware", self.air, FIRMWARE_ADDRESS, random.Random(1), self._complain)
        self.server = FirmwareServer(own or canal.radio(self._complain), self.report)
        self.script = script
        self.pairing = pairing
        self._kind = kind
        self._mtu = mtu
        self._make = make
        self.phone: Phone

    def _complain(self, message: str) -> None:
        self.report("complaint", message=message)

    @property
    def port(self) -> int:
        return self.server.port

    async def arrive(self) -> None:
        self.phone = self._make(self.air, self._kind, [], 1.0, random.Random(1), self.report, self.pairing)
        self.script.forget_listeners()
        self.phone.navigation = self.script
        if self._mtu is not None:
            self.phone.device.gatt_server.max_mtu = self._mtu
        await self.phone.start()

    async def become(self, kind: Kind, make: Callable[..., Phone]) -> None:
        """Comes back as another kind of phone, with the same identity and bonds."""
        await self.leave()
        self._kind, self._make = kind, make
        await self.arrive()

    async def leave(self) -> None:
        """Whoever is connected loses the link as by supervision timeout."""
        await self.phone.stop()


@contextlib.asynccontextmanager
async def hostile_phone(
    value: bytes | None,
    kind: str | Kind = "android",
    mtu: int | None = None,
    pairing: PairingHabits | None = None,
    make: Callable[..., Phone] = Phone,
    canal: RootCanal | None = None,
) -> AsyncIterator[HostilePhone]:
    """A phone with this first value, or none yet; with `mtu` it grants the firmware no more than that.

    Its radio and the firmware's are RootCanal's, if there is one.
    """
    kind = ALL_KINDS[kind] if isinstance(kind, str) else kind
    phone = HostilePhone(Script(value), kind, mtu, pairing or PairingHabits(), make, canal)
    await phone.server.start("tcp-server:127.0.0.1:0")
    await phone.arrive()
    try:
        yield phone
    finally:
        phone.server.close()
        await phone.leave()

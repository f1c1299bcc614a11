"""For tests: the virtual phone as a process, and a Bumble central that is its peer."""

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from bumble import hci
from bumble.device import Connection, Device, DeviceConfiguration, Peer
from bumble.gatt_client import CharacteristicProxy
from bumble.transport import open_transport

from lenker_bench import komoot

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 10.0


class EventStream:
    """JSON lines of a process; each waiting goes on where the last one found what it waited for."""

    def __init__(self, stream: asyncio.StreamReader) -> None:
        self.events: list[dict] = []
        self._seen = 0
        self._changed = asyncio.Condition()
        self._task = asyncio.create_task(self._read(stream))

    async def _read(self, stream: asyncio.StreamReader) -> None:
        async for line in stream:
            self.events.append(json.loads(line))
            async with self._changed:
                self._changed.notify_all()

    async def wait_for(self, event: str, timeout: float = PATIENCE, **fields: object) -> dict:
        """The next event of that name whose fields have these values."""
        async with asyncio.timeout(timeout), self._changed:
            while True:
                for found in self._unseen():
                    if found["event"] == event and fields.items() <= found.items():
                        return found
                await self._changed.wait()

    def _unseen(self) -> Iterator[dict]:
        while self._seen < len(self.events):
            self._seen += 1
            yield self.events[self._seen - 1]

    def named(self, event: str) -> list[dict]:
        return [found for found in self.events if found["event"] == event]

    async def end(self) -> None:
        await self._task


class PhoneProcess:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.stream = EventStream(process.stdout)
        self.port = 0

    async def finish(self, timeout: float = PATIENCE) -> int:
        """Its exit status; all its events are there then."""
        status = await asyncio.wait_for(self.process.wait(), timeout)
        await self.stream.end()
        return status


@contextlib.asynccontextmanager
async def running_phone(*options: object) -> AsyncIterator[PhoneProcess]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "lenker_bench.phone_main",
        *map(str, options),
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT / "Boards" / "bench",
    )
    try:
        phone = PhoneProcess(process)
        phone.port = (await phone.stream.wait_for("ready"))["port"]
        yield phone
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


class Central:
    """A central on the radio that the phone offers to the firmware."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.connection: Connection | None = None
        self.characteristic: CharacteristicProxy | None = None
        self.notifications: asyncio.Queue[bytes] = asyncio.Queue()
        self.disconnected = asyncio.Event()
        self.reason: int | None = None

    async def find(self) -> list[hci.HCI_LE_Advertising_Report_Event.Report]:
        """The advertisement and the scan response of the first phone heard."""
        reports: list = []
        heard_both = asyncio.Event()

        def on_report(report) -> None:
            reports.append(report)
            if len(reports) == 2:
                heard_both.set()

        self.device.host.on("advertising_report", on_report)
        await self.device.start_scanning(legacy=True, active=True)
        await asyncio.wait_for(heard_both.wait(), PATIENCE)
        await self.device.stop_scanning(legacy=True)
        self.device.host.remove_listener("advertising_report", on_report)
        return reports[:2]

    async def connect(self, mtu: int | None = 517) -> None:
        address = (await self.find())[0].address
        self.disconnected.clear()
        self.connection = await self.device.connect(
            address, own_address_type=hci.OwnAddressType.PUBLIC, timeout=PATIENCE
        )
        self.connection.on(Connection.EVENT_DISCONNECTION, self._on_disconnection)
        if mtu is not None:
            await self.connection.gatt_client.request_mtu(mtu)

    def _on_disconnection(self, reason: int) -> None:
        self.reason = int(reason)
        self.disconnected.set()

    async def discover(self) -> None:
        peer = Peer(self.connection)
        (service,) = await peer.discover_service(komoot.SERVICE)
        (self.characteristic,) = await service.discover_characteristics([komoot.CHARACTERISTIC])
        await self.characteristic.discover_descriptors()

    async def subscribe(self) -> None:
        await self.discover()
        await self.characteristic.subscribe(self.notifications.put_nowait)

    async def read(self) -> bytes:
        return await self.characteristic.read_value()

    async def next_notification(self, timeout: float = PATIENCE) -> bytes:
        return await asyncio.wait_for(self.notifications.get(), timeout)


@contextlib.asynccontextmanager
async def central_at(port: int) -> AsyncIterator[Central]:
    async with await open_transport(f"tcp-client:127.0.0.1:{port}") as transport:
        configuration = DeviceConfiguration(name="Handlebar")
        device = Device.from_config_with_hci(configuration, transport.source, transport.sink)
        await asyncio.wait_for(device.power_on(), PATIENCE)
        yield Central(device)

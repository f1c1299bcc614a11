"""A Bumble central on the radio that the phone offers: a peer that shares no code with the firmware."""

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator

from bumble import att, core, hci
from bumble.device import Connection, Device, DeviceConfiguration, Peer
from bumble.gatt_client import CharacteristicProxy
from bumble.transport import open_transport

from lenker_bench.phone import komoot
from lenker_bench.programs.events import PATIENCE
from recording import Instruction, without_repeats

PATIENCE_OF_ADDRESS = 2.0  # seconds
Report = hci.HCI_LE_Advertising_Report_Event.Report


class Central:
    def __init__(self, device: Device) -> None:
        self.device = device
        self.connection: Connection | None = None
        self.characteristic: CharacteristicProxy | None = None
        self.notifications: asyncio.Queue[bytes] = asyncio.Queue()
        self.disconnected = asyncio.Event()
        self.reason: int | None = None

    async def scan(self, seconds: float, active: bool = True) -> list[Report]:
        """All advertising reports of that time."""
        reports: list[Report] = []
        self.device.host.on("advertising_report", reports.append)
        await self.device.start_scanning(legacy=True, active=active)
        await asyncio.sleep(seconds)
        await self.device.stop_scanning(legacy=True)
        self.device.host.remove_listener("advertising_report", reports.append)
        return reports

    async def find(self) -> tuple[Report, Report]:
        """The advertisement and the scan response of the first phone heard."""
        reports: list[Report] = []
        heard_both = asyncio.Event()

        def on_report(report: Report) -> None:
            reports.append(report)
            if len(reports) == 2:
                heard_both.set()

        self.device.host.on("advertising_report", on_report)
        await self.device.start_scanning(legacy=True, active=True)
        await asyncio.wait_for(heard_both.wait(), PATIENCE)
        await self.device.stop_scanning(legacy=True)
        self.device.host.remove_listener("advertising_report", on_report)
        return reports[0], reports[1]

    async def connect(self, mtu: int | None = None) -> None:
        """Connects to the first phone heard, and asks for an MTU when one is given."""
        self.disconnected.clear()
        self.connection = None
        async with asyncio.timeout(PATIENCE):
            while self.connection is None:
                advertisement, _ = await self.find()
                # Its address may be another one by now.
                with contextlib.suppress(core.TimeoutError):
                    self.connection = await self.device.connect(
                        advertisement.address, own_address_type=hci.OwnAddressType.PUBLIC, timeout=PATIENCE_OF_ADDRESS
                    )
        self.connection.on(Connection.EVENT_DISCONNECTION, self._on_disconnection)
        if mtu is not None:
            await self.connection.gatt_client.request_mtu(mtu)

    def _on_disconnection(self, reason: int) -> None:
        self.reason = int(reason)
        self.disconnected.set()

    async def discover(self) -> None:
        (service,) = await Peer(self.connection).discover_service(komoot.SERVICE)
        (self.characteristic,) = await service.discover_characteristics([komoot.CHARACTERISTIC])
        await self.characteristic.discover_descriptors()

    async def subscribe(self) -> None:
        await self.discover()
        await self.characteristic.subscribe(self.notifications.put_nowait)

    async def read_once(self) -> bytes:
        """One ATT Read, without Read Blob."""
        return await self.characteristic.read_value(no_long_read=True)

    async def read(self) -> bytes:
        """The same; where an app that assumes the smallest MTU may have cut the value, a Read Blob and it once more."""
        value = await self.read_once()
        if len(value) not in komoot.ROOMS_AT_SMALLEST_MTU:
            return value
        rest = await self.read_blob(len(value))
        await self.read_once()
        return value + rest

    async def read_blob(self, offset: int) -> bytes:
        """Raises `att.ATT_Error`."""
        handle = self.characteristic.handle
        answer = await self.connection.gatt_client.send_request(att.ATT_Read_Blob_Request(handle, offset))
        if isinstance(answer, att.ATT_Error_Response):
            raise att.ATT_Error(answer.error_code, answer.attribute_handle_in_error)
        return answer.part_attribute_value

    async def next_notification(self, timeout: float | None = PATIENCE) -> bytes:
        return await asyncio.wait_for(self.notifications.get(), timeout)


@contextlib.asynccontextmanager
async def central_at(port: int) -> AsyncIterator[Central]:
    async with await open_transport(f"tcp-client:127.0.0.1:{port}") as transport:
        configuration = DeviceConfiguration(name="Handlebar")
        device = Device.from_config_with_hci(configuration, transport.source, transport.sink)
        await asyncio.wait_for(device.power_on(), PATIENCE)
        yield Central(device)


class Heard:
    """What a central heard: identifiers as they were notified, and what each of them stands for."""

    def __init__(self) -> None:
        self._identifiers: list[int] = []
        self._meanings: dict[int, Instruction] = {}

    def notify(self, value: bytes) -> None:
        self._identifiers.append(int.from_bytes(value[:4], "little"))

    def read(self, value: bytes) -> None:
        """Keeps a whole value. One that was read may be newer than notifications that are still on their way."""
        identifier, direction, distance = struct.unpack_from("<IBI", value)
        self._meanings[identifier] = direction, distance, value[9:].decode("utf-8")

    @property
    def instructions(self) -> list[Instruction]:
        """In the order of their identifiers, those that say the same as the one before left out."""
        found = dict.fromkeys(self._identifiers)
        return without_repeats(self._meanings[identifier] for identifier in found if identifier in self._meanings)


async def hear(central: Central, heard: Heard) -> None:
    """Keeps whole values that were notified, and reads the others."""
    while True:
        value = await central.next_notification()
        heard.notify(value)
        is_whole = len(value) >= 9 and not komoot.may_be_cut(value, central.connection.att_mtu - 3)
        heard.read(value if is_whole else await central.read())

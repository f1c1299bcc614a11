"""The device with services, as Bumble's client finds it: whole, and with each of its faults. In virtual time."""

import asyncio
import contextlib
import random
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from bumble import att, core, hci
from bumble.core import UUID
from bumble.device import Connection, Device, DeviceConfiguration, Peer
from bumble.gatt_client import CharacteristicProxy
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from hostile_phone import FIRMWARE_ADDRESS
from lenker_bench.street.peripheral import BEHAVIOURS, Behaviour, Peripheral, PeripheralError
from lenker_bench.wire.air import Air
from lenker_bench.wire.chip_kinds import BCM43430A1
from lenker_bench.wire.mute_peers import ChipWithMutePeers
from lenker_bench.wire.true_air import TrueAir
from scanning import DIRECTED, SCAN_RESPONSE, Listener, structures

pytestmark = pytest.mark.virtual_time

SEEDS = pytest.mark.parametrize("seed", range(4))
# A Crownstone of 2016: id 1, state 2, switched on, 25 °C, 10 W, -100 J.
CROWNSTONE = "0a0843726f776e73746f6e131601c001000200ff801900102700009cffffff"
CROWNSTONE_SERVICE, CROWNSTONE_SWITCH = (
    "24F30000-7D10-4805-BFC1-7663A01C3BFF",
    "24F30002-7D10-4805-BFC1-7663A01C3BFF",
)
CONFIGURATION, DESCRIPTION, FORMAT, EXTENDED = 0x2902, 0x2901, 0x2904, 0x2900
NOTIFY, INDICATE = 0x10, 0x20


@dataclass
class Scene:
    device: Peripheral
    central: Device
    told: list[dict]

    async def connected(self) -> Connection:
        return await self.central.connect(self.device.address, timeout=60)

    def states(self) -> list[str]:
        return [event["state"] for event in self.told if event["event"] == "device"]


@contextlib.asynccontextmanager
async def on_the_air(behaviour: str = "answers", seed: int = 1, air: Air | None = None) -> AsyncIterator[Scene]:
    air, told = air or Air(), []

    def report(event: str, **fields: object) -> None:
        told.append({"event": event, **fields})

    chip = ChipWithMutePeers("firmware", air, FIRMWARE_ADDRESS, random.Random(seed), kind=BCM43430A1)
    device = Peripheral(air, Behaviour.parsed(behaviour), chip, random.Random(seed), report)
    if device.behaviour.how == "fails":
        chip.mute_peers = {device.chip}
    central = Device(config=DeviceConfiguration(name="Inspector"), host=Host(chip, AsyncPipeSink(chip)))
    await device.start()
    await central.power_on()
    try:
        yield Scene(device, central, told)
    finally:
        await device.stop()


@SEEDS
async def test_it_advertises_as_a_crownstone_of_2016(seed):
    air = TrueAir(random.Random(seed))
    listener = Listener(air)
    device = Peripheral(air, Behaviour(), listener.chip, random.Random(seed), lambda event, **fields: None)
    await device.start()
    reports = await listener.scan(5, kind=1)
    await device.stop()
    assert {report.data.hex() for report in reports if report.kind == SCAN_RESPONSE} == {CROWNSTONE}
    (data,) = {report.data for report in reports if report.kind != SCAN_RESPONSE}
    assert structures(data) == [(0x01, b"\x06"), (0x07, bytes.fromhex(CROWNSTONE_SERVICE.replace("-", ""))[::-1])]
    assert {report.top_bits for report in reports} == {3}
    assert all(report.address == device.address.to_string(False) for report in reports)


@dataclass
class Inspected:
    services: list[UUID]
    characteristics: dict[str, CharacteristicProxy]
    descriptors: dict[str, dict[int | str, bytes]]


async def inspected(connection: Connection) -> Inspected:
    peer = Peer(connection)
    await peer.request_mtu(185)
    found = Inspected([], {}, {})
    for service in await peer.discover_services():
        found.services.append(service.uuid)
        for characteristic in await service.discover_characteristics():
            name = characteristic.uuid.to_hex_str("-")
            found.characteristics[name] = characteristic
            found.descriptors[name] = {}
            for descriptor in await characteristic.discover_descriptors():
                bits = descriptor.type.to_bytes()
                key = int.from_bytes(bits, "little") if len(bits) == 2 else descriptor.type.to_hex_str("-")
                found.descriptors[name][key] = bytes(await descriptor.read_value())
    return found


@SEEDS
async def test_it_has_services_of_both_sizes_and_all_properties_and_descriptors(seed):
    async with on_the_air(seed=seed, air=TrueAir(random.Random(seed))) as scene:
        found = await inspected(await scene.connected())
        included = await included_services(scene)
    lengths = {len(uuid.to_bytes()) for uuid in found.services}
    assert lengths == {2, 16} and len(found.services) == 7
    assert len(included) == 1
    properties = [int(each.properties) for each in found.characteristics.values()]
    assert {1 << bit for bit in range(7)} | {0xFF} <= set(properties)
    for name, characteristic in found.characteristics.items():
        can_notify = bool(int(characteristic.properties) & (NOTIFY | INDICATE))
        assert (CONFIGURATION in found.descriptors[name]) == can_notify, name
    kinds = [kind for each in found.descriptors.values() for kind in each]
    assert {CONFIGURATION, DESCRIPTION, FORMAT, EXTENDED} < set(kinds)
    assert any(isinstance(kind, str) for kind in kinds), "one of its own"
    # A percentage: uint8, exponent 0, unit 0x27AD, of the Bluetooth SIG.
    assert found.descriptors["2A19"][FORMAT] == struct.pack("<BbHBH", 0x04, 0, 0x27AD, 1, 0)


async def included_services(scene: Scene) -> list[bytes]:
    (connection,) = scene.central.connections.values()
    attributes = await Peer(connection).gatt_client.discover_attributes()
    return [attribute for attribute in attributes if attribute.type == UUID.from_16_bits(0x2802)]


async def test_values_are_long_or_empty_or_refused():
    async with on_the_air() as scene:
        found = await inspected(await scene.connected())
        values, refused = [], []
        for characteristic in found.characteristics.values():
            try:
                values.append(bytes(await characteristic.read_value()))
            except att.ATT_Error as error:
                refused.append(int(error.error_code))
    assert {0, 512} < {len(value) for value in values}
    assert bytes(range(256)) * 2 in values
    # Not permitted, insufficient authentication, authorization and encryption, and the application's.
    assert {0x02, 0x05, 0x08, 0x0F, 0x80} == set(refused)


@pytest.mark.parametrize("value", [0, 1, 128, 255])
async def test_what_is_written_is_told(value):
    async with on_the_air() as scene:
        found = await inspected(await scene.connected())
        switch = found.characteristics[CROWNSTONE_SWITCH]
        await switch.write_value(bytes([value]), with_response=True)
        assert await switch.read_value() == bytes([value])
    written = [event for event in scene.told if event["event"] == "written"]
    address = scene.device.address.to_string(False)
    assert written == [
        {"event": "written", "address": address, "uuid": CROWNSTONE_SWITCH, "data": f"{value:02x}"},
    ]


async def test_it_is_there_again_for_the_next_one():
    async with on_the_air() as scene:
        for _ in range(3):
            connection = await scene.connected()
            await connection.disconnect()
            await asyncio.sleep(1)
    assert scene.states() == ["advertising"] + ["connected", "disconnected", "advertising"] * 3


# Faults


@SEEDS
async def test_one_that_refuses_is_never_connected_to_and_can_be_called_back(seed):
    async with on_the_air("refuses", seed, TrueAir(random.Random(seed))) as scene:
        with pytest.raises(core.TimeoutError):
            await scene.central.connect(scene.device.address, timeout=30)
        assert scene.central.connections == {}
    assert scene.states() == ["advertising"]


@SEEDS
async def test_one_that_fails_has_a_link_that_ends_with_0x3e(seed):
    async with on_the_air("fails", seed, TrueAir(random.Random(seed))) as scene:
        connection = await scene.connected()
        ended = asyncio.get_running_loop().create_future()
        connection.on(Connection.EVENT_DISCONNECTION, ended.set_result)
        assert await asyncio.wait_for(ended, 10) == hci.HCI_ErrorCode.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR
    assert scene.states() == ["advertising"], "it never heard of it"


@pytest.mark.parametrize("after", [0, 1, 3, 6])
async def test_one_that_leaves_does_so_instead_of_its_next_answer(after):
    async with on_the_air(f"leaves:{after}") as scene:
        connection = await scene.connected()
        ended = asyncio.get_running_loop().create_future()
        connection.on(Connection.EVENT_DISCONNECTION, ended.set_result)
        assert await answers(connection) == after
        assert await asyncio.wait_for(ended, 10) == hci.HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR
        await asyncio.sleep(1)
    assert scene.states() == ["advertising", "connected", "disconnected", "advertising"]


@pytest.mark.parametrize("after", [0, 1, 3, 6])
async def test_one_that_falls_silent_keeps_the_link(after):
    async with on_the_air(f"silent:{after}") as scene:
        connection = await scene.connected()
        assert await answers(connection) == after
        await asyncio.sleep(60)
        assert scene.states() == ["advertising", "connected"]


async def answers(connection: Connection) -> int:
    """How many of ten requests are answered, each within 5 s."""
    count = 0
    peer = Peer(connection)
    for _ in range(10):
        try:
            async with asyncio.timeout(5):
                await peer.gatt_client.read_value(1)
        except (TimeoutError, asyncio.CancelledError):  # Bumble cancels what waits on a link that ends
            break
        count += 1
    return count


@SEEDS
async def test_a_directed_one_is_heard_by_whom_it_is_for_alone_and_then_answers(seed):
    async with on_the_air("directed", seed) as scene:
        listener = Listener(scene.device.chip.air)
        listener.chip._public_address = hci.Address("B8:27:EB:00:00:77", hci.Address.PUBLIC_DEVICE_ADDRESS)
        assert await listener.scan(5) == []
        reports: list = []
        scene.central.host.on("advertising_report", reports.append)
        await scene.central.start_scanning(legacy=True, active=True)
        await asyncio.sleep(5)
        await scene.central.stop_scanning(legacy=True)
        assert len(reports) > 40
        assert {(int(report.event_type), report.data) for report in reports} == {(DIRECTED, b"")}
        found = await inspected(await scene.connected())
        assert CROWNSTONE_SWITCH in found.characteristics


@pytest.mark.parametrize("wrong", ["", "sleeps", "answers:3", "silent:x", "leaves:-1", "fails:1"])
def test_what_is_no_behaviour_is_refused(wrong):
    with pytest.raises(PeripheralError, match="'"):
        Behaviour.parsed(wrong)
    assert {Behaviour.parsed(how).how for how in BEHAVIOURS} == set(BEHAVIOURS)

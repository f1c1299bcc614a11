"""What is done to a ride: each attack begins, goes on for a moment, and has ended when its function returns."""

import asyncio
import contextlib
import functools
import struct
from collections.abc import Awaitable, Callable, Iterator

from bumble import hci, ll, smp
from bumble.device import Connection

from lenker_bench.phone.komoot import SERVICE
from lenker_bench.phone.pairing import COMPARE, JUST_WORKS, NONE
from lenker_bench.wire.framing import ACL, EVENT

from .scene import KeyAnswer, Scene
from .strange_chip import HARDWARE_ERROR, NO_INDICATOR, VENDOR_EVENT, StrangeChip

Attack = Callable[[Scene], Awaitable[None]]

SHORTEST, LONGEST = 0.3, 2.0  # seconds that an attack goes on
BURST = 39  # Hardware Errors that a real chip sent in a row
STORM = 200
FLOOD = 2000  # advertising reports
UNKNOWN_CHANNEL = 0x003A  # what iPhones send on it belongs to BR/EDR
NOBODYS_HANDLE = 0x0EFF
ALL_COMMANDS = set(range(0x0400, 0x2100))
SCAN_COMMANDS = {hci.HCI_LE_SET_SCAN_PARAMETERS_COMMAND, hci.HCI_LE_SET_SCAN_ENABLE_COMMAND}
SECURITY_REQUEST = bytes([smp.CommandCode.SECURITY_REQUEST, 0x0D])

Error = hci.HCI_ErrorCode


async def moment(scene: Scene) -> None:
    await asyncio.sleep(scene.random.uniform(SHORTEST, LONGEST))


# How somebody without the key answers when the link is to be encrypted


def refusing(status: int) -> KeyAnswer:
    def answer(chip: StrangeChip, connection: Connection) -> None:
        connection.send_ll_control_pdu(ll.RejectExtInd(ll.ControlPdu.Opcode.LL_ENC_REQ, status))

    return answer


def leaving(reason: int) -> KeyAnswer:
    return lambda chip, connection: chip.air.terminate(connection, reason, reason)


def silent(chip: StrangeChip, connection: Connection) -> None:
    """Says nothing."""


KEY_ANSWERS: dict[str, KeyAnswer] = {
    "0x05": refusing(Error.AUTHENTICATION_FAILURE_ERROR),
    "0x06": refusing(Error.PIN_OR_KEY_MISSING_ERROR),
    "0x13": leaving(Error.REMOTE_USER_TERMINATED_CONNECTION_ERROR),
    "0x1a": refusing(Error.UNSUPPORTED_REMOTE_FEATURE_ERROR),
    "0x3d": leaving(Error.CONNECTION_TERMINATED_DUE_TO_MIC_FAILURE_ERROR),
    "silence": silent,
}


# Strangers, and who plays back what the rider's phone once sent


@contextlib.contextmanager
def lost(scene: Scene) -> Iterator[None]:
    """The link is lost; half of the time the phone is not heard either before the attack has ended."""
    if scene.random.random() < 0.5:
        scene.phone.drop()
        yield
    else:
        scene.phone.vanish()
        yield
        scene.phone.come_back()


async def replay(scene: Scene, answer: KeyAnswer) -> None:
    with lost(scene):
        async with scene.attacker(address=scene.recorded_address(), answer_key=answer):
            await moment(scene)


async def replay_many(scene: Scene) -> None:
    """More than one recorded address, so that none of them rests."""
    with lost(scene):
        for answer in scene.random.sample([*KEY_ANSWERS.values()], 4):
            async with scene.attacker(address=scene.recorded_address(), answer_key=answer):
                await asyncio.sleep(SHORTEST)


async def replay_advertisements(scene: Scene) -> None:
    with lost(scene):
        async with scene.attacker(address=scene.recorded_address()) as other:
            scene.mute(other)
            await moment(scene)


async def replay_present_address(scene: Scene) -> None:
    """Not both at a time; and longer, as the address rests for 5 s."""
    scene.phone.vanish()
    async with scene.attacker(address=scene.phone.device.random_address):
        await asyncio.sleep(1)
        await moment(scene)
    scene.phone.come_back()


async def pretend_identity(scene: Scene) -> None:
    with lost(scene):
        async with scene.attacker(address=scene.phone.identity.static_address):
            await moment(scene)


async def stand_near(scene: Scene, mode: str) -> None:
    count = scene.links_to_strangers
    with lost(scene):
        async with scene.attacker(mode):
            await moment(scene)
    if scene.links_to_strangers > count:
        scene.wrongs.append("a stranger was connected to")


# The rider's phone, jammed or gone wild


async def jam(scene: Scene) -> None:
    for _ in range(scene.random.randrange(2, 12)):
        scene.phone.drop()
        await asyncio.sleep(scene.random.uniform(0, SHORTEST))


async def storm(scene: Scene, channel: int, pdu: bytes) -> None:
    for _ in range(STORM):
        for connection in scene.connections:
            connection.send_l2cap_pdu(channel, pdu)
        await asyncio.sleep(0)


async def send_noise(scene: Scene) -> None:
    """PDUs that nobody asked for, on each channel; none of them can be taken for an answer to a read."""
    for _ in range(STORM):
        channel, codes = scene.random.choice([(0x04, range(0x20, 0x60)), (0x05, range(0x20)), (0x06, range(0x20))])
        pdu = bytes([scene.random.choice(codes)]) + scene.random.randbytes(scene.random.randrange(30))
        for connection in scene.connections:
            connection.send_l2cap_pdu(channel, pdu)
        await asyncio.sleep(0)


async def shout_service_changed(scene: Scene) -> None:
    for _ in range(STORM // 4):
        for connection in scene.connections:
            scene.phone.device.gatt_server.shout_service_changed(connection)
        await asyncio.sleep(0)


async def change_service_at_each_request(scene: Scene) -> None:
    """Service Changed comes in front of each answer while the phone is found again."""
    server = scene.phone.device.gatt_server
    usual = server.on_gatt_pdu

    def change(connection: Connection, pdu: object) -> None:
        if server.wants_service_changed(connection):
            server.shout_service_changed(connection)
        usual(connection, pdu)

    server.on_gatt_pdu = change
    try:
        scene.phone.drop()
        await moment(scene)
    finally:
        server.on_gatt_pdu = usual


# The controller


async def fail_attempts(scene: Scene) -> None:
    scene.chip.refused_attempts = 3
    scene.phone.drop()
    await scene.until(lambda: scene.chip.refused_attempts == 0, "three attempts to connect")


async def name_another_peer(scene: Scene) -> None:
    scene.chip.false_peer = hci.Address("49:09:09:09:09:09", hci.Address.RANDOM_DEVICE_ADDRESS)
    scene.phone.drop()
    await moment(scene)
    scene.chip.false_peer = None


async def answer_twice(scene: Scene) -> None:
    scene.chip.answers_twice = True
    scene.phone.drop()
    await moment(scene)
    scene.chip.answers_twice = False


async def answer_nothing(scene: Scene) -> None:
    scene.chip.withheld |= ALL_COMMANDS
    scene.phone.drop()
    await moment(scene)
    scene.chip.withheld -= ALL_COMMANDS


async def answer_nobody(scene: Scene) -> None:
    """Answers to commands that were not sent, of which some are sent in a ride."""
    opcodes = [0x200C, 0x200D, 0x2013, 0x0406, 0x2019, 0x0C03]
    for _ in range(STORM):
        opcode = scene.random.choice(opcodes)
        scene.chip.say([struct.pack("<BBBBHB", EVENT, 0x0E, 4, 1, opcode, 0)])
        await asyncio.sleep(0)


async def return_nobodys_credits(scene: Scene) -> None:
    event = struct.pack("<BBBBHH", EVENT, 0x13, 5, 1, NOBODYS_HANDLE, 5)
    ended = struct.pack("<BBBBHB", EVENT, 0x05, 4, 0, NOBODYS_HANDLE, 0x13)
    data = struct.pack("<BHHHHB", ACL, NOBODYS_HANDLE | 0x2000, 5, 1, 4, 0x1B)
    for _ in range(STORM):
        scene.chip.say([event, ended, data])
        await asyncio.sleep(0)


async def say_vendor_events(scene: Scene) -> None:
    for _ in range(STORM):
        scene.chip.say([VENDOR_EVENT])
        await asyncio.sleep(0)


async def say_vendor_events_only(scene: Scene) -> None:
    """For five seconds, in which the phone is to be searched for."""
    scene.chip.withheld |= SCAN_COMMANDS
    scene.phone.drop()
    for _ in range(50):
        scene.chip.say([VENDOR_EVENT])
        await asyncio.sleep(0.1)
    scene.chip.withheld -= SCAN_COMMANDS


async def fail_hardware(scene: Scene) -> None:
    scene.chip.say([HARDWARE_ERROR] * BURST)


async def say_garbage(scene: Scene) -> None:
    scene.chip.say([bytes([NO_INDICATOR]) + scene.random.randbytes(15)])


def report(address: bytes, data: bytes, kind: int = 0) -> bytes:
    """An LE Advertising Report of one advertisement, from a random address."""
    parameters = bytes([2, 1, kind, 1]) + address + bytes([len(data)]) + data + bytes([0xD0])
    return bytes([EVENT, 0x3E, len(parameters)]) + parameters


def reports(scene: Scene) -> Iterator[bytes]:
    """Advertisements of a crowd, each from another address; every second one says that it has the service."""
    service = bytes([17, 0x07]) + SERVICE.to_bytes()
    for number in range(FLOOD):
        address = bytearray(scene.random.randbytes(6))
        address[5] = address[5] & 0x3F | 0x40
        yield report(bytes(address), service if number % 2 else b"\x02\x01\x06")


async def flood(scene: Scene) -> None:
    scene.phone.drop()
    for number, packet in enumerate(reports(scene)):
        scene.chip.say([packet])
        if number % 20 == 0:
            await asyncio.sleep(0.01)


async def send_malformed_reports(scene: Scene) -> None:
    """Reports whose lengths lie, of the rider's phone itself while it advertises."""
    scene.phone.drop()
    for _ in range(STORM):
        await asyncio.sleep(0.005)
        if not scene.phone.chip.le_legacy_advertiser.enabled:
            continue
        address = bytes(scene.phone.device.random_address)
        whole = report(address, scene.random.randbytes(31), scene.random.randrange(8))
        parameters = bytearray(whole[3 : scene.random.randrange(4, len(whole))])
        if len(parameters) > 11:
            parameters[10] = scene.random.randrange(256)
        scene.chip.say([bytes([EVENT, 0x3E, len(parameters)]) + bytes(parameters)])


RANDOM_ATTACKS: dict[str, Attack] = {
    **{f"key-answer-{name}": functools.partial(replay, answer=answer) for name, answer in KEY_ANSWERS.items()},
    "replayed-addresses": replay_many,
    "replayed-advertisements": replay_advertisements,
    "replayed-present-address": replay_present_address,
    "replayed-identity": pretend_identity,
    "stranger-without-code": functools.partial(stand_near, mode=JUST_WORKS),
    "stranger-with-code": functools.partial(stand_near, mode=COMPARE),
    "stranger-refuses": functools.partial(stand_near, mode=NONE),
    "jammed": jam,
    "security-requests": functools.partial(storm, channel=smp.SMP_CID, pdu=SECURITY_REQUEST),
    "unknown-channel": functools.partial(storm, channel=UNKNOWN_CHANNEL, pdu=b"\0"),
    "noise": send_noise,
    "service-changed-storm": shout_service_changed,
    "service-changed-at-each-request": change_service_at_each_request,
    "attempts-fail": fail_attempts,
    "other-peer": name_another_peer,
    "answers-twice": answer_twice,
    "answers-nothing": answer_nothing,
    "answers-to-nobody": answer_nobody,
    "stale-credits": return_nobodys_credits,
    "vendor-events": say_vendor_events,
    "hardware-errors": fail_hardware,
    "garbage": say_garbage,
    "report-flood": flood,
    "malformed-reports": send_malformed_reports,
}
"""Those that may come at any moment of a ride, and cost it nothing but moments."""

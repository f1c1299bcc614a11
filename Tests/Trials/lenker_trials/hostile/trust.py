"""Who is trusted, for how long and by what: what the rider and others do, and what the program must do then.

Each returns what it did, or raises `NotHeld`.
"""

import asyncio
import struct
import zlib
from pathlib import Path

from bumble import hci
from bumble.pairing import PairingConfig, PairingDelegate

from lenker_bench.phone.pairing import COMPARE, NONE
from lenker_bench.phone.phone import Phone
from lenker_bench.phone.strangers import STRANGERS_STREET

from . import NotHeld
from .case import Cases
from .scene import QUIET, REQUIRED, Scene

LONG = 33.0  # seconds; the search that is fast after a loss is slow then
AT_ONCE = 3.0  # seconds from the first advertisement to a question

CASES = Cases()


def forgetful(phone: Phone, *, keeps_key: bool) -> None:
    """Lets a phone hand out no identity, and say whether it keeps the key."""
    usual = phone.security.pairing_config_factory

    def config(connection: object) -> PairingConfig:
        found = usual(connection)
        found.bonding = keeps_key
        found.delegate.local_responder_key_distribution = PairingDelegate.KeyDistribution(0)
        return found

    phone.security.pairing_config_factory = config


async def _agreed(scene: Scene, question: str) -> None:
    """The rider agrees to somebody who is asked about, and sees the way."""
    await scene.told("pairing", state=question)
    scene.allowed.add(STRANGERS_STREET)
    scene.press("a")
    await scene.told("pairing", state="done")
    await scene.told("instruction", street=STRANGERS_STREET)


def _private_address(scene: Scene) -> hci.Address:
    """One that stays the same here, and that nobody can resolve who has not paired."""
    return scene.recorded_address()


@CASES.add(
    "address-without-its-key",
    68,
    "a phone is compared, keeps no key and goes; a stranger comes with its address",
    "its address is worth nothing, and no phone is asked about without a press",
    begins_alone=True,
)
async def compared_without_a_key(scene: Scene) -> str:
    """Somebody comes with the address of a phone that showed the number and keeps no key."""
    address = _private_address(scene)
    async with scene.attacker(COMPARE, address) as friend:
        forgetful(friend, keeps_key=False)
        await _agreed(scene, "confirm")
    await scene.told("link", state="disconnected")
    scene.allowed.clear()
    count = scene.count("pairing")
    async with scene.attacker(NONE, address):
        await scene.told("bond", state="rejected")
        await scene.never("instruction", QUIET)
    if scene.count("pairing") > count:
        raise NotHeld("somebody was asked about without a press")
    return "its address was worth nothing without its key"


@CASES.add(
    "passer-by",
    69,
    "another rider passes while the phone of this ride is away for half a minute",
    "the phone of the ride is still searched for, and followed",
    begins_alone=True,
)
async def passed_in_mid_ride(scene: Scene) -> str:
    """Another rider passes while the phone of this ride is away; that one comes back later."""
    async with scene.attacker(NONE, _private_address(scene)) as friend:
        await _agreed(scene, "ask")
        friend.vanish()
        await scene.told("link", state="disconnected")
        async with scene.attacker(COMPARE):
            count = scene.count("link", state="connected")
            await scene.told("link", more_than=count, state="connected")
            await scene.told("link", more_than=1, state="disconnected")
        await asyncio.sleep(LONG)
        count = scene.count("link", state="ready")
        friend.come_back()
        seconds = await scene.told("link", more_than=count, state="ready")
        scene.judge()
    return f"the phone of the ride was found after {seconds:.1f} s"


def without_code(scene: Scene, folder: Path) -> None:
    """Puts a store there in which the rider's phone was paired without a code: see `BondRecord`."""
    identity = scene.phone.identity
    address = identity.address(scene.phone.kind)
    is_random = address.address_type != hci.Address.PUBLIC_DEVICE_ADDRESS
    bond = struct.pack("<BB6s16s16s", 0b0011, is_random, bytes(address), identity.irk, bytes(range(16)))
    record = struct.pack("<8sBBHI", b"\x89LKBOND\n", 2, 1, 81, 1) + bond
    half = record.ljust(508, b"\0")
    store = folder / scene.store.name
    store.write_bytes(half + struct.pack("<I", zlib.crc32(half)))
    store.chmod(0o600)


@CASES.add(
    "paired-without-a-code",
    71,
    "a store with a phone that was paired without a code, where one is required",
    "it is not followed, the log says why; after a press it is paired with by a code",
    begins_alone=True,
    policy=REQUIRED,
    prepare=without_code,
)
async def code_missing(scene: Scene) -> str:
    scene.phone.come_back()
    await scene.told("error", source="phone")
    await scene.never("link", QUIET)
    if scene.count("bond"):
        raise NotHeld("the bond was taken for one")
    scene.press("a")
    await scene.told("pairing", state="confirm")
    scene.press("a")
    await scene.told("bond", state="saved")
    return f"not followed, and paired with by a code after a press; {await scene.back()}"


@CASES.add(
    "failed-pairings",
    73,
    "a stranger goes again and again while the digits show, then the rider's phone comes",
    "the stranger has to wait, and is reported, kept and asked; the rider's phone is asked at once",
    begins_alone=True,
)
async def failed_and_waited(scene: Scene) -> str:
    """Somebody goes each time that the digits show, and rests for 5 s; the fourth wait is longer."""
    async with scene.attacker(COMPARE, _private_address(scene)) as other:
        for number in range(4):
            await scene.told("pairing", more_than=number, state="confirm")
            other.drop()
        await scene.told("pairing", state="delayed")
        links = scene.count("link")
        waited = await scene.told("pairing", more_than=4, state="confirm")
        if scene.count("link") > links:
            raise NotHeld("it was not kept on its link")
        other.drop()
    scene.phone.come_back()
    asked = await scene.told("pairing", more_than=5, within=AT_ONCE, state="confirm")
    return f"kept, and asked {waited:.1f} s later; the rider's phone was asked after {asked:.1f} s"


@CASES.add(
    "no-identity",
    75,
    "a phone that is compared, and hands out no identity",
    "done, not stored, and followed for the ride by its key",
    begins_alone=True,
)
async def unknown_but_keyed(scene: Scene) -> str:
    """It comes back with the address that it had, and its key."""
    async with scene.attacker(COMPARE, _private_address(scene)) as friend:
        forgetful(friend, keeps_key=True)
        await _agreed(scene, "confirm")
        if scene.count("bond"):
            raise NotHeld("it was remembered")
        count = scene.count("pairing")
        for _ in range(2):
            encrypted = scene.count("link", state="encrypted")
            ready = scene.count("link", state="ready")
            friend.drop()
            await scene.told("link", more_than=encrypted, state="encrypted")
            await scene.told("link", more_than=ready, state="ready")
        if scene.count("pairing") > count:
            raise NotHeld("it was asked about again")
    return "followed by its key, twice, and not remembered"

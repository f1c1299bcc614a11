"""A bond on the real program: it outlives both sides, is not given up lightly, and ends when the rider wants it."""

from bumble.hci import Address

from bonding import (
    LONG,
    STREET,
    bond_of,
    is_remembered,
    make_pair,
    pair,
    paired,
    riders_phone,
    states,
    stays_quiet,
)
from builds import regular_and_armv6
from lenker_bench.phone.pairing import JUST_WORKS
from lenker_bench.phone.phone import Phone
from sensor_records import SENSORS, SIZE, record_with_sensors, sensors_that_count

SPACING = 4096
"""From one half of a store to the other, in a file."""


async def encrypted_ride(firmware) -> None:
    """The link was encrypted before anything else was asked of the phone."""
    await firmware.log.wait_for("link", LONG, state="encrypted")
    await firmware.log.wait_for("link", LONG, state="ready")
    await firmware.log.first("instruction", LONG, street=STREET)
    assert firmware.log.named("pairing") == []


@regular_and_armv6
async def test_central_behaviour_32_a_firmware_that_starts_again_encrypts_with_its_bond(build, lenker, tmp_path):
    async with riders_phone() as phone:
        await make_pair(lenker, phone, tmp_path)
        async with lenker(phone.port, "pairing=preferred") as firmware:
            loaded = await firmware.log.wait_for("bond", LONG, state="loaded")
            assert loaded["name"] == "Pixel 7"
            await firmware.log.wait_for("phone", LONG, match="bond")
            await encrypted_ride(firmware)
        assert phone.log.named("complaint") == []


async def test_central_behaviour_34_a_bonded_phone_is_known_again_by_its_new_address(lenker):
    async with riders_phone(JUST_WORKS, "ios-background") as phone, paired(lenker, phone) as firmware:
        before = firmware.log.named("phone")[-1]["address"]
        for _ in range(2):
            await phone.phone.change_address()
            phone.phone.drop()
            await firmware.log.wait_for("link", LONG, state="disconnected")
            found = await firmware.log.wait_for("phone", LONG, match="bond")
            assert found["address"] != before
            before = found["address"]
            await firmware.log.wait_for("link", LONG, state="encrypted")
            await firmware.log.wait_for("link", LONG, state="ready")
        assert states(firmware.log, "pairing") == ["ask", "done"]


async def test_central_behaviour_35_a_phone_that_forgot_us_is_not_paired_again_unasked(lenker, tmp_path):
    async with riders_phone() as phone:
        await make_pair(lenker, phone, tmp_path)
        await phone.phone.security.forget()
        async with lenker(phone.port, "pairing=preferred") as firmware:
            for _ in range(3):
                await firmware.log.wait_for("bond", LONG, state="rejected")
                await firmware.log.wait_for("link", LONG, state="disconnected")
                # Another one is tried at once.
                await phone.phone.change_address()
            assert await stays_quiet(phone.log, "pairing")
            assert "ready" not in states(firmware.log, "link") and firmware.log.named("instruction") == []
            assert is_remembered(tmp_path, phone), "it may be an impostor, so the bond stays"
            firmware.press("a")
            await pair(firmware, phone)
            await firmware.log.first("instruction", LONG, street=STREET)


async def forgets(firmware, folder, phone: Phone) -> None:
    """A long press erases the bond, and nobody is looked for until the rider asks."""
    firmware.press("B")
    await firmware.log.wait_for("bond", LONG, state="erased")
    assert not is_remembered(folder, phone)


async def stays_idle(firmware, phone) -> None:
    """Nobody is searched for until a press, which pairs again."""
    assert firmware.log.named("scan")[-1]["mode"] == "off"
    assert await stays_quiet(firmware.log, "scan")
    # The first press may only take away that the phone is forgotten.
    firmware.press("aa")
    await firmware.log.wait_for("scan", LONG, mode="fast")
    await pair(firmware, phone)


async def test_central_behaviour_49_the_identity_that_it_gives_is_its_public_address_with_a_key_of_zero(
    lenker, tmp_path
):
    """So a phone that was forgotten has no key to follow the device by; it has its address anyway."""
    async with riders_phone(JUST_WORKS) as phone, paired(lenker, phone) as firmware:
        for _ in range(2):
            keys = await bond_of(phone)
            assert keys.irk.value == bytes(16)
            assert keys.address_type == Address.PUBLIC_DEVICE_ADDRESS
            await forgets(firmware, tmp_path, phone)
            await firmware.log.wait_for("link", LONG, state="disconnected")
            await firmware.log.wait_for("scan", LONG, mode="off")
            await stays_idle(firmware, phone)


@regular_and_armv6
async def test_sensors_outlive_the_phone_that_is_paired_and_forgotten(build, lenker, tmp_path):
    store = tmp_path / "bond"

    def remembered() -> bytes:
        content = store.read_bytes()
        return sensors_that_count(content[:SIZE], content[SPACING : SPACING + SIZE])

    store.write_bytes(record_with_sensors(1).ljust(SPACING + SIZE, b"\0"))
    async with riders_phone() as phone, paired(lenker, phone) as firmware:
        assert is_remembered(tmp_path, phone) and remembered() == SENSORS
        await forgets(firmware, tmp_path, phone)
        assert remembered() == SENSORS
        assert firmware.log.named("error") == []

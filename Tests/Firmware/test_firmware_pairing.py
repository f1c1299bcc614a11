"""Pairing and what is left of it with the real program and Bumble's security manager: the bond outlives both sides."""

from pathlib import Path

from bumble.hci import Address

from bonding import LONG, STREET, bond_of, compare, is_remembered, paired, riders_phone, search_again, set_aside, states
from builds import regular_and_armv6
from lenker_bench.phone.pairing import JUST_WORKS
from tshark import complaints, halves, is_explained

COMPARISON_FAILED = 0x0C
LEFT_BY_US = 0x13, 0x05  # Remote User Terminated Connection, Authentication Failure
ENABLE_ENCRYPTION = bytes.fromhex("1920 1c")  # LE Enable Encryption, 28 bytes, of which 16 are the key


def files_with(folder: Path, key: bytes) -> list[str]:
    """The files, the store excepted, that have the key in them: as bytes or as text, either end first."""
    raw = (key, key[::-1])
    texts = [text.encode() for order in raw for text in (order.hex(), order.hex(" "), order.hex(":"))]

    def has_key(content: bytes) -> bool:
        return any(order in content for order in raw) or any(text in content.lower() for text in texts)

    files = [path for path in folder.iterdir() if path.is_file() and path.name != "bond"]
    return [path.name for path in files if has_key(path.read_bytes())]


@regular_and_armv6
async def test_central_behaviour_32_who_was_compared_is_encrypted_after_a_restart_and_no_output_has_a_key(
    build, lenker, tmp_path
):
    captures = [tmp_path / f"{name}.btsnoop" for name in ("first", "second")]
    async with riders_phone() as phone:
        async with paired(lenker, phone, f"btsnoop=file:{captures[0]}") as firmware:
            assert states(firmware.log, "pairing") == states(phone.log, "pairing") == ["confirm", "done"]
            assert firmware.log.named("bond")[0]["name"] == "Pixel 7"
            keys = await bond_of(phone)
            assert keys.ltk.authenticated
            assert (keys.irk.value, keys.address_type) == (bytes(16), Address.PUBLIC_DEVICE_ADDRESS)
            assert is_remembered(tmp_path, phone) and (tmp_path / "bond").stat().st_mode & 0o777 == 0o600
            await firmware.stop()
        set_aside(tmp_path)
        async with lenker(phone.port, "pairing=preferred", f"btsnoop=file:{captures[1]}") as firmware:
            await firmware.log.wait_for("bond", LONG, state="loaded")
            await firmware.log.wait_for("phone", LONG, match="bond")
            await firmware.log.wait_for("link", LONG, state="encrypted")
            await firmware.log.first("instruction", LONG, street=STREET)
            assert firmware.log.named("pairing") == firmware.log.named("error") == phone.log.named("complaint") == []
            await firmware.stop()
        secrets = [keys.ltk.value, phone.phone.identity.irk]
    store = (tmp_path / "bond").read_bytes()
    assert all(key in store or key[::-1] in store for key in secrets), "what is searched for is what there is"
    for capture in captures:
        content = capture.read_bytes()
        assert ENABLE_ENCRYPTION in content and STREET.encode() in content, "the capture has all but the keys"
    assert {path: key.hex() for key in secrets for path in files_with(tmp_path, key)} == {}
    found = [complaint for capture in captures for half in halves(capture, tmp_path) for complaint in complaints(half)]
    assert [complaint for complaint in found if not is_explained(complaint)] == []


async def test_central_behaviour_32_the_rider_says_no_on_the_device(lenker, tmp_path):
    async with riders_phone(kind="ios") as phone, lenker(phone.port, "pairing=preferred") as firmware:
        first = await compare(firmware, phone)
        firmware.press("b")
        await phone.log.wait_for("pairing", LONG, state="failed", reason=COMPARISON_FAILED)
        assert (await phone.log.wait_for("disconnected", LONG))["reason"] in LEFT_BY_US
        await firmware.log.wait_for("pairing", LONG, state="failed")
        assert "encrypted" not in states(firmware.log, "link") and not is_remembered(tmp_path, phone)
        await search_again(firmware)
        assert await compare(firmware, phone) != first
        firmware.press("a")
        await firmware.log.wait_for("bond", LONG, state="saved")


async def test_central_behaviour_34_a_phone_without_a_number_just_works_and_is_known_by_its_new_address(lenker):
    async with riders_phone(JUST_WORKS, "ios-background") as phone, paired(lenker, phone) as firmware:
        assert not (await bond_of(phone)).ltk.authenticated
        before = firmware.log.named("phone")[-1]["address"]
        await phone.phone.change_address()
        phone.phone.drop()
        await firmware.log.wait_for("link", LONG, state="disconnected")
        assert (await firmware.log.wait_for("phone", LONG, match="bond"))["address"] != before
        await firmware.log.wait_for("link", LONG, state="encrypted")
        await firmware.log.wait_for("link", LONG, state="ready")
        assert states(firmware.log, "pairing") == ["ask", "done"]

"""Pairing and what is left of it with the real program and Bumble's security manager: the bond outlives both sides."""

from pathlib import Path

from bumble.hci import Address

from bonding import LONG, STREET, is_remembered, paired, remembered_by, riders_phone, set_aside, states
from builds import regular_and_armv6
from hostile_phone import FIRMWARE_ADDRESS
from tshark import complaints, halves, is_explained

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
            name, keys = await remembered_by(phone)
            assert name == f"{FIRMWARE_ADDRESS}/P" and keys.ltk.authenticated
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

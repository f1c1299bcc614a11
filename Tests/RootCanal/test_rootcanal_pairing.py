"""Pairing and its end on RootCanal, and phones whose key is not the firmware's."""

from bonding import LONG, STREET, is_remembered, make_pair, remembered_by, states
from builds import regular_and_armv6
from second_controller import phone_on_rootcanal

MIC_FAILURE = 0x3D


async def becomes_known_again(firmware) -> None:
    """The link is encrypted with the key that both have, and the way shown."""
    await firmware.log.wait_for("link", LONG, state="encrypted")
    await firmware.log.wait_for("link", LONG, state="ready")
    await firmware.log.first("instruction", LONG, street=STREET)
    assert firmware.log.named("pairing") == []


@regular_and_armv6
async def test_who_was_paired_by_comparison_is_known_again_by_the_bond(build, lenker, tmp_path):
    async with phone_on_rootcanal() as phone:
        await make_pair(lenker, phone, tmp_path)
        async with lenker(phone.port, "pairing=preferred") as firmware:
            await firmware.log.wait_for("bond", LONG, state="loaded")
            await firmware.log.wait_for("phone", LONG, match="bond")
            await becomes_known_again(firmware)


async def test_a_phone_with_another_key_is_shown_nothing_and_keeps_its_bond_until_it_has_the_right_one(
    lenker, tmp_path
):
    async with phone_on_rootcanal() as phone:
        await make_pair(lenker, phone, tmp_path)
        name, keys = await remembered_by(phone)
        right = keys.ltk.value
        keys.ltk.value = bytes(byte ^ 1 for byte in right)
        await phone.pairing.bonds.update(name, keys)
        async with lenker(phone.port, "pairing=preferred") as firmware:
            for _ in range(2):
                await firmware.log.wait_for("bond", LONG, state="rejected")
                lost = await firmware.log.wait_for("link", LONG, state="disconnected")
                assert lost["reason"] == MIC_FAILURE
            assert {"ready", "encrypted"}.isdisjoint(states(firmware.log, "link"))
            assert firmware.log.named("instruction") == [] and is_remembered(tmp_path, phone)
            keys.ltk.value = right
            await phone.pairing.bonds.update(name, keys)
            await becomes_known_again(firmware)
        assert phone.log.named("keyless") == []

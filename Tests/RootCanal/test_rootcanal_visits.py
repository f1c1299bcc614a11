"""Phones that make the link themselves, where their controller and the firmware's are RootCanal's."""

import asyncio

from bonding import LONG, pair
from hostile_phone import HostilePhone
from lenker_bench.phone.gadgetbridge import Gadgetbridge
from lenker_bench.phone.pairing import COMPARE
from lenker_bench.phone.phone import Phone
from recording import CAPTURE
from second_controller import phone_on_rootcanal, refusals
from visiting import told_by_app


async def test_gadgetbridge_connects_pairs_writes_turns_and_comes_again(lenker, tmp_path):
    capture, app = tmp_path / CAPTURE, Gadgetbridge()
    phones: list[HostilePhone] = []

    def make(*rest: object) -> Phone:
        # RootCanal gives the firmware's radio an address once that is there.
        return Phone(*rest, gadgetbridge=app, has_komoot=False, firmware=lambda: phones[0].server.chip.public_address)

    async with phone_on_rootcanal("gadgetbridge", COMPARE, make) as phone:
        phones.append(phone)
        phone.phone.vanish()
        async with lenker(phone.port, "pairing=preferred", "advertise=on", f"btsnoop=file:{capture}") as firmware:
            await firmware.log.wait_for("controller", LONG)
            phone.phone.come_back()
            await pair(firmware, phone)
            for distance in (120, 110, 100):
                async with asyncio.timeout(LONG):
                    await app.until_ready()
                assert await app.say("nav", instr="Voßstraße", distance=f"{distance}m", action="left")
                await firmware.log.first("instruction", LONG, distance=distance)
                phone.phone.drop()
                await phone.log.wait_for("gadgetbridge", LONG, state="disconnected")
                await phone.log.wait_for("connected", LONG, role="central")
            assert told_by_app(firmware.log.events) == [("left", metres, "Voßstraße") for metres in (120, 110, 100)]
            assert len(firmware.log.named("pairing")) == 2 and firmware.log.named("error") == []
            await firmware.stop()
    assert refusals(capture) == []

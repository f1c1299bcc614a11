"""What a phone says on the air, and under which address."""

import asyncio
from collections.abc import Callable

from bumble import hci
from bumble.device import Device

from .kinds import Kind


class Advertiser:
    """Advertises while the phone `wants` to, under an address that `draw` gives and that lasts `lifetime` seconds."""

    def __init__(
        self,
        device: Device,
        kind: Kind,
        interval: float,
        lifetime: float,
        draw: Callable[[], hci.Address],
        advertisement: Callable[[], bytes],
        wants: Callable[[], bool],
        report: Callable[..., None],
    ) -> None:
        self._device = device
        self._kind = kind
        self._interval = interval
        self._lifetime = lifetime
        self._draw = draw
        self._advertisement = advertisement
        self._wants = wants
        self._report = report
        self._advertised = b""
        self._changed = asyncio.Event()
        self._chip = asyncio.Lock()

    def look_again(self) -> None:
        """Something has changed that decides whether or what the phone advertises."""
        self._changed.set()

    async def start(self) -> None:
        """The first address; the device is powered on."""
        await self._renew_address()
        self._changed.set()

    async def keep_advertising(self) -> None:
        """Runs until it is cancelled."""
        loop = asyncio.get_running_loop()
        address_due = loop.time() + self._lifetime
        while True:
            try:
                async with asyncio.timeout_at(address_due):
                    await self._changed.wait()
            except TimeoutError:
                address_due = loop.time() + self._lifetime
                await self.change_address()
            self._changed.clear()
            async with self._chip:
                await self._start_or_stop()

    async def change_address(self) -> None:
        """Uses a new address from now on; links keep the one that they began with."""
        # A chip refuses another address while it advertises, which nobody may begin between the two.
        async with self._chip:
            await self._device.stop_advertising()
            await self._renew_address()
        self._changed.set()

    async def _start_or_stop(self) -> None:
        # The chip stops by itself when somebody connects, and Bumble's host takes note.
        is_advertising = self._device.legacy_advertiser is not None
        if is_advertising and self._advertised != self._advertisement():
            await self._device.stop_advertising()
            is_advertising = False
        if self._wants() and not is_advertising:
            if self._kind.new_address_at_each_advertising:
                await self._renew_address()
            await self._advertise()
        elif is_advertising and not self._wants():
            await self._device.stop_advertising()
            self._report("advertising", state="off")

    async def _advertise(self) -> None:
        self._advertised = self._advertisement()
        await self._device.start_advertising(
            advertising_data=self._advertised,
            scan_response_data=self._kind.scan_response(),
            advertising_interval_min=self._interval,
            advertising_interval_max=self._interval,
        )
        self._report("advertising", state="on", address=self._device.random_address.to_string(False))

    async def _renew_address(self) -> None:
        self._device.random_address = address = self._draw()
        await self._device.send_sync_command(hci.HCI_LE_Set_Random_Address_Command(random_address=address))

"""A controller among devices that advertise and do not hear that somebody connects to them."""

import asyncio
from types import SimpleNamespace

from bumble import controller, hci

from .advertising import ControllersAdvertisement
from .chip import Chip
from .meeting import INTERVAL_UNIT

Error = hci.HCI_ErrorCode

EVENTS_UNTIL_GIVEN_UP = 6  # without a packet of the peer; Core Specification, Vol 6, Part B, 4.5.2


class ChipWithMutePeers(Chip):
    """Its links to `mute_peers` fail to be established; without any it is an ordinary one."""

    def __init__(self, *arguments: object, **options: object) -> None:
        self.mute_peers: set[controller.Controller] = set()
        """Those that send advertisements and do not hear the answer, as a recorder that plays them back."""
        self._unestablished: set[int] = set()
        super().__init__(*arguments, **options)

    def power_cycle(self) -> None:
        self._unestablished.clear()
        super().power_cycle()

    def on_hci_le_enable_encryption_command(self, command: hci.HCI_LE_Enable_Encryption_Command) -> None:
        if command.connection_handle in self._unestablished:
            self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        else:
            super().on_hci_le_enable_encryption_command(command)

    def _connect(self, advertisement: ControllersAdvertisement) -> None:
        if advertisement.advertiser.controller in self.mute_peers:
            command, self.pending_le_connection = self.pending_le_connection, None
            self._fail_to_establish(command)
        else:
            super()._connect(advertisement)

    def _fail_to_establish(self, command: hci.HCI_LE_Create_Connection_Command) -> None:
        """Tells of a link as soon as it was asked for, and of its end when the peer has missed its first events."""
        handle = self.allocate_connection_handle()
        link = SimpleNamespace(handle=handle, role=hci.Role.CENTRAL, peer_address=command.peer_address)
        self._unestablished.add(handle)
        super()._send_connection_complete(link, command)

        def end() -> None:
            if handle not in self._unestablished:
                return
            self._unestablished.remove(handle)
            reason = Error.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR
            self.send_hci_packet(
                hci.HCI_Disconnection_Complete_Event(status=Error.SUCCESS, connection_handle=handle, reason=reason)
            )

        seconds = EVENTS_UNTIL_GIVEN_UP * command.connection_interval_max * INTERVAL_UNIT
        asyncio.get_running_loop().call_later(seconds, end)

"""How a host advertises: what it may change meanwhile, and beside what the link layer can do it.

Core Specification, Vol 4, Part E, 7.8.4, 7.8.5, 7.8.9 and 7.8.11; which states go together: 7.8.27.
"""

from collections.abc import Callable

from bumble import controller, hci

from .advertising import ACTIVE_SCANNING
from .chip_kinds import ChipKind, State

Error = hci.HCI_ErrorCode

SHORTEST_INTERVAL, LONGEST_INTERVAL = 0x0020, 0x4000  # units of 0.625 ms; 7.8.5
CHANNELS = range(0x01, 0x08)


class AdvertisingProcedures(controller.Controller):
    """A controller whose host advertises, as far as its kind lets it do so beside other things.

    Bumble's takes each command at any time. It also knows no intervals, which `Advertiser` has.
    """

    kind: ChipKind
    complain: Callable[[str], None]

    def on_hci_le_set_advertising_parameters_command(
        self, command: hci.HCI_LE_Set_Advertising_Parameters_Command
    ) -> hci.HCI_StatusReturnParameters:
        if self.le_legacy_advertiser.enabled:
            return hci.HCI_StatusReturnParameters(Error.COMMAND_DISALLOWED_ERROR)
        shortest, longest = command.advertising_interval_min, command.advertising_interval_max
        if not SHORTEST_INTERVAL <= shortest <= longest <= LONGEST_INTERVAL:
            self.complain(f"advertising intervals of {shortest * 0.625:g} to {longest * 0.625:g} ms")
            return hci.HCI_StatusReturnParameters(Error.INVALID_COMMAND_PARAMETERS_ERROR)
        if command.advertising_channel_map not in CHANNELS:
            self.complain(f"advertising on the channels {command.advertising_channel_map:#04x}")
            return hci.HCI_StatusReturnParameters(Error.INVALID_COMMAND_PARAMETERS_ERROR)
        return super().on_hci_le_set_advertising_parameters_command(command)

    def on_hci_le_set_random_address_command(
        self, command: hci.HCI_LE_Set_Random_Address_Command
    ) -> hci.HCI_StatusReturnParameters:
        if self.le_legacy_advertiser.enabled or self.le_scan_enable or self.pending_le_connection is not None:
            return hci.HCI_StatusReturnParameters(Error.COMMAND_DISALLOWED_ERROR)
        return super().on_hci_le_set_random_address_command(command)

    def on_hci_le_set_advertising_enable_command(
        self, command: hci.HCI_LE_Set_Advertising_Enable_Command
    ) -> hci.HCI_StatusReturnParameters:
        if command.advertising_enable:
            if len(self.le_connections) >= self.kind.link_limit:
                return hci.HCI_StatusReturnParameters(Error.CONNECTION_LIMIT_EXCEEDED_ERROR)
            if not self._may_advertise():
                return hci.HCI_StatusReturnParameters(Error.COMMAND_DISALLOWED_ERROR)
        return super().on_hci_le_set_advertising_enable_command(command)

    def on_hci_le_set_scan_enable_command(
        self, command: hci.HCI_LE_Set_Scan_Enable_Command
    ) -> hci.HCI_StatusReturnParameters:
        if command.le_scan_enable and self.le_legacy_advertiser.enabled and not self._can_scan_and_advertise():
            return hci.HCI_StatusReturnParameters(Error.COMMAND_DISALLOWED_ERROR)
        return super().on_hci_le_set_scan_enable_command(command)

    def on_hci_le_create_connection_command(self, command: hci.HCI_LE_Create_Connection_Command) -> None:
        if self.le_legacy_advertiser.enabled and State.CONNECTABLE_AND_INITIATING not in self.kind.states:
            self._send_hci_command_status(Error.COMMAND_DISALLOWED_ERROR, command.op_code)
            return
        super().on_hci_le_create_connection_command(command)

    def _can_scan_and_advertise(self) -> bool:
        is_active = self.le_scan_type == ACTIVE_SCANNING
        wanted = State.CONNECTABLE_AND_ACTIVE if is_active else State.CONNECTABLE_AND_PASSIVE
        return wanted in self.kind.states

    def _may_advertise(self) -> bool:
        """Whether the kind can advertise so that it can be connected to, beside all else that it does."""
        if self.le_scan_enable and not self._can_scan_and_advertise():
            return False
        wanted = State.CONNECTABLE
        if self.pending_le_connection is not None:
            wanted |= State.CONNECTABLE_AND_INITIATING
        for link in self.le_connections.values():
            is_central = link.role == hci.Role.CENTRAL
            wanted |= State.CONNECTABLE_AND_CENTRAL if is_central else State.CONNECTABLE_AND_PERIPHERAL
        return wanted in self.kind.states

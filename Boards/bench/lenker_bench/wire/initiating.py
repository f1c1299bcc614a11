"""How a central's links come about: LE Create Connection, its accept list, and what a chip cannot do at a time.

Core Specification, Vol 4, Part E, 7.8.10 to 7.8.17 and 7.8.27.
"""

import asyncio
from collections.abc import Callable

from bumble import controller, hci

from .advertising import ACCEPT_LIST, ACTIVE_SCANNING, CONNECTABLE, Advertisement, is_window_open
from .chip_kinds import ChipKind, LinkRefusal, State
from .parameters import Parameters

Error = hci.HCI_ErrorCode

SHORTEST_WINDOW, LONGEST_INTERVAL = 0x0004, 0x4000  # units of 0.625 ms; 7.8.10 and 7.8.12


class Initiating(controller.Controller):
    """A controller that connects to one peer, or to whom it hears first of a list, as long as it has room."""

    kind: ChipKind
    complain: Callable[[str], None]

    def forget_initiating(self) -> None:
        """Nothing is connected to, and nobody is on the list: as at power-on."""
        self.pending_le_connection = None
        self._initiating_since = 0.0
        self._accept_list: set[hci.Address] = set()

    def is_waiting_for(self, advertisement: Advertisement) -> bool:
        """Whether the advertiser is to be connected to, is heard at this moment, and takes the link."""
        pending = self.pending_le_connection
        if pending is None or advertisement.kind not in CONNECTABLE:
            return False
        address = advertisement.advertiser_address
        if pending.initiator_filter_policy == ACCEPT_LIST:
            # One that is connected does not advertise, but a copy of it may.
            is_wanted = address in self._accept_list and address not in self.le_connections
        else:
            is_wanted = address == pending.peer_address
        elapsed = asyncio.get_running_loop().time() - self._initiating_since
        is_heard = is_wanted and is_window_open(elapsed, pending.le_scan_interval, pending.le_scan_window)
        return is_heard and advertisement.accepts_link()

    def is_accepted(self, address: hci.Address) -> bool:
        """Whether it is on the accept list."""
        return address in self._accept_list

    def on_hci_le_create_connection_command(self, command: hci.HCI_LE_Create_Connection_Command) -> None:
        status = self._refusal_of(command)
        if status != Error.SUCCESS:
            self._send_hci_command_status(status, command.op_code)
            return
        self._initiating_since = asyncio.get_running_loop().time()
        super().on_hci_le_create_connection_command(command)
        if self._is_full:
            self.pending_le_connection = None
            self._complete_in_vain(command, Error.CONNECTION_LIMIT_EXCEEDED_ERROR)

    def _refusal_of(self, command: hci.HCI_LE_Create_Connection_Command) -> int:
        """The status of an attempt that does not begin."""
        wanted = Parameters(
            command.connection_interval_min,
            command.connection_interval_max,
            command.max_latency,
            command.supervision_timeout,
        )
        if not wanted.are_valid:
            self.complain(f"connection parameters that do not fit together: {wanted}")
            return Error.INVALID_COMMAND_PARAMETERS_ERROR
        if not self._can_listen(command.le_scan_interval, command.le_scan_window):
            return Error.INVALID_COMMAND_PARAMETERS_ERROR
        if self.pending_le_connection is not None:
            return Error.COMMAND_DISALLOWED_ERROR
        if self.le_scan_enable and not self._can(State.INITIATING_AND_ACTIVE, State.INITIATING_AND_PASSIVE):
            return Error.COMMAND_DISALLOWED_ERROR
        if self._is_central and State.INITIATING_AND_CENTRAL not in self.kind.states:
            return Error.COMMAND_DISALLOWED_ERROR
        if self._is_peripheral and State.INITIATING_AND_PERIPHERAL not in self.kind.states:
            return Error.COMMAND_DISALLOWED_ERROR
        is_directed = command.initiator_filter_policy != ACCEPT_LIST
        if is_directed and command.peer_address in self.le_connections:
            return Error.CONNECTION_ALREADY_EXISTS_ERROR
        if self._is_full and self.kind.link_refusal == LinkRefusal.COMMAND_STATUS:
            return Error.CONNECTION_REJECTED_DUE_TO_LIMITED_RESOURCES_ERROR
        return Error.SUCCESS

    @property
    def _is_full(self) -> bool:
        return len(self.le_connections) >= self.kind.link_limit

    @property
    def _is_central(self) -> bool:
        return any(link.role == hci.Role.CENTRAL for link in self.le_connections.values())

    @property
    def _is_peripheral(self) -> bool:
        return any(link.role == hci.Role.PERIPHERAL for link in self.le_connections.values())

    def _can(self, active: State, passive: State) -> bool:
        """Whether the states go together, by how it scans."""
        return (active if self.le_scan_type == ACTIVE_SCANNING else passive) in self.kind.states

    def _may_scan(self) -> bool:
        if self.pending_le_connection is not None:
            return self._can(State.INITIATING_AND_ACTIVE, State.INITIATING_AND_PASSIVE)
        if self._is_peripheral and not self._can(State.ACTIVE_AND_PERIPHERAL, State.PASSIVE_AND_PERIPHERAL):
            return False
        return not self._is_central or self._can(State.ACTIVE_AND_CENTRAL, State.PASSIVE_AND_CENTRAL)

    def _can_listen(self, interval: int, window: int) -> bool:
        """Whether the specification allows this interval and window; else there is a complaint."""
        is_right = SHORTEST_WINDOW <= window <= interval <= LONGEST_INTERVAL
        if not is_right:
            self.complain(f"a scan window of {window * 0.625:g} ms in an interval of {interval * 0.625:g} ms")
        return is_right

    def on_hci_le_set_scan_parameters_command(
        self, command: hci.HCI_LE_Set_Scan_Parameters_Command
    ) -> hci.HCI_StatusReturnParameters:
        if not self._can_listen(command.le_scan_interval, command.le_scan_window):
            return hci.HCI_StatusReturnParameters(Error.INVALID_COMMAND_PARAMETERS_ERROR)
        return super().on_hci_le_set_scan_parameters_command(command)

    def on_hci_le_set_scan_enable_command(
        self, command: hci.HCI_LE_Set_Scan_Enable_Command
    ) -> hci.HCI_StatusReturnParameters:
        if command.le_scan_enable and not self._may_scan():
            return hci.HCI_StatusReturnParameters(Error.COMMAND_DISALLOWED_ERROR)
        return super().on_hci_le_set_scan_enable_command(command)

    def on_hci_le_create_connection_cancel_command(
        self, command: hci.HCI_LE_Create_Connection_Cancel_Command
    ) -> hci.HCI_StatusReturnParameters:
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is None:
            return hci.HCI_StatusReturnParameters(Error.COMMAND_DISALLOWED_ERROR)
        self._complete_in_vain(pending, Error.UNKNOWN_CONNECTION_IDENTIFIER_ERROR)
        return hci.HCI_StatusReturnParameters(Error.SUCCESS)

    def _complete_in_vain(
        self, command: hci.HCI_LE_Create_Connection_Command, status: int, peer: hci.Address | None = None
    ) -> None:
        """Ends an attempt without a link; the event follows the answer to the command (7.8.13)."""
        peer = command.peer_address if peer is None else peer
        asyncio.get_running_loop().call_soon(
            self.send_hci_packet,
            hci.HCI_LE_Connection_Complete_Event(
                status=status,
                connection_handle=0,
                role=hci.Role.CENTRAL,
                peer_address_type=peer.address_type,
                peer_address=peer,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            ),
        )

    # The accept list

    def _change_list(self) -> hci.HCI_StatusReturnParameters | None:
        """What is answered while the list is in use, as it may not be changed then (7.8.15 to 7.8.17)."""
        pending = self.pending_le_connection
        if pending is not None and pending.initiator_filter_policy == ACCEPT_LIST:
            return hci.HCI_StatusReturnParameters(Error.COMMAND_DISALLOWED_ERROR)
        return None

    def on_hci_le_clear_filter_accept_list_command(
        self, command: hci.HCI_LE_Clear_Filter_Accept_List_Command
    ) -> hci.HCI_StatusReturnParameters:
        if refusal := self._change_list():
            return refusal
        self._accept_list.clear()
        return hci.HCI_StatusReturnParameters(Error.SUCCESS)

    def on_hci_le_add_device_to_filter_accept_list_command(
        self, command: hci.HCI_LE_Add_Device_To_Filter_Accept_List_Command
    ) -> hci.HCI_StatusReturnParameters:
        if refusal := self._change_list():
            return refusal
        if command.address not in self._accept_list and len(self._accept_list) == self.kind.accept_list_size:
            return hci.HCI_StatusReturnParameters(Error.MEMORY_CAPACITY_EXCEEDED_ERROR)
        self._accept_list.add(command.address)
        return hci.HCI_StatusReturnParameters(Error.SUCCESS)

    def on_hci_le_remove_device_from_filter_accept_list_command(
        self, command: hci.HCI_LE_Remove_Device_From_Filter_Accept_List_Command
    ) -> hci.HCI_StatusReturnParameters:
        if refusal := self._change_list():
            return refusal
        self._accept_list.discard(command.address)
        return hci.HCI_StatusReturnParameters(Error.SUCCESS)

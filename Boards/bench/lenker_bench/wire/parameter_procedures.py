"""How either end of a link changes its connection parameters.

Core Specification, Vol 6, Part B, 5.1.1 (update) and 5.1.7 (request); Vol 4, Part E, 7.8.18, 7.8.31 and 7.8.32.
"""

import asyncio
from collections.abc import Callable

from bumble import controller, hci, ll

from .air import Air
from .parameters import ConnectionParamReq, Parameters

Error = hci.HCI_ErrorCode


class ParameterProcedures(controller.Controller):
    """A controller whose links change their parameters, as the central decides or the peripheral asks.

    Each of its links has a field `wanted_by_peer`.
    """

    complain: Callable[[str], None]
    air: Air

    def on_hci_le_connection_update_command(self, command: hci.HCI_LE_Connection_Update_Command) -> None:
        wanted = Parameters(
            command.connection_interval_min,
            command.connection_interval_max,
            command.max_latency,
            command.supervision_timeout,
        )
        link = self.find_le_connection_by_handle(command.connection_handle)
        if link is None:
            self._send_hci_command_status(Error.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, command.op_code)
        elif not wanted.are_valid:
            self.complain(f"connection parameters that do not fit together: {wanted}")
            self._send_hci_command_status(Error.INVALID_COMMAND_PARAMETERS_ERROR, command.op_code)
        else:
            self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
            if link.role == hci.Role.CENTRAL:
                self._update_parameters(link, wanted)
            else:
                link.send_ll_control_pdu(ConnectionParamReq(wanted))

    def on_hci_le_remote_connection_parameter_request_reply_command(
        self, command: hci.HCI_LE_Remote_Connection_Parameter_Request_Reply_Command
    ) -> hci.HCI_StatusAndConnectionHandleReturnParameters:
        wanted = Parameters(command.interval_min, command.interval_max, command.max_latency, command.timeout)
        link = self._answered_request(command.connection_handle)
        if link is None:
            status = Error.COMMAND_DISALLOWED_ERROR
        elif not wanted.are_valid:
            self.complain(f"connection parameters that do not fit together: {wanted}")
            status = Error.INVALID_COMMAND_PARAMETERS_ERROR
        else:
            # The event follows the answer to the command.
            asyncio.get_running_loop().call_soon(self._update_parameters, link, wanted)
            status = Error.SUCCESS
        return hci.HCI_StatusAndConnectionHandleReturnParameters(status, command.connection_handle)

    def on_hci_le_remote_connection_parameter_request_negative_reply_command(
        self, command: hci.HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply_Command
    ) -> hci.HCI_StatusAndConnectionHandleReturnParameters:
        link = self._answered_request(command.connection_handle)
        if link is not None:
            link.send_ll_control_pdu(ll.RejectExtInd(ConnectionParamReq.opcode, command.reason))
        status = Error.COMMAND_DISALLOWED_ERROR if link is None else Error.SUCCESS
        return hci.HCI_StatusAndConnectionHandleReturnParameters(status, command.connection_handle)

    def on_ll_control_pdu(self, sender_address: hci.Address, packet: ll.ControlPdu) -> None:
        link = self.le_connections.get(sender_address)
        match packet:
            case ConnectionParamReq() if link is not None:
                self._receive_request(link, packet.parameters)
            case ll.RejectExtInd(reject_opcode=ConnectionParamReq.opcode) if link is not None:
                self.send_update_complete(link, 0, 0, 0, status=packet.error_code)
            case _:
                super().on_ll_control_pdu(sender_address, packet)

    def _receive_request(self, link: controller.Connection, wanted: Parameters) -> None:
        event = hci.HCI_LE_Remote_Connection_Parameter_Request_Event(
            connection_handle=link.handle,
            interval_min=wanted.interval_min,
            interval_max=wanted.interval_max,
            max_latency=wanted.latency,
            timeout=wanted.timeout,
        )
        if not self.passes_mask(event):
            # A host that does not want to hear of it cannot answer (Vol 6, Part B, 5.1.7).
            link.send_ll_control_pdu(ll.RejectExtInd(ConnectionParamReq.opcode, Error.UNSUPPORTED_REMOTE_FEATURE_ERROR))
            return
        link.wanted_by_peer = wanted
        self.send_hci_packet(event)

    def _answered_request(self, handle: int) -> controller.Connection | None:
        """The link whose request is being answered; none, and a complaint, if there was no request."""
        link = self.find_le_connection_by_handle(handle)
        if link is None or link.wanted_by_peer is None:
            if link is not None:
                self.complain("an answer to a request for connection parameters that nobody made")
            return None
        link.wanted_by_peer = None
        return link

    def _update_parameters(self, link: controller.Connection, wanted: Parameters) -> None:
        self.air.update(link, wanted.interval_max, wanted.latency, wanted.timeout)

    def send_update_complete(
        self, link: controller.Connection, interval: int, latency: int, timeout: int, status: int = Error.SUCCESS
    ) -> None:
        """Tells the host that these parameters hold, or why others do not."""
        self.send_hci_packet(
            hci.HCI_LE_Connection_Update_Complete_Event(
                status=status,
                connection_handle=link.handle,
                connection_interval=interval,
                peripheral_latency=latency,
                supervision_timeout=timeout,
            )
        )

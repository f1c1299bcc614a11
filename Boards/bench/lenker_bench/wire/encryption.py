"""Encryption of a link: the central starts it, the peripheral's host gives the key, and both hosts are told.

Core Specification, Vol 6, Part B, 5.1.3.1 (start, and what data wait for) and 5.2 (procedure response timeout); Vol 4,
Part E, 7.8.24 to 7.8.26. Bumble's controller compares the two keys; the rest of what a host can get wrong is added
here: who may start it and when, a masked event, a link that is encrypted already, and a peripheral that never answers.
"""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bumble import controller, hci, ll

if TYPE_CHECKING:
    from .air import Air

Error = hci.HCI_ErrorCode

RESPONSE_TIMEOUT = 40.0  # seconds; Vol 6, Part B, 5.2


@dataclass
class StartEncReq(ll.ControlPdu):
    """LL_START_ENC_REQ, which Bumble does not have."""

    opcode = ll.ControlPdu.Opcode.LL_START_ENC_REQ


class EncryptionProcedures(controller.Controller):
    """A controller whose links can be encrypted.

    Each of its links has the fields `is_encrypted` and `encrypting`, the timer of a procedure that is under way.
    """

    air: "Air"

    def on_hci_le_enable_encryption_command(self, command: hci.HCI_LE_Enable_Encryption_Command) -> None:
        link = self.find_le_connection_by_handle(command.connection_handle)
        if link is None:
            self._send_hci_command_status(Error.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, command.op_code)
        elif link.role != hci.Role.CENTRAL or link.encrypting is not None:
            self._send_hci_command_status(Error.COMMAND_DISALLOWED_ERROR, command.op_code)
        else:
            self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
            link.encrypting = asyncio.get_running_loop().call_later(
                RESPONSE_TIMEOUT, self._end, link, Error.LMP_OR_LL_RESPONSE_TIMEOUT_ERROR
            )
            link.send_ll_control_pdu(
                ll.EncReq(command.random_number, command.encrypted_diversifier, command.long_term_key)
            )
            link.hold_data()

    def on_le_encryption_request(self, connection: controller.Connection, packet: ll.EncReq) -> None:
        connection.hold_data()
        event = hci.HCI_LE_Long_Term_Key_Request_Event(
            connection_handle=connection.handle,
            random_number=packet.rand,
            encryption_diversifier=packet.ediv,
        )
        if self.passes_mask(event):
            connection.encryption_request = packet
            self.send_hci_packet(event)
        else:
            # A host that does not want to hear of it has no key.
            self.on_le_long_term_key_reply(connection, packet, None)

    def on_le_long_term_key_reply(
        self, connection: controller.Connection, request: ll.EncReq, long_term_key: bytes | None
    ) -> None:
        if not connection.is_there:
            return
        if long_term_key is None and connection.is_encrypted:
            # There is no way back to what was before.
            self._end(connection, Error.PIN_OR_KEY_MISSING_ERROR)
        elif long_term_key == request.ltk:
            # LL_ENC_RSP needs no turn of its own: it goes in the same event.
            connection.send_ll_control_pdu(StartEncReq())
        else:
            super().on_le_long_term_key_reply(connection, request, long_term_key)
            connection.release_data()

    def on_ll_control_pdu(self, sender_address: hci.Address, packet: ll.ControlPdu) -> None:
        link = self.le_connections.get(sender_address)
        match packet:
            case StartEncReq() if link is not None:
                link.send_ll_control_pdu(ll.StartEncRsp())
            case ll.StartEncRsp() if link is not None and link.role == hci.Role.PERIPHERAL:
                link.send_ll_control_pdu(ll.StartEncRsp())
                self.on_le_encryption_change(link, Error.SUCCESS)
            case _:
                super().on_ll_control_pdu(sender_address, packet)

    def on_le_encryption_change(self, connection: controller.Connection, status: int) -> None:
        if connection.encrypting is not None:
            connection.encrypting.cancel()
            connection.encrypting = None
        connection.release_data()
        is_refresh = connection.is_encrypted and status == Error.SUCCESS
        connection.is_encrypted |= status == Error.SUCCESS
        if is_refresh:
            self.send_hci_packet(
                hci.HCI_Encryption_Key_Refresh_Complete_Event(status=status, connection_handle=connection.handle)
            )
        else:
            super().on_le_encryption_change(connection, status)

    def _end(self, link: controller.Connection, reason: int) -> None:
        """Both ends lose the link for this reason, if it is still there."""
        if link.is_there:
            self.air.terminate(link, reason, reason)

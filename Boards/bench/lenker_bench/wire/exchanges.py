"""What the controllers of a link tell each other when a host asks: their versions, and how long a packet may be.

Core Specification, Vol 6, Part B, 5.1.5 (version) and 5.1.9 (data length); Vol 4, Part E, 7.1.23 and 7.8.33.
"""

import asyncio
from dataclasses import dataclass

from bumble import controller, hci, ll

from .chip_kinds import LONGEST_PAYLOAD, SHORTEST_PAYLOAD, ChipKind

Error = hci.HCI_ErrorCode

OVERHEAD = 14  # bytes of preamble, access address, header, integrity check and CRC
BYTE_TIME = 8  # microseconds


@dataclass
class VersionInd(ll.ControlPdu):
    """LL_VERSION_IND, which Bumble does not have."""

    opcode = ll.ControlPdu.Opcode.LL_VERSION_IND

    version: int
    manufacturer: int
    subversion: int


@dataclass
class LengthReq(ll.ControlPdu):
    """LL_LENGTH_REQ, which Bumble does not have; both directions are given the same length."""

    opcode = ll.ControlPdu.Opcode.LL_LENGTH_REQ

    payload: int


@dataclass
class LengthRsp(ll.ControlPdu):
    """LL_LENGTH_RSP, which Bumble does not have."""

    opcode = ll.ControlPdu.Opcode.LL_LENGTH_RSP

    payload: int


class Exchanges(controller.Controller):
    """A controller that answers such questions, and asks them for its host.

    Each of its links has the fields `payload`, `told_version`, `peer_version` and `waits_for_version`.
    """

    kind: ChipKind

    def on_hci_read_remote_version_information_command(
        self, command: hci.HCI_Read_Remote_Version_Information_Command
    ) -> None:
        link = self.find_le_connection_by_handle(command.connection_handle)
        if link is None:
            self._send_hci_command_status(Error.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, command.op_code)
            return
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        link.waits_for_version = True
        if not link.told_version:
            self._tell_version(link)
        # Once on a link is enough: Vol 6, Part B, 5.1.5.
        self._answer_version(link)

    def on_hci_le_set_data_length_command(
        self, command: hci.HCI_LE_Set_Data_Length_Command
    ) -> hci.HCI_StatusAndConnectionHandleReturnParameters:
        link = self.find_le_connection_by_handle(command.connection_handle)
        if link is None:
            status = Error.UNKNOWN_CONNECTION_IDENTIFIER_ERROR
        elif not SHORTEST_PAYLOAD <= command.tx_octets <= LONGEST_PAYLOAD:
            status = Error.INVALID_COMMAND_PARAMETERS_ERROR
        else:
            # What follows from it follows the answer to the command.
            asyncio.get_running_loop().call_soon(link.send_ll_control_pdu, LengthReq(command.tx_octets))
            status = Error.SUCCESS
        return hci.HCI_StatusAndConnectionHandleReturnParameters(status, command.connection_handle)

    def on_ll_control_pdu(self, sender_address: hci.Address, packet: ll.ControlPdu) -> None:
        link = self.le_connections.get(sender_address)
        match packet:
            case VersionInd() if link is not None:
                self._receive_version(link, packet)
            case LengthReq(payload) if link is not None:
                if hci.LeFeatureMask.LE_DATA_PACKET_LENGTH_EXTENSION in self.kind.le_features:
                    link.send_ll_control_pdu(LengthRsp(payload))
                    self._change_length(link, payload)
            case LengthRsp(payload) if link is not None:
                self._change_length(link, payload)
            case _:
                super().on_ll_control_pdu(sender_address, packet)

    def _tell_version(self, link: controller.Connection) -> None:
        link.told_version = True
        link.send_ll_control_pdu(VersionInd(self.kind.version, self.kind.manufacturer, self.kind.lmp_subversion))

    def _receive_version(self, link: controller.Connection, packet: VersionInd) -> None:
        link.peer_version = packet
        if not link.told_version:
            self._tell_version(link)
        self._answer_version(link)

    def _answer_version(self, link: controller.Connection) -> None:
        """Tells the host what it asked for, if it is known."""
        known = link.peer_version
        if not link.waits_for_version or known is None:
            return
        link.waits_for_version = False
        self.send_hci_packet(
            hci.HCI_Read_Remote_Version_Information_Complete_Event(
                status=Error.SUCCESS,
                connection_handle=link.handle,
                version=known.version,
                manufacturer_name=known.manufacturer,
                subversion=known.subversion,
            )
        )

    def _change_length(self, link: controller.Connection, payload: int) -> None:
        link.payload = payload
        time = (payload + OVERHEAD) * BYTE_TIME
        self.send_hci_packet(
            hci.HCI_LE_Data_Length_Change_Event(
                connection_handle=link.handle,
                max_tx_octets=payload,
                max_tx_time=time,
                max_rx_octets=payload,
                max_rx_time=time,
            )
        )

"""A virtual controller that behaves like a real one, by default the Pi Zero W's radio (BCM43430A1, Bluetooth 4.1).

Bumble's controller is made for Bumble's own host. What a firmware can get wrong with a real chip is added here:
Reset clears everything, masked events stay away, connecting can be cancelled and lost, packets have the size and
number that the chip's buffers allow, and a command that the chip does not know is answered.
"""

import asyncio
import random
import struct
from collections.abc import Callable

from bumble import controller, crypto, hci, ll
from bumble.core import PhysicalTransport
from bumble.transport.common import TransportSink

from .advertising import Advertisement, Advertiser, ControllersAdvertisement, Scanner
from .advertising_procedures import AdvertisingProcedures
from .air import Air
from .chip_kinds import BCM43430A1, BREDR_ANSWERS, DEFAULT_EVENT_MASK, DEFAULT_LE_EVENT_MASK, ChipKind
from .encryption import EncryptionProcedures
from .exchanges import Exchanges
from .initiating import Initiating
from .link import Link
from .parameter_procedures import ParameterProcedures

Error = hci.HCI_ErrorCode

EXTENDED_FEATURES = hci.LmpFeatureMask.EXTENDED_FEATURES
STATES_SIZE = 8  # Vol 4, Part E, 7.8.27
LMP_PAGES = 2  # the highest page of features; no log has those after the first
UNMASKABLE_EVENTS = {
    hci.HCI_COMMAND_COMPLETE_EVENT,
    hci.HCI_COMMAND_STATUS_EVENT,
    hci.HCI_NUMBER_OF_COMPLETED_PACKETS_EVENT,
}


class Chip(AdvertisingProcedures, Initiating, ParameterProcedures, EncryptionProcedures, Exchanges):
    """`on_complaint` is told what a host does against the specification; `signal_strength` is in dBm."""

    signal_strength = -60

    def __init__(
        self,
        name: str,
        air: Air,
        address: str,
        random_source: random.Random,
        on_complaint: Callable[[str], None] | None = None,
        kind: ChipKind = BCM43430A1,
    ) -> None:
        super().__init__(name, link=air, public_address=hci.Address(address, hci.Address.PUBLIC_DEVICE_ADDRESS))
        self.air = air
        self._become(kind)
        self.complain = on_complaint or (lambda message: None)
        self.le_legacy_advertiser = Advertiser(self, random_source)
        self.scanner = Scanner(self, random_source)
        self.power_cycle()

    def _become(self, kind: ChipKind) -> None:
        self.kind = kind
        self.hci_version = self.lmp_version = kind.version
        self.hci_revision, self.lmp_subversion = kind.hci_revision, kind.lmp_subversion
        self.manufacturer_company_identifier = kind.manufacturer
        self.le_features = kind.le_features
        self.le_states = kind.states.to_bytes(STATES_SIZE, "little")
        self.filter_accept_list_size = kind.accept_list_size
        self.le_acl_data_packet_length, self.total_num_le_acl_data_packets = kind.le.size, kind.le.count
        self.supported_max_tx_octets = self.supported_max_rx_octets = kind.data_buffers.size

    # From and to the host

    def on_packet(self, packet: bytes) -> None:
        if packet[0] == hci.HCI_COMMAND_PACKET and len(packet) >= 4:
            opcode = struct.unpack_from("<H", packet, 1)[0]
            if opcode == hci.HCI_LE_ENCRYPT_COMMAND:
                self._encrypt(packet[4:])
                return
            if not self.kind.supports(opcode):
                self._send_hci_command_status(Error.UNKNOWN_HCI_COMMAND_ERROR, opcode)
                return
            if opcode in BREDR_ANSWERS:
                self._complete(opcode, BREDR_ANSWERS[opcode])
                return
            try:
                command = hci.HCI_Packet.from_bytes(packet)
            except Exception:  # Bumble's parser has no error type of its own for a short command
                self.complain(f"command that does not parse: {packet.hex()}")
                self._send_hci_command_status(Error.INVALID_COMMAND_PARAMETERS_ERROR, opcode)
                return
            if not hasattr(self, f"on_{command.name.lower()}"):
                self.complain(f"{command.name}, which a real chip would do, and the bench's cannot")
                self._send_hci_command_status(Error.COMMAND_DISALLOWED_ERROR, opcode)
                return
            self.on_hci_packet(command)
        else:
            super().on_packet(packet)

    def on_hci_acl_data_packet(self, packet: hci.HCI_AclDataPacket) -> None:
        # A host may still be sending when the link is lost, so an unknown handle is no fault.
        link = self.find_le_connection_by_handle(packet.connection_handle)
        if link is not None:
            link.on_hci_acl_data_packet(packet)

    def send_hci_packet(self, packet: hci.HCI_Packet) -> None:
        if isinstance(packet, hci.HCI_Event) and not self.passes_mask(packet):
            return
        if self.hci_sink is not None:
            asyncio.get_running_loop().call_soon(self._hand_over, self.hci_sink, bytes(packet))

    def _hand_over(self, sink: TransportSink, packet: bytes) -> None:
        # What was on its way to a host that has gone must not reach the next one.
        if sink is self.hci_sink:
            sink.on_packet(packet)

    def passes_mask(self, event: hci.HCI_Event) -> bool:
        """Whether the host wants to hear of it."""
        if event.event_code in UNMASKABLE_EVENTS:
            return True
        if not self.event_mask >> (event.event_code - 1) & 1:
            return False
        if event.event_code == hci.HCI_LE_META_EVENT:
            return bool(self.le_event_mask >> (event.parameters[0] - 1) & 1)
        return True

    # What it is

    def on_hci_read_local_supported_commands_command(
        self, command: hci.HCI_Read_Local_Supported_Commands_Command
    ) -> hci.HCI_Read_Local_Supported_Commands_ReturnParameters:
        return hci.HCI_Read_Local_Supported_Commands_ReturnParameters(Error.SUCCESS, self.kind.commands)

    def on_hci_read_buffer_size_command(
        self, command: hci.HCI_Read_Buffer_Size_Command
    ) -> hci.HCI_Read_Buffer_Size_ReturnParameters:
        return hci.HCI_Read_Buffer_Size_ReturnParameters(
            status=Error.SUCCESS,
            hc_acl_data_packet_length=self.kind.acl.size,
            hc_synchronous_data_packet_length=self.kind.synchronous.size,
            hc_total_num_acl_data_packets=self.kind.acl.count,
            hc_total_num_synchronous_data_packets=self.kind.synchronous.count,
        )

    # Reset and loss

    def power_cycle(self) -> None:
        """Resets everything as at power-on; a connected peer sees a supervision timeout."""
        for link in list(self.le_connections.values()):
            end = self.air.other_end(link)
            if end is not None:
                end.controller.on_le_disconnected(end, Error.CONNECTION_TIMEOUT_ERROR)
        self.le_connections.clear()
        self.le_legacy_advertiser.stop()
        self.le_scan_enable = False
        self.le_scan_type, self.le_scan_interval, self.le_scan_window = 0, 0x10, 0x10
        self.le_scanning_filter_policy = 0
        self.filter_duplicates = False
        self.forget_initiating()
        self._random_address = hci.Address.ANY_RANDOM
        self.event_mask, self.le_event_mask = DEFAULT_EVENT_MASK, DEFAULT_LE_EVENT_MASK
        self.local_name = self.kind.local_name
        self.lmp_features = hci.LmpFeatureMask(int.from_bytes(self.kind.lmp_features, "little"))
        self.lmp_features_max_page_number = LMP_PAGES if self.lmp_features & EXTENDED_FEATURES else 0

    def silence(self) -> None:
        """Advertises no longer, at once."""
        self.le_legacy_advertiser.stop()

    def leave(self) -> None:
        """Is taken off the air for good."""
        self.power_cycle()
        if self in self.air.controllers:
            self.air.remove_controller(self)

    def lose_link(self, link: controller.Connection, reason: int = Error.CONNECTION_TIMEOUT_ERROR) -> None:
        """The link ends on both sides, without another reason as by supervision timeout."""
        for end in (self.air.other_end(link), link):
            if end is not None:
                end.controller.on_le_disconnected(end, reason)

    def on_hci_reset_command(self, command: hci.HCI_Reset_Command) -> hci.HCI_StatusReturnParameters:
        self.power_cycle()
        return super().on_hci_reset_command(command)

    # Scanning and connecting

    def on_ll_advertising_pdu(self, packet: ll.AdvertisingPdu) -> None:
        if not isinstance(packet, Advertisement):
            return
        self.scanner.receive(packet)
        if self.is_waiting_for(packet):
            self._connect(packet)

    def _connect(self, advertisement: ControllersAdvertisement) -> None:
        command, self.pending_le_connection = self.pending_le_connection, None
        if advertisement.advertiser_address in self.le_connections:
            # One link between two addresses is all that there can be (Vol 6, Part B, 1.1).
            self._complete_in_vain(command, Error.CONNECTION_ALREADY_EXISTS_ERROR, advertisement.advertiser_address)
            return
        advertiser = advertisement.advertiser
        is_public = command.own_address_type == hci.OwnAddressType.PUBLIC
        own_address = self.public_address if is_public else self.random_address
        advertiser.stop()
        peer, peer_address = advertiser.controller, advertisement.advertiser_address
        central = self._add_link(hci.Role.CENTRAL, own_address, peer_address, command)
        peripheral = peer._add_link(hci.Role.PERIPHERAL, peer_address, own_address, command)
        self.air.join(central, peripheral, command.connection_interval_max, command.max_latency)

    def _add_link(
        self,
        role: hci.Role,
        own_address: hci.Address,
        peer_address: hci.Address,
        command: hci.HCI_LE_Create_Connection_Command,
    ) -> Link:
        link = Link(
            controller=self,
            handle=self.allocate_connection_handle(),
            role=role,
            self_address=own_address,
            peer_address=peer_address,
            link=self.air,
            transport=PhysicalTransport.LE,
            link_type=hci.HCI_Connection_Complete_Event.LinkType.ACL,
        )
        self.le_connections[peer_address] = link
        self._send_connection_complete(link, command)
        return link

    def _send_connection_complete(
        self, link: controller.Connection, command: hci.HCI_LE_Create_Connection_Command, status: int = Error.SUCCESS
    ) -> None:
        self.send_hci_packet(
            hci.HCI_LE_Connection_Complete_Event(
                status=status,
                connection_handle=link.handle,
                role=link.role,
                peer_address_type=link.peer_address.address_type,
                peer_address=link.peer_address,
                connection_interval=command.connection_interval_max,
                peripheral_latency=command.max_latency,
                supervision_timeout=command.supervision_timeout,
                central_clock_accuracy=0,
            )
        )

    def on_hci_le_set_scan_enable_command(
        self, command: hci.HCI_LE_Set_Scan_Enable_Command
    ) -> hci.HCI_StatusReturnParameters:
        self.scanner.restart()
        return super().on_hci_le_set_scan_enable_command(command)

    # Links

    def on_hci_disconnect_command(self, command: hci.HCI_Disconnect_Command) -> None:
        link = self.find_le_connection_by_handle(command.connection_handle)
        if link is None:
            self._send_hci_command_status(Error.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, command.op_code)
            return
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        self.air.terminate(link, command.reason, Error.CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR)

    def on_hci_read_rssi_command(self, command: hci.HCI_Read_RSSI_Command) -> hci.HCI_Read_RSSI_ReturnParameters:
        link = self.find_le_connection_by_handle(command.handle)
        end = self.air.other_end(link) if link else None
        return hci.HCI_Read_RSSI_ReturnParameters(
            status=Error.SUCCESS if end else Error.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
            handle=command.handle,
            rssi=end.controller.signal_strength if end else 0,
        )

    def on_hci_le_set_phy_command(self, command: hci.HCI_LE_Set_PHY_Command) -> None:
        """Says that the faster PHY holds; links know of no PHY."""
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        self.send_hci_packet(
            hci.HCI_LE_PHY_Update_Complete_Event(
                status=Error.SUCCESS, connection_handle=command.connection_handle, tx_phy=2, rx_phy=2
            )
        )

    def hand_up(self, link: Link, data: bytes, is_first: bool) -> None:
        """Hands data of a link to the host, in packets that fit the buffers."""
        size = self.kind.data_buffers.size
        for offset in range(0, len(data), size):
            part = data[offset : offset + size]
            starts = is_first and offset == 0
            flag = hci.HCI_ACL_PB_FIRST_FLUSHABLE if starts else hci.HCI_ACL_PB_CONTINUATION
            self.send_hci_packet(hci.HCI_AclDataPacket(link.handle, flag, 0, len(part), part))

    def _encrypt(self, parameters: bytes) -> None:
        """LE Encrypt (Vol 4, Part E, 7.8.22): key and block, least significant byte first."""
        if len(parameters) != 32:
            self._send_hci_command_status(Error.INVALID_COMMAND_PARAMETERS_ERROR, hci.HCI_LE_ENCRYPT_COMMAND)
            return
        self._complete(hci.HCI_LE_ENCRYPT_COMMAND, crypto.e(parameters[:16], parameters[16:]))

    def _complete(self, opcode: int, answer: bytes) -> None:
        """Command Complete with Success and these return parameters."""
        parameters = struct.pack("<BHB", 1, opcode, Error.SUCCESS) + answer
        self.send_hci_packet(hci.HCI_Event(parameters, event_code=hci.HCI_COMMAND_COMPLETE_EVENT))

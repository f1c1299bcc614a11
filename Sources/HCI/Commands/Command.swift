package import Bytes

/// What the host asks of the controller.
///
/// Core Specification, Vol 4, Part E, 7.
package enum Command: Equatable, Sendable {
  /// Ends a connection (7.1.6).
  case disconnect(handle: UInt16, reason: ErrorCode)
  /// Chooses the events that the controller sends (7.3.1).
  case setEventMask(UInt64)
  /// Puts the controller into its initial state (7.3.2).
  case reset
  /// Tells a dual-mode controller that its host speaks LE (7.3.79).
  case writeLEHostSupport
  /// Asks for HCI version and manufacturer (7.4.1).
  case readLocalVersionInformation
  /// Asks for the 64 octets of supported commands (7.4.2).
  case readLocalSupportedCommands
  /// Asks for the BR/EDR buffers, which LE may share (7.4.5).
  case readBufferSize
  /// Asks for the public address (7.4.6).
  case readBDADDR
  /// Chooses the LE events that the controller sends (7.8.1).
  case leSetEventMask(UInt64)
  /// Asks for the LE buffers (7.8.2).
  case leReadBufferSize
  /// Asks for the LE features (7.8.3).
  case leReadLocalSupportedFeatures
  /// Sets undirected connectable advertising by our public address; the interval in units of 0.625 ms (7.8.5).
  ///
  /// A controller that advertises refuses it.
  case leSetAdvertisingParameters(interval: UInt16)
  /// Sets the data of the advertisements (7.8.7).
  case leSetAdvertisingData(ShortBytes<31>)
  /// Sets the answer to a device that asks for more (7.8.8).
  case leSetScanResponseData(ShortBytes<31>)
  /// Starts or stops advertising, which a new link stops as well (7.8.9).
  case leSetAdvertisingEnable(Bool)
  /// Sets active or passive scanning; interval and window in units of 0.625 ms (7.8.10).
  case leSetScanParameters(isActive: Bool, interval: UInt16, window: UInt16)
  /// Starts or stops scanning, without a filter of duplicates (7.8.11).
  case leSetScanEnable(Bool)
  /// Connects to a peripheral (7.8.12).
  case leCreateConnection(peer: DeviceAddress, ConnectionParameters)
  /// Connects to the first device of the filter accept list that is heard (7.8.12).
  ///
  /// The controller listens for 30 of every 300 ms until one is heard.
  case leCreateConnectionToListed(ConnectionParameters)
  /// Gives up connecting (7.8.13).
  case leCreateConnectionCancel
  /// Empties the filter accept list (7.8.15).
  case leClearFilterAcceptList
  /// Puts a device on the filter accept list (7.8.16).
  case leAddDeviceToFilterAcceptList(DeviceAddress)
  /// Changes the parameters of a link (7.8.18).
  case leConnectionUpdate(handle: UInt16, ConnectionParameters)
  /// Encrypts a link with a key that both sides know, or changes its key (7.8.24).
  ///
  /// Random number and diversifier are 0, as keys of Secure Connections have none.
  case leEnableEncryption(handle: UInt16, longTermKey: Octets<16>)
  /// Gives the controller the key that the central encrypts the link with (7.8.25).
  case leLongTermKeyRequestReply(handle: UInt16, longTermKey: Octets<16>)
  /// Says that we have no such key: the link is not encrypted (7.8.26).
  case leLongTermKeyRequestNegativeReply(handle: UInt16)
  /// Asks which roles are possible at the same time (7.8.27).
  case leReadSupportedStates
  /// Accepts the parameters that the peer asks for (7.8.31).
  case leRemoteConnectionParameterRequestReply(handle: UInt16, ConnectionParameters)
  /// Refuses the parameters that the peer asks for (7.8.32).
  case leRemoteConnectionParameterRequestNegativeReply(handle: UInt16, reason: ErrorCode)
  /// Suggests longer packets: 251 octets, 2120 µs (7.8.33).
  case leSetDataLength(handle: UInt16)
  /// Prefers the 2M PHY in both directions (7.8.49).
  case leSetPHY(handle: UInt16)
  /// Gives a Broadcom chip its public address, which is in force after the next Reset.
  ///
  /// Known from BlueZ's tools/bdaddr.c and the kernel's btbcm.c.
  case broadcomWriteBDADDR(DeviceAddress)

  /// The link of the command, its first parameter; `nil` if it is for no link.
  package var handle: UInt16? {
    switch self {
    case .disconnect(let handle, _), .leConnectionUpdate(let handle, _),
      .leEnableEncryption(let handle, _), .leLongTermKeyRequestReply(let handle, _),
      .leLongTermKeyRequestNegativeReply(let handle),
      .leRemoteConnectionParameterRequestReply(let handle, _),
      .leRemoteConnectionParameterRequestNegativeReply(let handle, _),
      .leSetDataLength(let handle), .leSetPHY(let handle):
      handle
    default: nil
    }
  }

  /// Whether it only ends something, which may be over already.
  package var onlyEnds: Bool {
    switch self {
    case .disconnect, .leSetAdvertisingEnable(false), .leSetScanEnable(false),
      .leCreateConnectionCancel:
      true
    default: false
    }
  }

  /// Overwrites the key of a command that has one.
  package mutating func wipe() {
    switch self {
    case .leEnableEncryption(let handle, var key):
      key.wipe()
      self = .leEnableEncryption(handle: handle, longTermKey: key)
    case .leLongTermKeyRequestReply(let handle, var key):
      key.wipe()
      self = .leLongTermKeyRequestReply(handle: handle, longTermKey: key)
    default: break
    }
  }

  package var opcode: Opcode {
    var parameters = Parameters()
    return encode(&parameters)
  }

  /// Writes the whole H4 packet: indicator, opcode, length, parameters.
  package func write<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    var parameters = Parameters()
    let opcode = encode(&parameters)
    writer.append(PacketIndicator.command)
    writer.append(u16: opcode.rawValue)
    writer.append(UInt8(truncatingIfNeeded: parameters.count))
    writer.append(parameters.bytes)
  }

  private typealias Parameters = FixedBuffer<32>

  /// Writes the parameters; returns the opcode that they belong to.
  private func encode(_ parameters: inout Parameters) -> Opcode {
    if let handle { parameters.append(u16: handle) }
    switch self {
    case .disconnect(_, let reason):
      parameters.append(reason.rawValue)
      return .disconnect
    case .setEventMask(let mask):
      parameters.append(u64: mask)
      return .setEventMask
    case .reset: return .reset
    case .writeLEHostSupport:
      parameters.append(1)  // LE_Supported_Host
      parameters.append(0)  // Unused
      return .writeLEHostSupport
    case .readLocalVersionInformation: return .readLocalVersionInformation
    case .readLocalSupportedCommands: return .readLocalSupportedCommands
    case .readBufferSize: return .readBufferSize
    case .readBDADDR: return .readBDADDR
    case .leSetEventMask(let mask):
      parameters.append(u64: mask)
      return .leSetEventMask
    case .leReadBufferSize: return .leReadBufferSize
    case .leReadLocalSupportedFeatures: return .leReadLocalSupportedFeatures
    case .leSetAdvertisingParameters(let interval):
      parameters.append(u16: interval)
      parameters.append(u16: interval)
      parameters.append(0)  // connectable and undirected
      parameters.append(0)  // our public address
      parameters.append(DeviceAddress(0, .public))  // unused: advertising is undirected
      parameters.append(0x07)  // all three channels
      parameters.append(0)  // anybody may scan and connect
      return .leSetAdvertisingParameters
    case .leSetAdvertisingData(let data):
      parameters.append(data)
      return .leSetAdvertisingData
    case .leSetScanResponseData(let data):
      parameters.append(data)
      return .leSetScanResponseData
    case .leSetAdvertisingEnable(let isEnabled):
      parameters.append(isEnabled ? 1 : 0)
      return .leSetAdvertisingEnable
    case .leSetScanParameters(let isActive, let interval, let window):
      parameters.append(isActive ? 1 : 0)
      parameters.append(u16: interval)
      parameters.append(u16: window)
      parameters.append(0)  // our public address
      parameters.append(0)  // accept all
      return .leSetScanParameters
    case .leSetScanEnable(let isEnabled):
      parameters.append(isEnabled ? 1 : 0)
      parameters.append(0)  // report duplicates, as phones change their data
      return .leSetScanEnable
    case .leCreateConnection(let peer, let wanted):
      parameters.append(u16: Self.initiatingInterval)
      parameters.append(u16: Self.initiatingInterval)
      parameters.append(0)  // use the peer's address, not the accept list
      parameters.append(peer)
      parameters.append(0)  // our public address
      parameters.append(wanted)
      return .leCreateConnection
    case .leCreateConnectionToListed(let wanted):
      parameters.append(u16: Self.waitingInterval)
      parameters.append(u16: Self.waitingWindow)
      parameters.append(1)  // use the accept list: the address that follows has no meaning
      parameters.append(DeviceAddress(0, .public))
      parameters.append(0)  // our public address
      parameters.append(wanted)
      return .leCreateConnection
    case .leCreateConnectionCancel: return .leCreateConnectionCancel
    case .leClearFilterAcceptList: return .leClearFilterAcceptList
    case .leAddDeviceToFilterAcceptList(let device):
      parameters.append(device)
      return .leAddDeviceToFilterAcceptList
    case .leReadSupportedStates: return .leReadSupportedStates
    case .leConnectionUpdate(_, let wanted):
      parameters.append(wanted)
      return .leConnectionUpdate
    case .leEnableEncryption(_, let key):
      parameters.append(u64: 0)  // random number
      parameters.append(u16: 0)  // encrypted diversifier
      parameters.append(key)
      return .leEnableEncryption
    case .leLongTermKeyRequestReply(_, let key):
      parameters.append(key)
      return .leLongTermKeyRequestReply
    case .leLongTermKeyRequestNegativeReply: return .leLongTermKeyRequestNegativeReply
    case .leRemoteConnectionParameterRequestReply(_, let wanted):
      parameters.append(wanted)
      return .leRemoteConnectionParameterRequestReply
    case .leRemoteConnectionParameterRequestNegativeReply(_, let reason):
      parameters.append(reason.rawValue)
      return .leRemoteConnectionParameterRequestNegativeReply
    case .leSetDataLength:
      parameters.append(u16: 251)  // octets
      parameters.append(u16: 2120)  // microseconds
      return .leSetDataLength
    case .leSetPHY:
      parameters.append(0)  // both directions as follows
      parameters.append(0x02)  // sending by 2M
      parameters.append(0x02)  // receiving by 2M
      parameters.append(u16: 0)  // no preference for a coded PHY
      return .leSetPHY
    case .broadcomWriteBDADDR(let address):
      parameters.append(value: address)
      return .broadcomWriteBDADDR
    }
  }

  /// 60 ms, with a window of 60 ms: the radio has nothing else to do.
  private static var initiatingInterval: UInt16 { 0x0060 }
  /// 300 ms: most of it is left to the links, which also spares the battery.
  private static var waitingInterval: UInt16 { 0x01E0 }
  /// 30 ms: longer than the pause between two advertisements of a sensor that has just woken up.
  private static var waitingWindow: UInt16 { 0x0030 }
}

extension FixedBuffer {
  /// Data of a legacy advertisement: how many octets have a meaning, then always 31.
  fileprivate mutating func append(_ data: ShortBytes<31>) {
    let bytes = data.bytes
    append(UInt8(truncatingIfNeeded: bytes.count))
    append(bytes)
    pad(to: 1 + 31)
  }
}

extension ByteWriter where Self: ~Copyable {
  fileprivate mutating func append(_ parameters: ConnectionParameters) {
    append(u16: parameters.intervalMin)
    append(u16: parameters.intervalMax)
    append(u16: parameters.latency)
    append(u16: parameters.supervisionTimeout)
    append(u16: 0)  // shortest and
    append(u16: 0)  // longest connection event: no preference
  }
}

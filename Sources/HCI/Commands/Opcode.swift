/// The name of a command: its group in the upper 6 bits, its number in the lower 10.
///
/// Core Specification, Vol 4, Part E, 5.4.1.
package struct Opcode: RawRepresentable, Equatable, Sendable {
  /// Both parts in one number, as commands and their answers hold it.
  package var rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ group: UInt16, _ command: UInt16) { rawValue = group << 10 | command }

  /// Whether it is a command of Low Energy: 7.8.
  package var isLE: Bool { rawValue >> 10 == 0x08 }

  /// Whether a central can do without the command, with less comfort.
  package var isOptional: Bool {
    switch self {
    case .readLocalVersionInformation, .readLocalSupportedCommands, .writeLEHostSupport,
      .leReadLocalSupportedFeatures, .leReadSupportedStates, .leClearFilterAcceptList,
      .leAddDeviceToFilterAcceptList, .leConnectionUpdate, .leSetDataLength, .leSetPHY,
      .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData,
      .leSetAdvertisingEnable, .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply,
      .leRemoteConnectionParameterRequestReply, .leRemoteConnectionParameterRequestNegativeReply,
      .broadcomWriteBDADDR:
      true
    default: false
    }
  }

  /// The opcode of answers that only give new command credits.
  package static var none: Opcode { Opcode(rawValue: 0) }

  // Link Control, 7.1
  package static var disconnect: Opcode { Opcode(0x01, 0x006) }

  // Controller & Baseband, 7.3
  static var setEventMask: Opcode { Opcode(0x03, 0x001) }
  package static var reset: Opcode { Opcode(0x03, 0x003) }
  static var writeLEHostSupport: Opcode { Opcode(0x03, 0x06D) }

  // Informational Parameters, 7.4
  static var readLocalVersionInformation: Opcode { Opcode(0x04, 0x001) }
  static var readLocalSupportedCommands: Opcode { Opcode(0x04, 0x002) }
  static var readBufferSize: Opcode { Opcode(0x04, 0x005) }
  package static var readBDADDR: Opcode { Opcode(0x04, 0x009) }

  // LE Controller, 7.8
  static var leSetEventMask: Opcode { Opcode(0x08, 0x001) }
  static var leReadBufferSize: Opcode { Opcode(0x08, 0x002) }
  static var leReadLocalSupportedFeatures: Opcode { Opcode(0x08, 0x003) }
  package static var leSetAdvertisingParameters: Opcode { Opcode(0x08, 0x006) }
  package static var leSetAdvertisingData: Opcode { Opcode(0x08, 0x008) }
  package static var leSetScanResponseData: Opcode { Opcode(0x08, 0x009) }
  package static var leSetAdvertisingEnable: Opcode { Opcode(0x08, 0x00A) }
  package static var leSetScanParameters: Opcode { Opcode(0x08, 0x00B) }
  package static var leSetScanEnable: Opcode { Opcode(0x08, 0x00C) }
  package static var leCreateConnection: Opcode { Opcode(0x08, 0x00D) }
  package static var leCreateConnectionCancel: Opcode { Opcode(0x08, 0x00E) }
  static var leClearFilterAcceptList: Opcode { Opcode(0x08, 0x010) }
  package static var leAddDeviceToFilterAcceptList: Opcode { Opcode(0x08, 0x011) }
  package static var leConnectionUpdate: Opcode { Opcode(0x08, 0x013) }
  package static var leEnableEncryption: Opcode { Opcode(0x08, 0x019) }
  package static var leLongTermKeyRequestReply: Opcode { Opcode(0x08, 0x01A) }
  package static var leLongTermKeyRequestNegativeReply: Opcode { Opcode(0x08, 0x01B) }
  static var leReadSupportedStates: Opcode { Opcode(0x08, 0x01C) }
  package static var leRemoteConnectionParameterRequestReply: Opcode { Opcode(0x08, 0x020) }
  package static var leRemoteConnectionParameterRequestNegativeReply: Opcode { Opcode(0x08, 0x021) }
  static var leSetDataLength: Opcode { Opcode(0x08, 0x022) }
  static var leSetPHY: Opcode { Opcode(0x08, 0x032) }

  // Of a vendor, 5.4.1: Broadcom, today Infineon
  package static var broadcomWriteBDADDR: Opcode { Opcode(0x3F, 0x001) }
}

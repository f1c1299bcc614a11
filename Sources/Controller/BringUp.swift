package import Bytes
package import HCI

/// What is known of the controller after it was brought up.
package struct ControllerInformation: ~Copyable {
  package private(set) var address = DeviceAddress(0, .public)
  /// The board's, to be given to a chip that has none of its own.
  private(set) var boardAddress: DeviceAddress?
  package private(set) var version: UInt8 = 0
  private(set) var revision: UInt16 = 0
  package private(set) var manufacturer: UInt16 = 0
  private(set) var subversion: UInt16 = 0
  package private(set) var commands = SupportedCommands()
  package private(set) var features = LEFeatures(rawValue: 0)
  /// What it can do at the same time; `nil` if it does not say.
  package private(set) var states: LEStates?
  package private(set) var aclPacketLength = 0
  package private(set) var aclPacketCount = 0

  init(boardAddress: DeviceAddress? = nil) { self.boardAddress = boardAddress }

  /// The chip does not take the board's address.
  mutating func forgetBoardAddress() { boardAddress = nil }
}

/// The steps from Reset to a controller that can scan, in their order.
///
/// Core Specification, Vol 6, Part D, 2.1; each is done again whenever the
/// transport is opened.
enum BringUpStep: UInt8 {
  case reset, readVersion, readCommands, readAddress, writeAddress, readFeatures, readStates
  case readLEBuffers, readBuffers
  case setEventMask, setLEEventMask, writeHostSupport

  var next: BringUpStep? { BringUpStep(rawValue: rawValue + 1) }

  /// Whether the controller may refuse it and still be of use.
  var isOptional: Bool {
    switch self {
    case .readVersion, .readCommands, .writeAddress, .readFeatures, .readStates,
      .writeHostSupport:
      true
    default: false
    }
  }

  /// The step's command, or `nil` where this controller does not need it.
  func command(for controller: borrowing Controller) -> Command? {
    switch self {
    case .reset: .reset
    case .readVersion: .readLocalVersionInformation
    case .readCommands: .readLocalSupportedCommands
    case .readAddress: .readBDADDR
    case .writeAddress: controller.information.addressCommand
    case .readFeatures: .leReadLocalSupportedFeatures
    case .readStates: .leReadSupportedStates
    case .readLEBuffers: .leReadBufferSize
    // An LE buffer size of 0 says that LE shares the BR/EDR buffers. 7.8.2.
    case .readBuffers: controller.information.aclPacketLength == 0 ? .readBufferSize : nil
    case .setEventMask: .setEventMask(EventMask.page1)
    case .setLEEventMask: .leSetEventMask(EventMask.le(controller))
    case .writeHostSupport:
      controller.information.commands.writeLEHostSupport ? .writeLEHostSupport : nil
    }
  }
}

/// The events that the host wants.
///
/// Core Specification, Vol 4, Part E, 7.3.1 and 7.8.1.
private enum EventMask {
  static var page1: UInt64 {
    let link =
      EventCode.disconnectionComplete.mask | EventCode.encryptionChange.mask
      | EventCode.encryptionKeyRefreshComplete.mask
    let commands = EventCode.commandComplete.mask | EventCode.commandStatus.mask
    let failures = EventCode.hardwareError.mask | EventCode.dataBufferOverflow.mask
    return link | commands | failures | EventCode.numberOfCompletedPackets.mask
      | EventCode.leMeta.mask
  }

  /// What all controllers know; the rest only where the controller has the feature, as older ones
  /// refuse bits they do not know.
  static func le(_ controller: borrowing Controller) -> UInt64 {
    let features = controller.information.features
    var mask =
      LEEventCode.connectionComplete.mask | LEEventCode.advertisingReport.mask
      | LEEventCode.connectionUpdateComplete.mask | LEEventCode.readRemoteFeaturesComplete.mask
      | LEEventCode.longTermKeyRequest.mask
    if controller.takesParameterReply { mask |= LEEventCode.remoteConnectionParameterRequest.mask }
    if features.dataPacketLengthExtension { mask |= LEEventCode.dataLengthChange.mask }
    if features.le2MPHY { mask |= LEEventCode.phyUpdateComplete.mask }
    return mask
  }
}

extension ControllerInformation {
  /// Learns from the return parameters of a step, which begin behind the status.
  mutating func learn(_ parameters: Span<UInt8>, of step: BringUpStep) throws(ParseError) {
    var reader = ByteReader(parameters)
    switch step {
    case .reset, .writeAddress, .setEventMask, .setLEEventMask, .writeHostSupport: break
    case .readVersion:
      version = try reader.u8()
      revision = try reader.u16()
      try reader.skip(1)  // LMP version
      manufacturer = try reader.u16()
      subversion = (try? reader.u16()) ?? 0
    case .readCommands: commands = try SupportedCommands(parsing: reader.rest())
    case .readAddress:
      address = try reader.publicAddress()
    case .readFeatures: features = LEFeatures(rawValue: try reader.u64())
    case .readStates: states = LEStates(rawValue: try reader.u64())
    case .readLEBuffers:
      aclPacketLength = Int(try reader.u16())
      aclPacketCount = Int(try reader.u8())
      if aclPacketCount == 0 { aclPacketLength = 0 }
    case .readBuffers:
      aclPacketLength = Int(try reader.u16())
      try reader.skip(1)  // synchronous packet length
      aclPacketCount = Int(try reader.u16())
      // A frame's header must fit, or nothing can ever be sent.
      guard aclPacketLength >= 27, aclPacketCount > 0 else { throw .invalid }
    }
  }
}

/// What a controller that is up says of itself.
package struct ControllerFacts: Sendable {
  /// Its public address.
  package let address: DeviceAddress
  /// Its HCI version number.
  ///
  /// Assigned Numbers, 2.1.
  package let version: UInt8
  /// Its company.
  ///
  /// Assigned Numbers, 7.1.
  package let manufacturer: UInt16
  /// Which of a Raspberry Pi's chips it is; `nil` for another one.
  package let chip: PiChip?
  /// The number of the patch that such a chip got from its driver; 0 for none.
  package let patch: UInt16
  /// What its LE side can do.
  package let features: LEFeatures
  /// What its LE side can do at the same time; `nil` if it does not say.
  package let states: LEStates?
  /// Whether a phone can connect to it.
  package let hasPeripheralRole: Bool
  /// The most bytes of data in one packet to it.
  package let aclPacketLength: Int
  /// How many such packets it has room for.
  package let aclPacketCount: Int

  package init(_ information: borrowing ControllerInformation) {
    address = information.address
    version = information.version
    manufacturer = information.manufacturer
    chip = information.chip
    patch = information.patch
    features = information.features
    states = information.states
    hasPeripheralRole = information.commands.peripheralRole
    aclPacketLength = information.aclPacketLength
    aclPacketCount = information.aclPacketCount
  }
}

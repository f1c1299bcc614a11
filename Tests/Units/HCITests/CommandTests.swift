import Bytes
import Expecting
import HCI
import TestSupport

struct CommandTests {
  private static let peer = DeviceAddress(0xC605_0403_0201, .random)
  private static let key = Octets<16>(words: [0x100F_0E0D, 0x0C0B_0A09, 0x0807_0605, 0x0403_0201])
  private static let parameters = ConnectionParameters(
    intervalMin: 24, intervalMax: 40, latency: 1, supervisionTimeout: 400)

  /// Opcode, length and parameters as the Core Specification, Vol 4, Part E, 7 lays them out.
  @Test(
    arguments: [
      (.reset, "03 0C 00"),
      (.disconnect(handle: 0x0040, reason: .remoteUserTerminatedConnection), "06 04 03 40 00 13"),
      (.setEventMask(0x2000_8000_0204_E090), "01 0C 08 90 E0 04 02 00 80 00 20"),
      (.writeLEHostSupport, "6D 0C 02 01 00"), (.readLocalVersionInformation, "01 10 00"),
      (.readLocalSupportedCommands, "02 10 00"), (.readBufferSize, "05 10 00"),
      (
        .broadcomWriteBDADDR(DeviceAddress(0x1122_3344_5566, .public)),
        "01 FC 06 66 55 44 33 22 11"
      ),
      (.readBDADDR, "09 10 00"), (.leSetEventMask(0x1F), "01 20 08 1F 00 00 00 00 00 00 00"),
      (.leReadBufferSize, "02 20 00"), (.leReadLocalSupportedFeatures, "03 20 00"),
      (
        .leSetScanParameters(isActive: true, interval: 0x0400, window: 0x0066),
        "0B 20 07 01 00 04 66 00 00 00"
      ),
      (.leSetScanEnable(true), "0C 20 02 01 00"),
      (
        .leCreateConnection(peer: peer, parameters),
        "0D 20 19 60 00 60 00 00 01 01 02 03 04 05 C6 00 18 00 28 00 01 00 90 01 00 00 00 00"
      ),
      (.leCreateConnectionCancel, "0E 20 00"),
      (
        .leConnectionUpdate(handle: 0x0040, parameters),
        "13 20 0E 40 00 18 00 28 00 01 00 90 01 00 00 00 00"
      ),
      (
        .leEnableEncryption(handle: 0x0040, longTermKey: key),
        """
        19 20 1C 40 00 00 00 00 00 00 00 00 00 00 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F
        10
        """
      ),
      (
        .leRemoteConnectionParameterRequestReply(handle: 0x0040, parameters),
        "20 20 0E 40 00 18 00 28 00 01 00 90 01 00 00 00 00"
      ),
      (
        .leRemoteConnectionParameterRequestNegativeReply(
          handle: 0x0040, reason: .unacceptableConnectionParameters), "21 20 03 40 00 3B"
      ),
      (.leSetDataLength(handle: 0x0040), "22 20 06 40 00 FB 00 48 08"),
      (.leSetPHY(handle: 0x0040), "32 20 07 40 00 00 02 02 00 00"),
      // The peripheral's: 7.8.5 to 7.8.9, and 7.8.25 to 7.8.27; V1 to V6 and V9.
      (
        .leSetAdvertisingParameters(interval: 0x20),
        "06 20 0F 20 00 20 00 00 00 00 00 00 00 00 00 00 07 00"
      ),
      (
        .leSetAdvertisingParameters(interval: 0x664),
        "06 20 0F 64 06 64 06 00 00 00 00 00 00 00 00 00 07 00"
      ),
      (
        .leSetAdvertisingData(content("Lenker", isDiscoverable: true).advertisement),
        """
        08 20 20 1D 02 01 06 11 15 D0 00 2D 12 1E 4B 0F A4 99 4E CE B5 31 F4 05 79
        07 09 4C 65 6E 6B 65 72 00 00
        """
      ),
      (
        .leSetAdvertisingData(content("Bangle.js Lenker").advertisement),
        """
        08 20 20 19 02 01 04 11 15 D0 00 2D 12 1E 4B 0F A4 99 4E CE B5 31 F4 05 79
        03 19 81 04 00 00 00 00 00 00
        """
      ),
      (
        .leSetScanResponseData(content("Bangle.js Lenker").scanResponse),
        """
        09 20 20 12 11 09 42 61 6E 67 6C 65 2E 6A 73 20 4C 65 6E 6B 65 72
        00 00 00 00 00 00 00 00 00 00 00 00 00
        """
      ),
      (.leSetAdvertisingEnable(true), "0A 20 01 01"),
      (.leSetAdvertisingEnable(false), "0A 20 01 00"),
      (
        .leLongTermKeyRequestReply(handle: 0x0040, longTermKey: key),
        "1A 20 12 40 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10"
      ),
      (.leLongTermKeyRequestNegativeReply(handle: 0x0040), "1B 20 02 40 00"),
      (.leReadSupportedStates, "1C 20 00"),
    ] as [(Command, String)])
  func aCommandIsWrittenAsTheSpecificationSays(_ command: Command, _ expected: String) {
    var packet = FixedBuffer<64>()
    command.write(into: &packet)
    let written = array(packet.bytes)
    expect(written, [0x01] + bytes(expected))
    expect(command.opcode.rawValue, UInt16(written[1]) | UInt16(written[2]) << 8)
    let isOfLink = written.count > 5 && written[4...5] == [0x40, 0x00]
    expect(command.handle, isOfLink ? 0x0040 : nil)
  }

  /// A central has no use for them, so a controller that lacks them serves a ride all the same.
  @Test func thePeripheralsCommandsAreOptional() {
    let commands: [Command] = [
      .leSetAdvertisingParameters(interval: 0x20), .leSetAdvertisingEnable(true),
      .leLongTermKeyRequestReply(handle: 1, longTermKey: Self.key),
      .leLongTermKeyRequestNegativeReply(handle: 1),
    ]
    #expect(commands.allSatisfy { $0.opcode.isOptional })
  }

  private static func content(_ name: String, isDiscoverable: Bool = false) -> AdvertisingContent {
    AdvertisingContentTests.content(name, isDiscoverable: isDiscoverable)
  }

  @Test(
    arguments: [
      (6, 6, 0, 10, true), (5, 6, 0, 10, false), (3200, 3200, 0, 3200, true),
      (3200, 3201, 0, 3200, false), (40, 24, 0, 400, false), (24, 40, 499, 3200, false),
      (24, 40, 500, 3200, false), (24, 40, 0, 9, false), (24, 40, 0, 10, false),
      (24, 40, 0, 11, true), (24, 40, 4, 50, false), (24, 40, 4, 51, true),
      (24, 40, 0, 3201, false),
    ] as [(UInt16, UInt16, UInt16, UInt16, Bool)])
  func connectionParametersAreCheckedAsAWhole(
    _ shortest: UInt16, _ longest: UInt16, _ latency: UInt16, _ timeout: UInt16, _ areValid: Bool
  ) {
    let parameters = ConnectionParameters(
      intervalMin: shortest, intervalMax: longest, latency: latency, supervisionTimeout: timeout)
    expect(parameters.areValid, areValid)
  }
}

struct AdvertisingContentTests {
  private static let notificationService = UUID(0x7905_F431_B5CE_4E99, 0xA40F_4B1E_122D_00D0)

  /// Of a cycling computer that solicits Apple's notifications.
  static func content(_ name: String, isDiscoverable: Bool) -> AdvertisingContent {
    let bytes = Array(name.utf8)
    return AdvertisingContent(
      name: bytes.span, appearance: 0x0481, soliciting: notificationService,
      isDiscoverable: isDiscoverable)
  }

  /// The name is in the first packet as long as it fits there whole (Supplement, Part A, 1.2).
  @Test(
    arguments: [
      ("L", 24, 4), ("Lenker", 29, 4), ("Lenker 8", 31, 4), ("Lenker 09", 25, 11),
      ("Bangle.js Lenker", 25, 18), ("Bangle.js Lenker von", 25, 22),
      ("a name of 29 bytes, no longer", 25, 31),
    ])
  func peripheralBehaviour11_eachPacketFitsAndTheNameIsComplete(
    _ name: String, _ first: Int, _ second: Int
  ) {
    for isDiscoverable in [true, false] {
      let content = Self.content(name, isDiscoverable: isDiscoverable)
      let (advertisement, response) = (
        array(content.advertisement.bytes), array(content.scanResponse.bytes)
      )
      expect(advertisement.count, first)
      expect(response.count, second)
      let all = structures(of: advertisement) + structures(of: response)
      expect(all.map(\.type).sorted(), [0x01, 0x09, 0x15, 0x19])
      expect(all.first?.data, [isDiscoverable ? 0x06 : 0x04])
      expect(all.first { $0.type == 0x09 }?.data, Array(name.utf8))
      expect(all.first { $0.type == 0x19 }?.data, [0x81, 0x04])
      expect(
        all.first { $0.type == 0x15 }?.data, bytes("D0002D121E4B0FA4994ECEB531F40579"))
    }
  }

  /// No structure is cut: what does not fit at all is left out.
  @Test func aNameThatFitsNowhereIsLeftOut() {
    let content = Self.content("a name of 30 bytes, one longer", isDiscoverable: false)
    expect(array(content.scanResponse.bytes), [])
    expect(structures(of: array(content.advertisement.bytes)).map(\.type), [0x01, 0x15, 0x19])
  }

  private func structures(of bytes: [UInt8]) -> [(type: UInt8, data: [UInt8])] {
    var result: [(UInt8, [UInt8])] = []
    var data = AdvertisingData(bytes.span)
    while let structure = data.next() {
      result.append((structure.type.rawValue, array(structure.data)))
    }
    expect(data.isMalformed, false)
    return result
  }
}

import Bytes
import HCI
import TestSupport
import Testing

@Suite struct AdvertisingContentTests {
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
      #expect(advertisement.count == first)
      #expect(response.count == second)
      let all = structures(of: advertisement) + structures(of: response)
      #expect(all.map(\.type).sorted() == [0x01, 0x09, 0x15, 0x19])
      #expect(all.first?.data == [isDiscoverable ? 0x06 : 0x04])
      #expect(all.first { $0.type == 0x09 }?.data == Array(name.utf8))
      #expect(all.first { $0.type == 0x19 }?.data == [0x81, 0x04])
      #expect(
        all.first { $0.type == 0x15 }?.data == bytes("D0002D121E4B0FA4994ECEB531F40579"))
    }
  }

  /// No structure is cut: what does not fit at all is left out.
  @Test func aNameThatFitsNowhereIsLeftOut() {
    let content = Self.content("a name of 30 bytes, one longer", isDiscoverable: false)
    let response = array(content.scanResponse.bytes)
    #expect(response == [])
    #expect(structures(of: array(content.advertisement.bytes)).map(\.type) == [0x01, 0x15, 0x19])
  }

  private func structures(of bytes: [UInt8]) -> [(type: UInt8, data: [UInt8])] {
    var result: [(UInt8, [UInt8])] = []
    var data = AdvertisingData(bytes.span)
    while let structure = data.next() {
      result.append((structure.type.rawValue, array(structure.data)))
    }
    let isMalformed = data.isMalformed
    #expect(!isMalformed)
    return result
  }
}

import Bytes
import Testing

@testable import Device

/// What a capture must not tell.
@Suite struct RedactionTests {
  private static func captured(_ packet: [UInt8]) -> [UInt8] {
    var buffer = FixedBuffer<1026>()
    buffer.append(packet.span)
    Redaction.blankKeys(in: &buffer)
    var bytes: [UInt8] = []
    for index in 0..<buffer.count { bytes.append(buffer[index]) }
    return bytes
  }

  private static let key = [UInt8](1...16)
  private static let zeros = [UInt8](repeating: 0, count: 16)

  @Test func theKeyOfAnEncryptionIsBlank() {
    let head: [UInt8] = [0x01, 0x19, 0x20, 28, 0x40, 0] + [UInt8](repeating: 0, count: 10)
    #expect(Self.captured(head + Self.key) == head + Self.zeros)
  }

  /// LTK, IRK and CSRK, as the phone or we hand them out.
  @Test(arguments: [UInt8(0x06), 0x08, 0x0A], [UInt8(0x20), 0x00])
  func aKeyThatIsHandedOutIsBlank(_ code: UInt8, _ flags: UInt8) {
    let head: [UInt8] = [0x02, 0x40, flags, 21, 0, 17, 0, 0x06, 0, code]
    #expect(Self.captured(head + Self.key) == head + Self.zeros)
  }

  @Test(
    arguments: [
      [0x01, 0x13, 0x20, 14, 0x40, 0] + key,  // another command
      [0x02, 0x40, 0x20, 21, 0, 17, 0, 0x04, 0, 0x08] + key,  // an attribute
      [0x02, 0x40, 0x20, 21, 0, 17, 0, 0x06, 0, 0x03] + key,  // a confirm value is no secret
      [0x04, 0x08, 4, 0, 0x40, 0, 1],
      [0x02, 0x40, 0x20, 4, 0, 0, 0, 0x06, 0],
      [],
    ] as [[UInt8]])
  func anythingElseStaysAsItIs(_ packet: [UInt8]) {
    #expect(Self.captured(packet) == packet)
  }
}

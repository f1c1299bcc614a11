package import Bytes
import HCI

/// The bit by which an iPhone in the background says that an app offers a service.
///
/// A backgrounded app's service UUIDs leave the advertisement and become bits
/// of a mask in Apple's manufacturer data that all apps share. Not published by
/// Apple; derived from a public table of 128 measured pairs. One UUID in 128
/// shares a bit, so a match is only a reason to connect and look.
package struct OverflowArea: Equatable, Sendable {
  private static var appleCompany: UInt16 { 0x004C }
  private static var maskType: UInt8 { 0x01 }

  /// The number of the bit, 0...127.
  package let bit: Int

  /// The bit of `service`, short UUIDs expanded.
  ///
  /// CRC-8 with the polynomial 0x09, most significant bit first, initial value
  /// 0x15, over the UUID's bytes in the order of its text; the lower seven bits.
  package init(_ service: UUID) {
    var crc: UInt8 = 0x15
    for half in 0..<2 {
      var bytes = half == 0 ? service.high : service.low
      for _ in 0..<8 {
        crc ^= UInt8(truncatingIfNeeded: bytes &>> 56)
        for _ in 0..<8 { crc = crc & 0x80 != 0 ? crc << 1 ^ 0x09 : crc << 1 }
        bytes = bytes &<< 8
      }
    }
    bit = Int(crc & 0x7F)
  }

  /// Whether manufacturer data in these AD structures have the bit set.
  package func isSet(in advertisement: Span<UInt8>) -> Bool {
    var data = AdvertisingData(advertisement)
    while let structure = data.next() {
      guard structure.type == .manufacturerSpecificData else { continue }
      if isSet(inManufacturerData: structure.data) { return true }
    }
    return false
  }

  /// Apple's frames are type, length, data; only the mask has no length byte.
  private func isSet(inManufacturerData bytes: Span<UInt8>) -> Bool {
    var reader = ByteReader(bytes)
    do throws(ParseError) {
      guard try reader.u16() == Self.appleCompany else { return false }
      while true {
        let type = try reader.u8()
        guard type == Self.maskType else {
          try reader.skip(Int(try reader.u8()))
          continue
        }
        let mask = try reader.take(16)
        return mask[bit / 8] & 0x80 >> UInt8(bit % 8) != 0
      }
    } catch {
      return false
    }
  }
}

import Bytes

/// What a Crownstone with the firmware of 2016 advertises: service data C001 of 16 octets.
///
/// Later firmware (17 octets) encrypts it with the owner's key.
package struct Crownstone: Equatable, Sendable {
  package var identifier: UInt16
  /// The number of its state, which increases with each change.
  package var state: UInt16
  /// How far it is on.
  package var switchState: UInt8
  /// One bit for each event.
  package var events: UInt8
  /// The temperature of its chip in °C.
  package var temperature: Int8
  /// In mW.
  package var power: Int32
  /// In the firmware's own unit.
  package var energy: Int32

  /// Reads service data without the UUID; `nil` if its form is not that of 2016.
  package init?(serviceData bytes: Span<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var reader = ByteReader(bytes)
    do throws(ParseError) {
      identifier = try reader.u16()
      state = try reader.u16()
      switchState = try reader.u8()
      events = try reader.u8()
      temperature = try reader.i8()
      try reader.skip(1)
      power = Int32(bitPattern: try reader.u32())
      energy = Int32(bitPattern: try reader.u32())
    } catch {
      return nil
    }
  }
}

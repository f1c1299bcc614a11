import Bytes

/// What a notification of the characteristic is good for.
///
/// iOS notifies the identifier alone, and now and then the whole value; Android
/// notifies the value cut to what fits. So only a value with room to spare is
/// surely whole.
package enum Notification: Equatable, Sendable {
  /// The identifier of a new value, which must be read.
  case identifier(UInt32)
  /// A whole value: `Instruction(parsing:)` reads it, and no read of the phone is needed.
  case whole
  /// A value that may be cut, which must be read.
  case cut
  /// No form that any phone sends.
  case ignore

  /// Judges `value`, notified on a link whose ATT_MTU is `mtu`, 23...517.
  package init(_ value: Span<UInt8>, mtu: Int) {
    // Opcode and handle of a notification are three bytes of the MTU: Vol 3, Part F, 3.4.7.1.
    let room = mtu - 3
    var reader = ByteReader(value)
    if value.count >= Instruction.minimumLength {
      // An app that thinks of the smallest MTU cuts to what a notification or a read may carry there.
      let mayBeCut = value.count >= room || value.count == 20 || value.count == 22
      self = mayBeCut ? .cut : .whole
    } else if value.count == 4, let identifier = try? reader.u32() {
      self = .identifier(identifier)
    } else {
      self = .ignore
    }
  }
}

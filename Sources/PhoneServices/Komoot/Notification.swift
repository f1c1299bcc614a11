import Bytes

/// What follows from a notification of the characteristic.
///
/// iOS notifies the identifier alone, and sometimes the whole value. Android notifies the value cut to what
/// fits. So only a value with room to spare is certainly whole.
package enum Notification: Equatable, Sendable {
  /// The identifier of a new value, which the device must read.
  case identifier(UInt32)
  /// A whole value for `Instruction(parsing:)`.
  case whole
  /// A value that may be cut, so that the device must read it.
  case cut
  /// A form that no phone sends.
  case ignore

  /// Judges `value`, notified on a link whose ATT_MTU is `mtu`, 23...517.
  package init(_ value: Span<UInt8>, mtu: Int) {
    // Opcode and handle of a notification are three bytes of the MTU: Vol 3, Part F, 3.4.7.1.
    let room = mtu - 3
    var reader = ByteReader(value)
    if value.count >= Instruction.minimumLength {
      let mayBeCut = value.count >= room || Instruction.mayBeCutByApp(value.count)
      self = mayBeCut ? .cut : .whole
    } else if value.count == 4, let identifier = try? reader.u32() {
      self = .identifier(identifier)
    } else {
      self = .ignore
    }
  }
}

import Bytes

/// What a sensor has counted of a wheel or a crank, and when the last revolution was.
package struct Revolutions: Equatable, Sendable {
  /// Of a wheel 32 bits, which do not roll over; of a crank 16, which do.
  package var count: UInt32
  /// When the last one ended, in parts of a second as the value's specification has them; rolls over.
  package var time: UInt16

  /// A count at a time.
  package init(count: UInt32, time: UInt16) {
    self.count = count
    self.time = time
  }
}

extension ByteReader {
  /// The next six bytes: a wheel's revolutions, and the time of the last one.
  @_lifetime(self: copy self)
  mutating func wheelRevolutions() throws(ParseError) -> Revolutions {
    Revolutions(count: try u32(), time: try u16())
  }

  /// The next four bytes: a crank's revolutions, and the time of the last one.
  @_lifetime(self: copy self)
  mutating func crankRevolutions() throws(ParseError) -> Revolutions {
    Revolutions(count: UInt32(try u16()), time: try u16())
  }
}

import Bytes

/// What a sensor has counted of a wheel or a crank, and when the last revolution was.
package struct Revolutions: Equatable, Sendable {
  /// A wheel's has 32 bits and never wraps round; a crank's has 16 bits and does.
  package var count: UInt32
  /// When the last one ended, in the parts of a second of the value's specification; wraps round.
  package var time: UInt16

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

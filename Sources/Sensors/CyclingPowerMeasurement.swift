package import Bytes

/// A value of Cycling Power Measurement (2A63): watts, and whatever else the sensor knows.
///
/// Flags (2 bytes), watts (2), then the fields that are flagged, in their order, little-endian.
/// All of them are 34 bytes, which a sensor may send in several values: a field that is absent is no
/// news. Cycling Power Service 1.1, 3.2.
package struct CyclingPowerMeasurement: Equatable, Sendable {
  /// The greatest and the least of a revolution.
  package struct Extremes<Value: Equatable & Sendable>: Equatable, Sendable {
    /// The greatest.
    package var maximum: Value
    /// The least.
    package var minimum: Value
  }

  /// How many parts of a second the wheel's times count, which roll over after 32 s.
  package static var wheelTimeResolution: Int64 { 2_048 }

  /// Watts; below zero where the rider brakes by the pedals.
  package let power: Int16
  /// In half percent; of the left pedal, if `isBalanceOfLeft`.
  package private(set) var pedalBalance: UInt8?
  /// Whether it is known of which pedal the balance is, the left one.
  package let isBalanceOfLeft: Bool
  /// The sum of all torques in 1/32 N·m; rolls over.
  package private(set) var accumulatedTorque: UInt16?
  /// Of the wheel, in 1/2048 s.
  package private(set) var wheel: Revolutions?
  /// Of the crank, in 1/1024 s.
  package private(set) var crank: Revolutions?
  /// In newtons.
  package private(set) var force: Extremes<Int16>?
  /// In 1/32 N·m.
  package private(set) var torque: Extremes<Int16>?
  /// Where the crank was then, in degrees.
  package private(set) var angle: Extremes<UInt16>?
  /// Where the force changes its direction at the top, in degrees.
  package private(set) var topDeadSpot: UInt16?
  /// Likewise at the bottom.
  package private(set) var bottomDeadSpot: UInt16?
  /// Kilojoules since the sensor was reset.
  package private(set) var accumulatedEnergy: UInt16?

  /// Reads a value; throws `ParseError.truncated` for a field that is cut short.
  package init(parsing value: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(value)
    let flags = try reader.u16()
    power = try reader.i16()
    isBalanceOfLeft = flags & 1 << 1 != 0
    if flags & 1 << 0 != 0 { pedalBalance = try reader.u8() }
    if flags & 1 << 2 != 0 { accumulatedTorque = try reader.u16() }
    if flags & 1 << 4 != 0 { wheel = try reader.wheelRevolutions() }
    if flags & 1 << 5 != 0 { crank = try reader.crankRevolutions() }
    if flags & 1 << 6 != 0 { force = try reader.magnitudes() }
    if flags & 1 << 7 != 0 { torque = try reader.magnitudes() }
    if flags & 1 << 8 != 0 { angle = try reader.angles() }
    if flags & 1 << 9 != 0 { topDeadSpot = try reader.u16() }
    if flags & 1 << 10 != 0 { bottomDeadSpot = try reader.u16() }
    if flags & 1 << 11 != 0 { accumulatedEnergy = try reader.u16() }
  }
}

extension ByteReader {
  /// The next two bytes as a two's complement number.
  @_lifetime(self: copy self)
  fileprivate mutating func i16() throws(ParseError) -> Int16 { Int16(bitPattern: try u16()) }

  @_lifetime(self: copy self)
  fileprivate mutating func magnitudes() throws(ParseError)
    -> CyclingPowerMeasurement.Extremes<Int16>
  {
    CyclingPowerMeasurement.Extremes(maximum: try i16(), minimum: try i16())
  }

  /// Twelve bits each in three bytes.
  @_lifetime(self: copy self)
  fileprivate mutating func angles() throws(ParseError)
    -> CyclingPowerMeasurement.Extremes<UInt16>
  {
    let (low, middle, high) = (UInt16(try u8()), UInt16(try u8()), UInt16(try u8()))
    return CyclingPowerMeasurement.Extremes(
      maximum: low | middle << 8 & 0x0F00, minimum: middle >> 4 | high << 4)
  }
}

import Bytes

extension Gadgetbridge {
  /// A line `setTime(S);E.setTimeZone(H);…`, which comes at each connection and when the phone's clock changes.
  package struct Clock: Equatable, Sendable {
    /// Seconds since 1970 began in UTC.
    package let seconds: Int64
    /// The phone's zone, with summer time.
    package let zone: Zone

    /// Reads a line; throws `ParseError.invalid` for a time that `LocalTime` does not have.
    ///
    /// What follows the zone is for a watch, and not read.
    init(parsing line: Span<UInt8>) throws(ParseError) {
      let (start, end) = try Self.argument(of: "setTime(", in: line, at: 0)
      let (zoneStart, zoneEnd) = try Self.argument(of: ";E.setTimeZone(", in: line, at: end + 1)
      guard let seconds = wholeNumber(line.extracting(start..<end)) else { throw .invalid }
      let hours = DecimalNumber(script: line.extracting(zoneStart..<zoneEnd))
      let minutes = Int(truncatingIfNeeded: min(hours.magnitude(times: 60), 100_000))
      guard let zone = Zone(minutes: hours.isNegative ? -minutes : minutes),
        LocalTime(secondsSince1970: seconds, in: zone) != nil
      else { throw .invalid }
      self.seconds = seconds
      self.zone = zone
    }

    /// The local time; the same as a value of Current Time has.
    package var localTime: LocalTime? { LocalTime(secondsSince1970: seconds, in: zone) }

    /// Where the only argument of a call is, a number; its bracket closes at the end.
    private static func argument(
      of call: String, in line: Span<UInt8>, at place: Int
    ) throws(ParseError) -> (Int, Int) {
      guard place <= line.count else { throw .truncated }
      guard let argument = rest(of: line.extracting(droppingFirst: place), after: call) else {
        throw .invalid
      }
      var reader = ScriptReader(argument, at: 0)
      guard case .number = try reader.number() else { throw .invalid }
      let start = line.count - argument.count
      let end = start + reader.index
      guard reader.skip(0x29) else { throw .invalid }
      return (start, end)
    }
  }
}

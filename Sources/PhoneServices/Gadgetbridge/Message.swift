package import Bytes

extension Gadgetbridge {
  /// What a line says: a call `GB({"t":…})` or `setTime(…)`, which is read but never evaluated.
  ///
  /// Pass the value of a case on to a function that borrows it: Swift 6.3 crashes if a span is taken from a
  /// pattern's binding.
  package enum Message: ~Copyable {
    /// The next turn, or as much as the app knows of it.
    case nextTurn(NextTurn)
    /// There is no next turn any more.
    case navigationOver
    case clock(Clock)
    case call(Call)
    case notice(Notice)
    /// The phone no longer shows the notification of this identifier.
    case noticeRemoved(Int64)
    case track(Track)
    case player(Player)
    /// Any other line, such as a setting for a watch, or an offer of the position: silence declines it.
    case other

    /// What the player does.
    package enum Player: Equatable, Sendable {
      case playing, paused, stopped
    }

    /// Reads a line without its newline; throws if its literals are not whole, or nested too deeply.
    ///
    /// Control characters may precede it, such as 0x03, which makes a watch drop an unfinished line.
    package init(parsing line: Span<UInt8>) throws(ParseError) {
      var start = 0
      while start < line.count, line[start] < 0x20 || line[start] == 0x7F { start += 1 }
      let line = line.extracting(droppingFirst: start)
      if hasPrefix(line, "setTime(") {
        self = .clock(try Clock(parsing: line))
        return
      }
      guard hasPrefix(line, "GB(") else {
        self = .other
        return
      }
      self.init(try ScriptObject(parsing: line, at: 3))
    }

    private init(_ object: ScriptObject) {
      var kind = ScriptObject.Text()
      _ = object.read("t", into: &kind)
      if isText(kind.bytes, "nav") {
        if let turn = NextTurn(object) { self = .nextTurn(turn) } else { self = .navigationOver }
      } else if isText(kind.bytes, "call") {
        self = .call(Call(object))
      } else if isText(kind.bytes, "notify") {
        self = .notice(Notice(object))
      } else if isText(kind.bytes, "notify-"), let identifier = object.integer("id") {
        self = .noticeRemoved(identifier)
      } else if isText(kind.bytes, "musicinfo") {
        self = .track(Track(object))
      } else if isText(kind.bytes, "musicstate") {
        self.init(player: object)
      } else {
        self = .other
      }
    }

    private init(player object: ScriptObject) {
      var state = ScriptObject.Text()
      _ = object.read("state", into: &state)
      if isText(state.bytes, "play") {
        self = .player(.playing)
      } else if isText(state.bytes, "pause") {
        self = .player(.paused)
      } else if isText(state.bytes, "stop") {
        self = .player(.stopped)
      } else {
        self = .other
      }
    }
  }
}

/// Gadgetbridge, a free app for Android: what it sends to a Bangle.js, and what the watch answers.
///
/// It writes lines of JavaScript to the Nordic UART Service: `LineAssembler` cuts whole lines out of the
/// values, `Message` reads them without evaluating anything, and `Answer` writes the answers. Read in
/// its sources, `BangleJSDeviceSupport`, of August 2026.
package enum Gadgetbridge {}

extension Gadgetbridge {
  /// A line `setTime(S);E.setTimeZone(H);…`, which comes at each connection and when the phone's clock changes.
  package struct Clock: Equatable, Sendable {
    /// Seconds since 1970 began in UTC.
    package let seconds: Int64
    /// The phone's zone, with summer time.
    package let zone: Zone

    /// Reads a line; throws `ParseError.invalid` for a time that `LocalTime` does not have.
    ///
    /// The rest of the line is for a watch and is not read.
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

    /// The start and end of a call's only argument, a number; the closing bracket is at the end.
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

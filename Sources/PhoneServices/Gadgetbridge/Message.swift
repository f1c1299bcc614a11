package import Bytes

extension Gadgetbridge {
  /// What a line says: a call `GB({"t":…})` or `setTime(…)`, of which nothing is evaluated.
  ///
  /// What a case has is passed on to a function that borrows it: Swift 6.3 crashes where a span is taken from
  /// what a pattern binds.
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
    /// Any other line, such as a setting for a watch, or an offer of the position: silence is no.
    case other

    /// What the player does.
    package enum Player: Equatable, Sendable {
      case playing, paused, stopped
    }

    /// Reads a line without its newline; throws if its literals are not whole, or too deep in each other.
    package init(parsing line: Span<UInt8>) throws(ParseError) {
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
        self.init(navigation: object)
      } else if isText(kind.bytes, "call") {
        self = .call(Call(object))
      } else if isText(kind.bytes, "notify") {
        self = .notice(Notice(object))
      } else if isText(kind.bytes, "notify-") {
        self.init(removed: object.integer("id"))
      } else if isText(kind.bytes, "musicinfo") {
        self = .track(Track(object))
      } else if isText(kind.bytes, "musicstate") {
        self.init(player: object)
      } else {
        self = .other
      }
    }

    private init(navigation object: ScriptObject) {
      if let turn = NextTurn(object) {
        self = .nextTurn(turn)
      } else {
        self = .navigationOver
      }
    }

    private init(removed identifier: Int64?) {
      if let identifier {
        self = .noticeRemoved(identifier)
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

/// Gadgetbridge, a free app for Android: what it sends to a Bangle.js, and what that answers.
///
/// It writes lines of JavaScript to the Nordic UART Service: `LineAssembler` cuts whole lines out of the
/// values, `Message` reads them without evaluating anything, and `Answer` has what goes back. Read in
/// its sources, `BangleJSDeviceSupport`, of August 2026.
package enum Gadgetbridge {}

package import HCI

/// How often a ride's link has connection events, from a while after its characteristic was found.
///
/// A relaxed link that was lost had too few connection events. In the same ride it is not relaxed that far again,
/// whichever side asks for it.
package struct Pace {
  /// 50 ms, in units of 1.25 ms.
  private static var quickWait: UInt32 { 40 }

  private var isKeptQuick = false

  /// No ride has begun.
  package init() {}

  /// How long a phone may ask to wait between two connection events, in units of 1.25 ms.
  package var longestWait: UInt32 { isKeptQuick ? Self.quickWait : .max }

  /// Whether a link with these parameters is relaxed.
  package static func isRelaxed(_ parameters: ConnectionParameters) -> Bool {
    parameters.longestWait > quickWait
  }

  /// 100 to 125 ms: an instruction may come that late, and both sides save power; or else 30 to 50 ms.
  package var relaxed: ConnectionParameters {
    let (shortest, longest): (UInt16, UInt16) = isKeptQuick ? (24, 40) : (80, 100)
    return ConnectionParameters(
      intervalMin: shortest, intervalMax: longest, latency: 0, supervisionTimeout: 400)
  }

  /// Another ride begins.
  package mutating func rideBegan() { isKeptQuick = false }

  /// A link ended for this reason.
  package mutating func linkEnded(_ reason: ErrorCode, isRelaxed: Bool) {
    if isRelaxed, reason == .connectionTimeout { isKeptQuick = true }
  }
}

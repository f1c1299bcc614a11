import HCI

/// How often in a row the remembered phone has ended a link as one does whose Bluetooth has lost its way.
///
/// Other devices' users report both codes again and again; what helps is to switch Bluetooth off and on there.
struct Stumbles {
  /// As many failures as it takes until a key is in doubt.
  private static var countToTell: Int { 3 }

  private var count = 0
  private var isTold = false

  /// Whether the rider is to be told.
  package var isToBeTold: Bool { count >= Self.countToTell && !isTold }

  /// A link, or the attempt at one, ended for this reason.
  package mutating func linkEnded(_ reason: ErrorCode) {
    switch reason {
    case .unspecifiedError, .connectionTerminatedDueToMICFailure:
      count = min(count + 1, Self.countToTell)
    default: break
    }
  }

  /// The rider has been told, and is not told again in this row.
  mutating func wereTold() { isTold = true }

  /// A link has led to a ride.
  package mutating func linkIsReady() { self = Stumbles() }
}

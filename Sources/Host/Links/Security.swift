import Bytes
import HCI
import SMP

/// What outlives a link of the way to a secure one.
struct SecurityState {
  private static var firstRest: Int64 { 5_000 }
  private static var lastRest: Int64 { 60_000 }

  /// When a pairing may be tried again.
  var attempts = RepeatedAttempts()
  /// Our own identity resolving key, for phones that take one.
  var localIRK: Octets<16>?
  /// Whether the remembered phone has shown that it has no key of ours any more.
  private(set) var isBondRejected = false
  private var rest: Int64 = 0
  private var restEnd: Instant?

  /// Who we are to phones, for as long as there is a key to give.
  func identity(_ address: DeviceAddress) -> Identity? {
    guard let localIRK else { return nil }
    return Identity(irk: localIRK, address: address)
  }

  /// Whether the remembered phone is left alone for a while after it did not know us.
  func isResting(at now: Instant) -> Bool {
    guard let restEnd else { return false }
    return now < restEnd
  }

  /// The remembered phone does not know us: it is tried ever more rarely.
  ///
  /// It is tried at all, as anybody may send its address and then have no key.
  mutating func rejectBond(at now: Instant) {
    isBondRejected = true
    rest = rest == 0 ? Self.firstRest : min(rest * 2, Self.lastRest)
    restEnd = now + rest
  }

  /// The rider wants it now.
  mutating func endRest() { restEnd = nil }

  /// The remembered phone knows us, or is another one now.
  mutating func acceptBond() {
    isBondRejected = false
    rest = 0
    restEnd = nil
  }
}

import Bytes

/// The phone that the host connects to, or did last.
struct Peer: ~Copyable {
  private(set) var candidate = Candidate.nobody
  /// What it calls itself in its advertisements, empty if it did not.
  private(set) var advertisedName = FixedBuffer<32>()
  /// When the last attempt at it began.
  private(set) var attemptStart = Instant(milliseconds: 0)

  /// Whether it is the remembered phone.
  var isRemembered: Bool { candidate.match == .bond }

  /// Makes `candidate` the phone.
  ///
  /// A name that was not heard this time stays, if it is still the same phone.
  mutating func choose(
    _ candidate: Candidate, advertisedName name: Span<UInt8>, at now: Instant
  ) {
    attemptStart = now
    if candidate.address != self.candidate.address { advertisedName.removeAll() }
    self.candidate = candidate
    if !name.isEmpty { advertisedName.assign(name) }
  }

  /// It is the remembered phone from now on.
  mutating func remember() { candidate.match = .bond }

  /// It is nobody in particular any more: neither signal nor name are told.
  mutating func forget() {
    candidate.match = .service
    candidate.rssi = nil
    advertisedName.removeAll()
  }
}

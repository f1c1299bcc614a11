package import Bytes

/// The phone that the host connects to, or did last.
package struct Peer: ~Copyable {
  package private(set) var candidate = Candidate.nobody
  /// What it calls itself in its advertisements, empty if it did not.
  package private(set) var advertisedName = FixedBuffer<32>()
  /// When the last attempt at it began.
  package private(set) var attemptStart = Instant(milliseconds: 0)

  /// Nobody so far.
  package init() {}

  /// Whether it is the remembered phone.
  package var isRemembered: Bool { candidate.match == .bond }

  /// Makes `candidate` the phone.
  ///
  /// A name that was not heard this time stays, if it is still the same phone.
  package mutating func choose(
    _ candidate: Candidate, advertisedName name: Span<UInt8>, at now: Instant
  ) {
    attemptStart = now
    if candidate.address != self.candidate.address { advertisedName.removeAll() }
    self.candidate = candidate
    if !name.isEmpty { advertisedName.assign(name) }
  }

  /// It is the remembered phone from now on.
  package mutating func remember() { candidate.remember() }

  /// It is nobody in particular any more: neither signal nor name are told.
  package mutating func forget() {
    candidate.forget()
    advertisedName.removeAll()
  }
}

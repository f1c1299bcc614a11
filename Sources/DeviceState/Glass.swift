import Bytes

/// What the glass offers, and since when: no press agrees to anything else.
struct Glass {
  /// A press sooner than this after something appeared was meant for something else.
  private static var readingTime: Int64 { 1_000 }

  private var offer = Offer.nothing
  private var since: Instant
  /// What the picture offers that is on its way.
  private var coming = Offer.nothing

  /// A glass of which nobody knows what it shows.
  package init(at now: Instant) { since = now }

  /// A picture is on its way.
  mutating func pictureLeaves(offering offer: Offer) { coming = offer }

  /// It has arrived; returns whether it offers something that the glass did not.
  package mutating func pictureArrived(at now: Instant) -> Bool {
    guard coming != offer else { return false }
    (offer, since) = (coming, now)
    return offer != .nothing
  }

  /// Nobody knows any more what the glass shows.
  mutating func isUnknown() { offer = .nothing }

  /// Whether it was there when the contact closed.
  package func hadShown(_ offer: Offer, at closing: Instant) -> Bool {
    self.offer == offer && closing >= since
  }

  /// Whether the rider could have read it when the contact closed.
  package func couldBeRead(_ offer: Offer, at closing: Instant) -> Bool {
    hadShown(offer, at: closing + -Self.readingTime)
  }
}

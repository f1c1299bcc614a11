package import Bytes

/// What is known of each address from attempts and links before: which one was of use, which rests, and which
/// has shown the key.
///
/// It owns the rests, the doubts, and the phone that had the service last. What happens comes in by `receive`.
package struct Reputation: ~Copyable {
  /// How likely a phone is the rider's.
  package enum Ownership: Equatable {
    case stranger
    /// A ride was lost whose phone is not remembered.
    case maybeOurs
    /// It is remembered.
    case ours
  }

  /// What happened with an address.
  package enum Input {
    /// The service was found there: it is preferred from now on.
    case served(DeviceAddress)
    /// No address is preferred any more.
    case disowned
    /// Its owner has the key: how often it has failed is forgotten.
    case proven(DeviceAddress)
    /// Its owner has no key of ours.
    ///
    /// Any device can send a recorded address: the phone's other addresses are not kept waiting.
    case keyless(DeviceAddress)
    /// It is not to be followed: it is left alone for a minute.
    case useless(DeviceAddress)
    /// It does not have the service, which may come with an app that is opened: it is left alone for a moment, then
    /// longer each time.
    case serviceless(DeviceAddress)
    /// An unknown phone is connected to, though the rider may not be asked about it.
    case strangerTried
    /// It was never ready: it is left alone for a moment, and if this happens again soon, for a minute.
    case unfinished(DeviceAddress)
    /// It has a link with us, as the controller says: it is left alone for a moment.
    case linked(DeviceAddress)
    /// An attempt failed, or the link was lost before it led to anything: it is left alone for a moment.
    case failed(DeviceAddress, Ownership)
    /// The rider wants to try again: no address rests any more.
    case riderAsked
  }

  /// The rest of a phone that is not to be followed.
  private static var longRest: Int64 { 60_000 }
  /// How long a link that led to nothing counts: the phone's next link begins well within this time.
  private static var unfinishedTime: Int64 { 120_000 }
  /// The rest of a phone that could not be connected, or was not ready: others have their turn.
  private static var shortRest: Int64 { 5_000 }
  /// The same for the rider's phone: its address is proven, or it was lost a moment ago.
  private static var ownRest: Int64 { 500 }

  private var rests = Rests()
  private var doubts = Doubts()
  private var lastPeer: DeviceAddress?
  /// The phone whose link led to nothing last, and until when that counts for its next one.
  private var lastUnfinished: (address: DeviceAddress, end: Instant)?
  private var strangers = UnaskedStrangers()

  package mutating func receive(_ input: Input, at now: Instant) {
    switch input {
    case .served(let address):
      lastPeer = address
      rests.forget(address)
      strangers = UnaskedStrangers()
      // If the phone is proven, the failures may be those of a stranger that goes on sending recorded addresses.
      if !doubts.isProven(address) { rests.forgetCounts() }
    case .disowned: lastPeer = nil
    case .proven(let address):
      rests.forget(address)
      doubts.prove(address)
    case .keyless(let address):
      doubts.fail(address, isFirst: rests.count(of: address) == 0, at: now)
      rests.beginDoubling(address, isOurs: true, at: now)
    case .useless(let address): restLong(address, at: now)
    case .serviceless(let address):
      if lastPeer == address { lastPeer = nil }
      rests.beginDoubling(address, isOurs: doubts.isProven(address), at: now)
    case .strangerTried: strangers.tried()
    case .unfinished(let address): restUnfinished(address, at: now)
    case .linked(let address): rest(address, for: Self.shortRest, at: now)
    case .failed(let address, .ours): restOwn(address, at: now)
    case .failed(let address, let ownership): restShort(address, ownership, at: now)
    case .riderAsked:
      rests.endAll()
      doubts.settle()
      strangers = UnaskedStrangers()
    }
  }

  /// Receives an advertisement of an address of the remembered phone.
  package mutating func receive(advertisementOf address: DeviceAddress, at now: Instant) {
    doubts.receive(advertisementOf: address, at: now)
  }

  /// Listening has begun again.
  package mutating func listeningBegan(at now: Instant) { strangers.listeningBegan(at: now) }

  private mutating func rest(_ address: DeviceAddress, for time: Int64, at now: Instant) {
    rests.begin(address, for: time, isOurs: doubts.isProven(address), at: now)
  }

  private mutating func restLong(_ address: DeviceAddress, at now: Instant) {
    if lastPeer == address { lastPeer = nil }
    rest(address, for: Self.longRest, at: now)
  }

  private mutating func restUnfinished(_ address: DeviceAddress, at now: Instant) {
    if let last = lastUnfinished, last.address == address, now < last.end {
      lastUnfinished = nil
      return restLong(address, at: now)
    }
    lastUnfinished = (address, now + Self.unfinishedTime)
    restShort(address, .stranger, at: now)
  }

  /// A phone that may be the rider's is back sooner, but only once: else strangers would keep the rider's out.
  private mutating func restShort(
    _ address: DeviceAddress, _ ownership: Ownership, at now: Instant
  ) {
    let isOwn =
      lastPeer == address || ownership == .maybeOurs && rests.count(of: address) == 0
    rest(address, for: isOwn ? Self.ownRest : Self.shortRest, at: now)
  }

  /// Has an address of the remembered phone rest, unless it rests already, as for a refused key.
  private mutating func restOwn(_ address: DeviceAddress, at now: Instant) {
    guard !rests.isResting(address, isOurs: true, at: now) else { return }
    doubts.fail(address, isFirst: rests.count(of: address) == 0, at: now)
    if doubts.isProven(address) {
      rest(address, for: Self.ownRest, at: now)
    } else {
      rests.beginSilent(address, at: now)
    }
  }

  // MARK: - What is known

  /// Whether the service was found there the last time.
  package func isPreferred(_ address: DeviceAddress) -> Bool { lastPeer == address }

  /// Whether the owner of an address has shown the key since the start.
  package func isProven(_ address: DeviceAddress) -> Bool { doubts.isProven(address) }

  /// Whether it is the remembered phone, the one that had the service last, or one that has opened an encrypted link.
  package func isAcquainted(_ phone: Candidate) -> Bool {
    phone.match == .bond || isPreferred(phone.address) || isProven(phone.address)
  }

  /// Whether the phone is left alone.
  ///
  /// The rest of strangers ends when the rider asks for a phone: from then on the rider may be asked about them.
  func isResting(_ phone: Candidate, at now: Instant) -> Bool {
    let isOurs = isAcquainted(phone)
    if !isOurs, strangers.areResting(at: now) { return true }
    return rests.isResting(phone.address, isOurs: isOurs, at: now)
  }

  /// How many unknown phones were connected to without result, while the rider may not be asked about them.
  package var strangersTried: Int { strangers.count }

  /// Until when the radio listens before the next attempt, if it does.
  func listeningEnd(at now: Instant) -> Instant? { doubts.listeningEnd(at: now) }

  /// How long an attempt may last at an address that is not proven, and was heard at this interval.
  package func attemptTime(
    for address: DeviceAddress, at interval: Int64?, isSlow: Bool, at now: Instant
  ) -> Int64 {
    doubts.attemptTime(
      at: interval, hasFailed: rests.count(of: address) > 0, isSlow: isSlow, at: now)
  }

  /// How often it has led to nothing.
  package func failures(of address: DeviceAddress) -> Int { rests.count(of: address) }

  /// How often in a row it was heard.
  func steadiness(of address: DeviceAddress) -> UInt8 { doubts.steadiness(of: address) }
}

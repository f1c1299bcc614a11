import Bytes

/// What the rider was asked about the phone that has the link, and whether the link is the ride's.
///
/// | state | means | what happens | next |
/// |---|---|---|---|
/// | `new` | nothing was asked | an attempt must wait | `delayed` |
/// | `delayed` | another attempt is due later | its time has come | `new` |
/// | `new`, `delayed`, `asked` | | the rider is asked about a pairing | `asked` |
/// | | | the rider is asked whether to do without a key | `asking` |
/// | `asking` | the rider is to answer in time | the answer, or none in time | `asked` |
/// | `asked` | the rider was asked | an attempt must wait | `delayed` |
/// | any | | the phone is trusted, and shows the way or writes a turn | `riding` |
/// | `riding` | the link is the ride's; an attempt may be due later | an attempt must wait | the same |
/// | | | its time has come | the same |
/// | | | the rider is asked about a pairing | `asked`; `riding` again after it |
/// | | | the phone is left | `new` |
struct Consent: Equatable {
  enum State: Equatable {
    case new
    case delayed(until: Instant)
    case asking(until: Instant)
    case asked
    case riding(attempt: Instant?)
  }

  private(set) var state = State.new
  /// Whether the rider asked for the search that led here, so that the phone may be paired with.
  ///
  /// Of a phone that made the link, `Host.mayVisitorPair` has decided it. One that we connected to and that has lost its
  /// key also needs `Security.mayPairAgain`.
  let mayPair: Bool

  /// No phone, or a phone that was just met.
  init(mayPair: Bool = false) { self.mayPair = mayPair }

  /// Whether the phone, which is trusted, has shown the way or written a turn: its loss is that of a ride.
  var isRiding: Bool { if case .riding = state { true } else { false } }

  /// Whether the rider was asked about the phone, and neither a wait nor the ride has begun since.
  var wasAsked: Bool {
    switch state {
    case .asking, .asked: true
    case .new, .delayed, .riding: false
    }
  }

  /// When the rider's time to answer ends.
  var questionEnd: Instant? { if case .asking(let end) = state { end } else { nil } }

  /// When a phone that has to wait for its pairing may be paired with.
  var nextAttempt: Instant? {
    switch state {
    case .delayed(let end): end
    case .riding(let attempt): attempt
    case .new, .asking, .asked: nil
    }
  }

  /// When a question or a delay is over.
  var deadline: Instant? { questionEnd ?? nextAttempt }

  /// The phone has failed before, and may be paired with again from `end` on.
  mutating func delay(until end: Instant) {
    state = isRiding ? .riding(attempt: end) : .delayed(until: end)
  }

  /// The time of the delayed attempt has come.
  mutating func attemptIsDue() { state = isRiding ? .riding(attempt: nil) : .new }

  /// The rider is asked about a pairing that runs.
  mutating func ask() { state = .asked }

  /// The rider is asked whether to do without a key.
  mutating func ask(until end: Instant) { state = .asking(until: end) }

  /// The rider has answered whether to do without a key, or not in time; returns whether this was asked.
  mutating func answered() -> Bool {
    guard questionEnd != nil else { return false }
    state = .asked
    return true
  }

  /// The link is the ride's; returns whether that is news.
  mutating func beginRide() -> Bool {
    guard !isRiding else { return false }
    state = .riding(attempt: nextAttempt)
    return true
  }

  /// The phone is left: that was no ride.
  mutating func endRide() { if isRiding { state = .new } }
}

package import Bytes

/// Which phone the host searches for, how often it listens, and until when.
///
/// It changes only by what happens (`receive`), and says how to listen (`mode`). Its time counts only while the host
/// listens: an attempt to connect and a link stop it.
///
/// | state | listens | may pair with a stranger | for |
/// |---|---|---|---|
/// | `asked` | all the time | yes: the rider asked, or the program started | 30 s |
/// | `afterLoss` | all the time; at rest a tenth of it | no | 30 s; 10 min for the `remembered` phone after a ride |
/// | `slow` | a tenth of the time | no | no limit; for `stranger` up to 10 min after a ride |
/// | `idle` | not at all | – | until the rider asks |
/// | `over` | not at all | – | no limit |
///
/// | what happens | in | next |
/// |---|---|---|
/// | `restarted` | `asked` | `asked`; its 30 s begin with `controllerIsUp` |
/// | | `afterLoss`, `slow` | `afterLoss`; its 30 s begin with `controllerIsUp` |
/// | `controllerIsUp` | `asked`, `afterLoss` | the same for 30 s, if they have not begun yet |
/// | `riderAsked` | any but `over` | `asked` for 30 s, with a second chance |
/// | `riderHurried` | `slow` | `afterLoss` for 30 s |
/// | | `afterLoss` | the same for at least 30 s |
/// | `attemptFailed` | `asked` with a second chance | `asked` for at least 10 s, without |
/// | | `afterLoss`, `slow`, for the `remembered` phone | `afterLoss` for 30 s, if not for longer already |
/// | `linkFailed` | `asked` with a second chance | as after `attemptFailed` |
/// | `visited` | `asked` | the same, longer by the time that a stranger had a link to us |
/// | `linkLost` | any, while a ride of the `remembered` phone is searched for | the same |
/// | | `asked`, endless | `asked` for 30 s |
/// | | `asked`, not endless | as after `attemptFailed` |
/// | | `afterLoss`, `slow`, endless | `afterLoss` for 30 s, if not for longer already |
/// | `rideBegan` | any | the same; no earlier ride is searched for any more |
/// | `keyIsKept` | any | the same; see below |
/// | `rideLost` | any but `over` | `afterLoss`; the ride is searched for 10 min |
/// | `trustLost` | `asked` | `afterLoss` for the rest of the time, or of a ride's 10 min |
/// | `refused` | any but `over` | `idle` for `stranger`; for the others as after `trustLost` |
/// | `remembered` | `idle` | `slow`; in all states the search is endless from now on |
/// | `notRemembered` | any | the same; the search is not endless any more |
/// | `forgotten` | any but `over` | `idle`; for `anybody` `afterLoss` for 30 s |
/// | `timePassed` | `asked` at its end | `afterLoss` for the rest of a ride's 10 min, if there is one |
/// | | `asked`, `afterLoss` at their end | `slow`, or `idle` if that is at its end, too |
/// | | `slow` at its end | `idle` |
/// | `letGo` | any but `over`, for the `remembered` phone | `slow`; it must offer the service until a ride or a press |
/// | `rests` | any | the same, which listens less from now on, or as usual again |
/// | `left` | any | `over` |
///
/// Where pairing is demanded, a `stranger` could not be followed without the rider: what would lead to `afterLoss` or
/// `slow` leads to `idle`, except if this ride's phone has a key.
///
/// What is not in the table changes no state. `heard` starts the minute of `isDeaf` again, and `riderIsThere` ends
/// what `letGo` began. Another kind of device that is searched for gets a value of its own.
package struct Search: Equatable {
  /// How hard the host searches, and why.
  package enum State: Equatable {
    /// The rider wants it; `until` is `nil` as long as the controller is not up.
    case asked(until: Instant?, hasSecondChance: Bool)
    /// A phone was lost; `until` as above.
    case afterLoss(until: Instant?)
    /// No phone came in time, but one still may.
    case slow
    /// Nobody is searched for.
    case idle
    /// The owner is about to end.
    case over
  }

  /// Which phone is searched for.
  package enum Target: Equatable {
    /// Any that has the service, without end, as no phone is ever remembered.
    case anybody
    /// Any that has the service, as no phone is remembered so far.
    case stranger
    /// The remembered phone only, without end.
    case remembered
  }

  /// What happens to a search.
  package enum Input: Equatable {
    /// The controller is being brought up, after the transport was opened or something failed.
    case restarted
    case controllerIsUp(at: Instant)
    /// The rider pressed a button that asks for a phone.
    case riderAsked(at: Instant)
    /// The rider pressed a button that asks for nothing, during a search.
    case riderHurried(at: Instant)
    /// An attempt to connect led to no link.
    case attemptFailed(at: Instant)
    /// A link ended before the phone was trusted.
    case linkFailed(at: Instant)
    /// A visitor that is not trusted had the link for this time in milliseconds, in which nothing was heard.
    case visited(for: Int64)
    /// A link to a phone that is trusted ended, and was no ride.
    case linkLost(at: Instant)
    case rideBegan
    case rideLost(at: Instant)
    /// The phone was paired with, and has a key for this ride, though it cannot be remembered.
    case keyIsKept
    /// The remembered phone was left, as it had nothing to show.
    case letGo
    /// The rider has pressed a button, whatever for.
    case riderIsThere
    /// Nobody is to be paired with before the rider asks again.
    case trustLost
    /// The rider said no to a phone, or the phone's owner to us.
    case refused
    /// There is a remembered phone.
    case remembered
    /// There is none.
    case notRemembered
    /// The rider wants to be rid of the phone.
    case forgotten(at: Instant)
    /// The device stands at home and nobody uses it, or that is over.
    case rests(isAtRest: Bool)
    /// Some device was heard, or listening began.
    case heard(at: Instant)
    case timePassed(at: Instant)
    case left
  }

  private static var fastTime: Int64 { 30_000 }
  /// More than the rest of a phone that could not be connected to.
  private static var secondChanceTime: Int64 { 10_000 }
  /// How long a lost ride is searched for.
  private static var rideTime: Int64 { 600_000 }
  /// A controller that hears nothing for a minute may have lost its commands.
  private static var deafTime: Int64 { 60_000 }

  package private(set) var state: State
  package private(set) var target: Target
  /// Until when the lost ride is searched for.
  package private(set) var rideEnd: Instant?
  private var deafEnd: Instant?
  /// Whether nobody uses the device; a search that the rider asks for is fast all the same.
  private var isAtRest = false
  /// Whether the remembered phone is of use only once it offers the service.
  package private(set) var awaitsService = false
  /// Whether only phones that are paired with are followed.
  private let demandsPairing: Bool
  /// Whether the phone of this ride has a key, though it is not remembered.
  private var isKeyKept = false

  /// The search of a program that starts, or one in the middle of something.
  package init(
    _ target: Target, _ state: State = .asked(until: nil, hasSecondChance: true),
    rideEnd: Instant? = nil, demandsPairing: Bool = false
  ) {
    self.target = target
    self.state = state
    self.rideEnd = rideEnd
    self.demandsPairing = demandsPairing
  }

  // MARK: - What is to be done

  /// How to listen.
  package var mode: ScanMode {
    switch state {
    case .asked: .fast
    case .afterLoss: isAtRest ? .slow : .fast
    case .slow: .slow
    case .idle, .over: .off
    }
  }

  /// Whether a stranger may be paired with, or the remembered phone once more.
  package var mayPair: Bool {
    if case .asked = state { target != .anybody } else { false }
  }

  /// When the search ends that the rider asked for; `nil` if it has no end, or there is none.
  package var askedEnd: Instant? {
    if case .asked(let end, _) = state, !isEndless { end } else { nil }
  }

  /// When `timePassed` or `isDeaf` changes something while the host listens.
  package var deadline: Instant? {
    switch state {
    case .asked(let end, _), .afterLoss(let end): earlier(end, deafEnd)
    case .slow: earlier(isEndless ? nil : rideEnd, deafEnd)
    case .idle, .over: nil
    }
  }

  /// Whether nothing at all has been heard for a minute: then the controller is asked whether it still listens.
  package func isDeaf(at now: Instant) -> Bool {
    guard let deafEnd else { return false }
    return now >= deafEnd
  }

  /// Whether a ride was lost so short ago that it is still searched for.
  package func isRideGoingOn(at now: Instant) -> Bool {
    guard let rideEnd else { return false }
    return now < rideEnd
  }

  /// Whether a search ends only with a link.
  private var isEndless: Bool { target != .stranger }

  // MARK: - What happens

  package mutating func receive(_ input: Input) {
    guard state != .over else { return }
    switch input {
    case .restarted: restart()
    case .controllerIsUp(let now): if isPending { begin(at: now) }
    case .riderAsked(let now):
      awaitsService = false
      state = .asked(until: isPending ? nil : now + Self.fastTime, hasSecondChance: true)
    case .riderHurried(let now): hurry(at: now)
    case .attemptFailed(let now):
      giveSecondChance(at: now)
      // Somebody with an address of the phone is near, and so may the phone be.
      if target == .remembered, mode != .off, !mayPair { begin(at: now) }
    case .linkFailed(let now): giveSecondChance(at: now)
    case .visited(let time):
      if case .asked(let end?, let hasSecondChance) = state {
        state = .asked(until: end + time, hasSecondChance: hasSecondChance)
      }
    case .linkLost(let now):
      if isRideGoingOn(at: now), target == .remembered { break }
      if isEndless { begin(at: now) } else { giveSecondChance(at: now) }
    case .rideBegan: (rideEnd, awaitsService) = (nil, false)
    case .keyIsKept: isKeyKept = true
    case .rideLost(let now):
      rideEnd = now + Self.rideTime
      state = .afterLoss(until: endOfRide ?? now + Self.fastTime)
    case .letGo: letGo()
    case .riderIsThere: awaitsService = false
    case .trustLost: loseTrust()
    case .refused: refuse()
    case .remembered:
      (target, awaitsService) = (.remembered, false)
      if state == .idle { state = .slow }
    case .notRemembered:
      awaitsService = false
      if target == .remembered { target = .stranger }
    case .forgotten(let now): forget(at: now)
    case .rests(let isAtRest): self.isAtRest = isAtRest
    case .heard(let now): deafEnd = now + Self.deafTime
    case .timePassed(let now): advance(to: now)
    case .left: state = .over
    }
    if demandsPairing, target == .stranger, !isKeyKept { endWithoutResult() }
    if state == .idle || target != .stranger { isKeyKept = false }
  }

  private mutating func endWithoutResult() {
    switch state {
    case .afterLoss, .slow: (state, rideEnd) = (.idle, nil)
    case .asked, .idle, .over: break
    }
  }

  /// Whether the time has not begun, as the controller is not up.
  private var isPending: Bool {
    switch state {
    case .asked(until: nil, _), .afterLoss(until: nil): true
    default: false
    }
  }

  private mutating func restart() {
    switch state {
    case .asked(_, let hasSecondChance):
      state = .asked(until: nil, hasSecondChance: hasSecondChance)
    case .afterLoss, .slow: state = .afterLoss(until: nil)
    case .idle, .over: break
    }
  }

  /// Listens all the time from now on, if at all.
  private mutating func begin(at now: Instant) {
    let end = now + Self.fastTime
    switch state {
    case .asked(_, let hasSecondChance):
      state = .asked(until: end, hasSecondChance: hasSecondChance)
    case .afterLoss, .slow: state = .afterLoss(until: max(end, endOfRide ?? end))
    case .idle, .over: break
    }
  }

  /// Listens all the time for a while; which phone may be paired with is the same.
  private mutating func hurry(at now: Instant) {
    switch state {
    case .slow: state = .afterLoss(until: now + Self.fastTime)
    case .afterLoss(let end?): state = .afterLoss(until: max(end, now + Self.fastTime))
    case .asked, .afterLoss(until: nil), .idle, .over: break
    }
  }

  /// Until when a ride of the remembered phone is searched for all the time.
  private var endOfRide: Instant? { target == .remembered ? rideEnd : nil }

  /// Lets a phone that led to nothing make the search longer, once.
  private mutating func giveSecondChance(at now: Instant) {
    let end = now + Self.secondChanceTime
    guard case .asked(let oldEnd?, hasSecondChance: true) = state, oldEnd < end else { return }
    state = .asked(until: end, hasSecondChance: false)
  }

  private mutating func refuse() {
    guard target == .stranger else { return loseTrust() }
    (state, rideEnd) = (.idle, nil)
  }

  private mutating func loseTrust() {
    guard case .asked(let end, _) = state else { return }
    state = .afterLoss(until: end.map { max($0, endOfRide ?? $0) })
  }

  private mutating func letGo() {
    guard target == .remembered else { return }
    (state, rideEnd, awaitsService) = (.slow, nil, true)
  }

  private mutating func forget(at now: Instant) {
    (rideEnd, awaitsService) = (nil, false)
    guard target == .anybody else {
      target = .stranger
      state = .idle
      return
    }
    state = .afterLoss(until: isPending ? nil : now + Self.fastTime)
  }

  private mutating func advance(to now: Instant) {
    switch state {
    case .asked(let end?, _) where now >= end:
      // The ride is searched for as long as it was before the rider asked.
      state = endOfRide.map { .afterLoss(until: $0) } ?? .slow
    default: break
    }
    if case .afterLoss(let end?) = state, now >= end { state = .slow }
    guard state == .slow, !isEndless else { return }
    if let rideEnd, now < rideEnd { return }
    state = .idle
  }
}

/// How eagerly the host listens for advertisements.
package enum ScanMode: Equatable, Sendable {
  /// All the time: after a start, a loss, or a press of a button.
  case fast
  /// A tenth of the time, to save the battery.
  case slow
  /// Not at all: nobody is searched for, or there is a link or the attempt at one.
  case off
}

/// Why an advertisement is taken for the rider's phone.
package enum Match: Equatable, Sendable {
  /// It lists the service.
  case service
  /// An app in the background offers a service whose bit is the same; see `OverflowArea`.
  case overflow
  /// It is the remembered phone, whatever it advertises.
  case bond
}

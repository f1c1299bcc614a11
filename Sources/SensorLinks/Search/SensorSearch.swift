package import Bytes
package import Sensors

/// The search for a sensor that the rider wants: sensors of new kinds come first, the strongest of them before others.
///
/// The sensors that were offered are a list, through which the rider goes round. A sensor that announces several
/// services is tried as each of them.
///
/// | state | what happens | next |
/// |---|---|---|
/// | `off` | the rider asks | `listening` for 30 s |
/// | `listening` | 1.5 s after the first sensor was heard | `trying` the strongest |
/// | | the rider wants the next one | `trying` the next of the list |
/// | | the time is over | `off` |
/// | `trying` | it is ready | `offering` for 60 s |
/// | | it leads to nothing, within 10 s | `trying` it as another kind, or `listening` |
/// | | the rider wants the next one | as while `offering` |
/// | `offering` | the rider keeps it | `off` |
/// | | it is silent for 10 s, and may be of another kind | `trying` it as that kind |
/// | | the rider wants the next one | `trying` it as another kind, else the next of the list, else `listening` |
/// | | the link is lost | `listening` |
/// | | the time is over | `off` |
/// | any | the rider ends it, a phone is in question, the host is to end, or the controller cannot do it | `off` |
///
/// A tried sensor is tried again only if the rider goes round. A sensor that cannot be reached stays in the list for 30
/// s after it was heard last. After sixteen the search tries no new sensor.
package struct SensorSearch: ~Copyable {
  /// How far it has come.
  enum State: Equatable {
    case off
    case listening
    case trying(SensorKind, DeviceAddress)
    case offering(SensorKind)
  }

  private struct Candidate {
    var address = DeviceAddress(0, .public)
    /// `Int8.min` is weaker than any sensor that is taken: the entry is empty.
    var rssi = Int8.min
    /// The other kinds as which it may be tried.
    var others = SensorKinds()
  }

  /// A sensor that was tried as one kind.
  private struct Tried {
    var kind = SensorKind.heart
    var address = DeviceAddress(0, .public)
    /// The kinds as which it may be tried next.
    var others = SensorKinds()
    /// Whether it was offered, so that it is in the list.
    var wasOffered = false
    /// When it was heard last.
    var heard = Instant(milliseconds: 0)
    /// Whether it could not be reached since it was heard.
    var isUnreachable = false
  }

  /// A sensor that the rider wears or has mounted is stronger.
  private static var weakest: Int8 { -70 }
  private static var searchTime: Int64 { 30_000 }
  /// How long the search goes on at least after a sensor was left.
  private static var nextTime: Int64 { 10_000 }
  /// Long enough to hear each sensor that advertises once a second.
  private static var patience: Int64 { 1_500 }
  private static var tryTime: Int64 { 10_000 }
  private static var offerTime: Int64 { 60_000 }
  /// After this silence, in milliseconds, the next thing that the sensor measures is tried.
  private static var silentTime: Int64 { 10_000 }
  /// How long a lost sensor stays in the list after it was heard last, in milliseconds.
  private static var goneTime: Int64 { 30_000 }

  private(set) var state = State.off
  /// When the search ends, if no sensor is tried or offered.
  private(set) var end: Instant?
  /// When the state has lasted too long.
  private var stateEnd: Instant?
  private var patienceEnd: Instant?
  /// When the offered sensor has been silent for too long.
  private var silenceEnd: Instant?
  /// Three of each kind, so that no kind can push out another; a cadence sensor is heard as `speed`.
  private var candidates = SensorSearch.noCandidates
  private var tried = InlineArray<16, Tried>(repeating: Tried())
  private var triedCount = 0
  /// The index in `tried` of the sensor that was tried last.
  private var current = 0

  /// When `advance` must be called at the latest.
  var deadline: Instant? {
    switch state {
    case .off: nil
    case .listening: earlier(end, patienceEnd)
    case .trying, .offering: earlier(stateEnd, silenceEnd)
    }
  }

  mutating func begin(at now: Instant) {
    self = SensorSearch()
    state = .listening
    end = now + Self.searchTime
  }

  @inline(never)  // one copy
  mutating func stop() { self = SensorSearch() }

  /// Receives the advertisement of a sensor, which may be of `others`, too; returns whether it is a new candidate.
  ///
  /// An unknown signal strength counts as the weakest that is allowed.
  mutating func receive(
    _ kind: SensorKind, _ address: DeviceAddress, others: SensorKinds, rssi: Int8?, at now: Instant
  ) -> Bool {
    let rssi = rssi ?? Self.weakest
    guard state == .listening, rssi >= Self.weakest else { return false }
    guard !isTried(kind, address) else {
      triedSensorWasHeard(address, at: now)
      return false
    }
    var weakest = 0
    for index in candidates[kind].indices {
      let candidate = candidates[kind][index]
      if candidate.address == address, candidate.rssi > Int8.min {
        candidates[kind][index].rssi = rssi
        return false
      }
      if candidate.rssi < candidates[kind][weakest].rssi { weakest = index }
    }
    guard rssi > candidates[kind][weakest].rssi else { return false }
    candidates[kind][weakest] = Candidate(address: address, rssi: rssi, others: others)
    if patienceEnd == nil { patienceEnd = now + Self.patience }
    return true
  }

  /// A sensor that was tried is heard.
  private mutating func triedSensorWasHeard(_ address: DeviceAddress, at now: Instant) {
    for index in 0..<triedCount where tried[index].address.isSame(as: address) {
      (tried[index].heard, tried[index].isUnreachable) = (now, false)
    }
  }

  /// Advances to `now`; returns whether the state has changed.
  mutating func advance(to now: Instant, remembered: SensorKinds) -> Bool {
    let before = state
    switch state {
    case .off: break
    case .listening:
      if let due = patienceEnd, now >= due { tryStrongest(remembered: remembered, at: now) }
      if state == .listening, let end, now >= end { stop() }
    case .trying: if let stateEnd, now >= stateEnd { linkWasLost(at: now) }
    case .offering:
      if let silenceEnd, now >= silenceEnd {
        self.silenceEnd = nil
        _ = tryNextKind(at: now)
      }
      // A rider who does not answer is not looking: the link may keep a stranger's sensor from its own display.
      if case .offering = state, let stateEnd, now >= stateEnd { stop() }
    }
    return state != before
  }

  /// A sensor is ready; it is offered if it is the one that is tried.
  mutating func offer(_ kind: SensorKind, _ address: DeviceAddress, at now: Instant) {
    guard case .trying(kind, let wanted) = state, wanted.isSame(as: address) else { return }
    state = .offering(kind)
    stateEnd = now + Self.offerTime
    silenceEnd = tried[current].others.isEmpty ? nil : now + Self.silentTime
    tried[current].wasOffered = true
    triedSensorWasHeard(address, at: now)
  }

  /// The offered sensor has sent a valid value.
  mutating func valueCame(at now: Instant) {
    silenceEnd = nil
    triedSensorWasHeard(tried[current].address, at: now)
  }

  /// The rider wants the next sensor.
  mutating func next(at now: Instant) {
    guard state != .off, triedCount > 0 else { return }
    if state != .listening, tryNextKind(at: now) { return }
    if let next = listed(in: current + 1..<triedCount) { return tryAgain(next, at: now) }
    guard state == .listening else { return goOn(at: now) }
    if let first = listed(in: 0..<triedCount) { tryAgain(first, at: now) }
  }

  /// The first of these indices whose sensor is in the list.
  private func listed(in range: Range<Int>) -> Int? {
    for index in range where tried[index].wasOffered { return index }
    return nil
  }

  /// An attempt at this address led to no link; returns whether the sensor there is the one that is tried.
  ///
  /// If it `hasTimedOut`, the sensor is unreachable, and leaves the list if it was not heard for long. An attempt that
  /// was broken off says nothing against the sensor.
  mutating func attemptFailed(
    _ address: DeviceAddress, hasTimedOut: Bool, at now: Instant
  ) -> Bool {
    guard case .trying(_, let sought) = state, sought.isSame(as: address) else { return false }
    if hasTimedOut {
      tried[current].isUnreachable = true
      if now - tried[current].heard >= Self.goneTime { tried[current].wasOffered = false }
    }
    goOn(at: now)
    return true
  }

  /// The link to the tried or offered sensor is lost: it may not be of the kind as which it was tried.
  mutating func linkWasLost(at now: Instant) {
    if case .trying = state, tryNextKind(at: now) { return }
    goOn(at: now)
  }

  /// Tries the current sensor as another kind; returns whether there is such a kind.
  private mutating func tryNextKind(at now: Instant) -> Bool {
    while triedCount < tried.count, let kind = tried[current].others.mostWorth {
      let address = tried[current].address
      tried[current].others.remove(kind)
      guard !isTried(kind, address) else { continue }
      tried[triedCount] = Tried(
        kind: kind, address: address, others: tried[current].others, heard: now)
      tried[current].others = SensorKinds()
      triedCount += 1
      tryAgain(triedCount - 1, at: now)
      return true
    }
    return false
  }

  /// Leaves the sensor that was tried or offered, and listens for others.
  private mutating func goOn(at now: Instant) {
    guard state != .off else { return }
    state = .listening
    (stateEnd, patienceEnd, silenceEnd) = (nil, nil, nil)
    end = max(end ?? now, now + Self.nextTime)
    candidates = Self.noCandidates
  }

  /// The sensor that is tried or offered belongs to another kind.
  mutating func move(to kind: SensorKind) {
    switch state {
    case .off, .listening: break
    case .trying(_, let address): (state, tried[current].kind) = (.trying(kind, address), kind)
    case .offering: (state, tried[current].kind) = (.offering(kind), kind)
    }
  }

  /// The kind that is tried or offered now.
  var kind: SensorKind? {
    switch state {
    case .off, .listening: nil
    case .trying(let kind, _), .offering(let kind): kind
    }
  }

  private mutating func tryStrongest(remembered: SensorKinds, at now: Instant) {
    patienceEnd = nil
    // With a list the search goes on to its end, as the rider may go round.
    guard triedCount < tried.count else { return hasList ? () : stop() }
    guard
      let (kind, candidate) = strongest(remembered: remembered, isNew: true)
        ?? strongest(remembered: remembered, isNew: false)
    else { return }
    tried[triedCount] = Tried(
      kind: kind, address: candidate.address, others: candidate.others, heard: now)
    triedCount += 1
    tryAgain(triedCount - 1, at: now)
  }

  private mutating func tryAgain(_ index: Int, at now: Instant) {
    current = index
    state = .trying(tried[index].kind, tried[index].address)
    (stateEnd, silenceEnd) = (now + Self.tryTime, nil)
  }

  /// The strongest among kinds that are not remembered (`isNew`), or among those that are; of the kinds of one sensor
  /// the one that is worth most.
  private func strongest(remembered: SensorKinds, isNew: Bool) -> (SensorKind, Candidate)? {
    var strongest: (SensorKind, Candidate)?
    for worth in 0..<SensorKind.count {
      let kind = SensorKind.worth(SensorKind.count - 1 - worth)
      guard remembered.contains(kind) != isNew else { continue }
      for index in candidates[kind].indices
      where candidates[kind][index].rssi > strongest?.1.rssi ?? Int8.min {
        strongest = (kind, candidates[kind][index])
      }
    }
    return strongest
  }

  // MARK: - The list

  /// Whether there is a sensor in the list.
  package var hasList: Bool { listed(in: 0..<triedCount) != nil }

  /// The sensor with this number, from 0: first those that were offered, then those that were only heard.
  package func listed(_ number: Int) -> ListedSensor? {
    var number = number
    for index in 0..<triedCount where tried[index].wasOffered {
      if number == 0 {
        return ListedSensor(
          tried[index].kind, tried[index].address, isMarked: index == current,
          isUnreachable: tried[index].isUnreachable)
      }
      number -= 1
    }
    for kind in SensorKind.all {
      for index in candidates[kind].indices where candidates[kind][index].rssi > Int8.min {
        let address = candidates[kind][index].address
        // A tried sensor was a candidate before.
        if isTried(kind, address) { continue }
        if number == 0 { return ListedSensor(kind, address, isMarked: false, isUnreachable: false) }
        number -= 1
      }
    }
    return nil
  }

  /// Whether a sensor was tried as this kind, or as the other one of its service.
  private func isTried(_ kind: SensorKind, _ address: DeviceAddress) -> Bool {
    for index in 0..<triedCount where tried[index].address.isSame(as: address) {
      if tried[index].kind == kind || tried[index].kind == kind.twin { return true }
    }
    return false
  }

  private static var noCandidates: PerKind<InlineArray<3, Candidate>> {
    PerKind(repeating: InlineArray(repeating: Candidate()))
  }
}

/// A sensor that the search has heard, for the list of them.
package struct ListedSensor {
  package let kind: SensorKind
  package let address: DeviceAddress
  /// Whether it is offered, or was tried last: the rider keeps this sensor, or goes on behind it.
  package let isMarked: Bool
  /// Whether it could not be reached when it was tried last.
  package let isUnreachable: Bool

  init(_ kind: SensorKind, _ address: DeviceAddress, isMarked: Bool, isUnreachable: Bool) {
    (self.kind, self.address) = (kind, address)
    (self.isMarked, self.isUnreachable) = (isMarked, isUnreachable)
  }
}

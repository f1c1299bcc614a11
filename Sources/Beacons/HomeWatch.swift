package import Bytes

/// Where the device is, and whether anybody uses it there.
package enum HomeState: Equatable, Sendable {
  /// Not at home, or nobody knows.
  case away
  /// At home, and somebody uses it or did so minutes ago.
  case here
  /// At home, and nobody uses it.
  case atRest
}

/// Whether the device is at home, by how strong one beacon is heard.
///
/// Each reading is taken with those of the three seconds before it: `SignalMean`. Their mean holds until
/// the next reading, however long that takes, as a radio that listens for a tenth of the time hears one
/// advertisement in ten.
///
/// | stage | what happens | next |
/// |---|---|---|
/// | `away` | a mean of `rssi` or more | `coming` |
/// | `coming` | a mean of `rssi` or more, 10 s after the first one or later | `here` |
/// | | a mean below `rssi` | `away` |
/// | `here` | a mean more than 10 dB below `rssi` | `leaving` |
/// | `leaving` | a mean more than 10 dB below `rssi`, 10 s after the first one or later | `away` |
/// | | any other mean | `here` |
/// | all | no reading for 30 s | `away` |
/// | | `startAnew`: a ride has its link, or nobody is searched for | `away` |
///
/// Its time counts only while the radio listens (`listens`): who does not listen hears no silence.
///
/// What is heard counts once its owner has taken the `conclusion`: a replay is told that alone, and hears
/// nothing. At rest is who is `here`, or `leaving`, 10 min after the last `use`. Reads no clock. Call
/// `advance` after each of the others, and no later than `deadline`.
package struct HomeWatch: Sendable {
  private enum Stage {
    case away
    case coming(since: Instant)
    case here
    case leaving(since: Instant)
  }

  /// For so many milliseconds what is heard must say the same.
  private static var confirmingTime: Int64 { 10_000 }
  private static var silenceTime: Int64 { 30_000 }
  private static var useTime: Int64 { 600_000 }
  /// So many dB weaker than at home it is heard from elsewhere.
  private static var margin: Int32 { 10 }

  /// What is listened for.
  package let beacon: HomeBeacon
  /// Where the device was at the last `advance`.
  package private(set) var state = HomeState.away
  private var stage = Stage.away
  /// What was concluded last.
  private var isHere = false
  /// When it was heard, or anybody asked for a conclusion.
  private var clock = Instant(milliseconds: 0)
  private var mean = SignalMean()
  private var lastReading: Instant?
  /// Since when the radio has not listened.
  private var pauseStart: Instant?
  private var useEnd: Instant?

  /// Is away, and nobody has used it.
  package init(_ beacon: HomeBeacon) { self.beacon = beacon }

  /// The beacon was heard, so strong in dBm; what is no reading, or heard in a pause, does not count.
  package mutating func hear(_ rssi: Int8?, at now: Instant) {
    guard pauseStart == nil else { return }
    clock = now
    endIfSilent(at: now)
    guard mean.hear(rssi, at: now), let mean = mean.sixteenths(at: now) else { return }
    lastReading = now
    let limit = 16 * Int32(beacon.rssi)
    let (isStrong, isWeak) = (mean >= limit, mean < limit - 16 * Self.margin)
    switch stage {
    case .away: if isStrong { stage = .coming(since: now) }
    case .coming(let start):
      if !isStrong { stage = .away } else if now >= start + Self.confirmingTime { stage = .here }
    case .here: if isWeak { stage = .leaving(since: now) }
    case .leaving(let start):
      if !isWeak { stage = .here } else if now >= start + Self.confirmingTime { stage = .away }
    }
  }

  /// The radio listens, or has something else to do.
  package mutating func listens(_ isListening: Bool, at now: Instant) {
    guard isListening else { return pauseStart = pauseStart ?? now }
    guard let start = pauseStart else { return }
    pauseStart = nil
    let pause = now - start
    lastReading = lastReading.map { $0 + pause }
    switch stage {
    case .coming(let start): stage = .coming(since: start + pause)
    case .leaving(let start): stage = .leaving(since: start + pause)
    case .away, .here: break
    }
  }

  /// What was heard does not count any more.
  package mutating func startAnew() {
    forget()
    isHere = false
  }

  private mutating func forget() {
    (stage, lastReading) = (.away, nil)
    mean = SignalMean()
  }

  /// Whether it is at home by what was heard, if that is not yet concluded.
  package mutating func conclusion(at now: Instant) -> Bool? {
    clock = now
    if pauseStart == nil { endIfSilent(at: now) }
    return isHeard == isHere ? nil : isHeard
  }

  /// Counts as at home from now on, or not any more.
  package mutating func conclude(isHere: Bool) {
    self.isHere = isHere
    // Who is told of it has not heard it.
    if isHeard != isHere { stage = isHere ? .here : .away }
  }

  /// Somebody uses the device, or rides.
  package mutating func use(at now: Instant) { useEnd = now + Self.useTime }

  // MARK: - Time

  /// When another state begins though nothing happens; `nil` for never.
  package var deadline: Instant? {
    guard isHeard == isHere else { return clock }
    guard isHere else { return nil }
    let silenceEnd = pauseStart == nil ? lastReading.map { $0 + Self.silenceTime } : nil
    return earlier(silenceEnd, state == .atRest ? nil : useEnd)
  }

  /// Advances to `now`; `state` says where that is.
  package mutating func advance(to now: Instant) {
    guard isHere else { return state = .away }
    state = useEnd.map { now < $0 } ?? false ? .here : .atRest
  }

  private mutating func endIfSilent(at now: Instant) {
    if let lastReading, now >= lastReading + Self.silenceTime { forget() }
  }

  private var isHeard: Bool {
    switch stage {
    case .here, .leaving: true
    case .away, .coming: false
    }
  }
}

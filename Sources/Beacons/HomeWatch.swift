package import Bytes

/// Where the device is, and whether anybody uses it there.
package enum HomeState: Equatable, Sendable {
  /// Not at home, or unknown.
  case away
  /// At home, and in use or used minutes ago.
  case here
  /// At home, and not in use.
  case atRest
}

/// Whether the device is at home, by the signal of one beacon.
///
/// Each reading counts together with those of the last three seconds: `SignalMean`. Their mean is in force until
/// the next reading, even if that takes long. A radio that listens for a tenth of the time hears one
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
/// | | `startOver`: a ride has its link, or there is no search | `away` |
///
/// Time counts only while the radio listens (`listens`): without listening, silence means nothing.
///
/// A stage has an effect once the owner passes its `conclusion` to `conclude`: a replay hears no beacon and gets
/// only conclusions. In `here` and `leaving` the device is at rest 10 min after the last `use`. Call `advance`
/// after each other call, and no later than `deadline`.
package struct HomeWatch: Sendable {
  private enum Stage {
    case away
    case coming(since: Instant)
    case here
    case leaving(since: Instant)
  }

  /// How long all means must agree, in milliseconds.
  private static var confirmingTime: Int64 { 10_000 }
  private static var silenceTime: Int64 { 30_000 }
  private static var useTime: Int64 { 600_000 }
  /// A signal this many dB below the limit comes from elsewhere.
  private static var margin: Int32 { 10 }

  package let beacon: HomeBeacon
  /// The state at the last `advance`.
  package private(set) var state = HomeState.away
  private var stage = Stage.away
  /// The conclusion in force: whether the device is at home.
  private var isHere = false
  /// When the beacon was heard last, or a conclusion was asked for.
  private var clock = Instant(milliseconds: 0)
  private var mean = SignalMean()
  private var lastReading: Instant?
  /// Since when the radio has not listened.
  private var pauseStart: Instant?
  private var useEnd: Instant?

  package init(_ beacon: HomeBeacon) { self.beacon = beacon }

  /// The beacon was heard with this power in dBm, which does not count in a pause.
  package mutating func receive(_ rssi: Int8?, at now: Instant) {
    guard pauseStart == nil else { return }
    clock = now
    endIfSilent(at: now)
    guard mean.receive(rssi, at: now), let mean = mean.sixteenths(at: now) else { return }
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

  /// Forgets all that was heard: the device counts as away.
  package mutating func startOver() {
    forget()
    isHere = false
  }

  private mutating func forget() {
    (stage, lastReading) = (.away, nil)
    mean = SignalMean()
  }

  /// Where the device is, by the stage; `nil` if this is already the conclusion in force.
  package mutating func conclusion(at now: Instant) -> HomeState? {
    clock = now
    if pauseStart == nil { endIfSilent(at: now) }
    return isHeard == isHere ? nil : isHeard ? .here : .away
  }

  /// The device counts as at home from now on, or as away.
  package mutating func conclude(isHere: Bool) {
    self.isHere = isHere
    // A replay has heard no beacon.
    if isHeard != isHere { stage = isHere ? .here : .away }
  }

  /// The device is in use, or a ride goes on.
  package mutating func use(at now: Instant) { useEnd = now + Self.useTime }

  // MARK: - Time

  /// When the state changes by time alone; `nil` for never.
  package var deadline: Instant? {
    guard isHeard == isHere else { return clock }
    guard isHere else { return nil }
    let silenceEnd = pauseStart == nil ? lastReading.map { $0 + Self.silenceTime } : nil
    return earlier(silenceEnd, state == .atRest ? nil : useEnd)
  }

  /// Advances to `now`; `state` is then up to date.
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

/// The beacon at home, and how strong its signal is there.
package struct HomeBeacon: Equatable, Sendable {
  package var uuid: UUID
  /// Its group; `nil` for any.
  package var major: UInt16?
  /// Its number in the group; `nil` for any.
  package var minor: UInt16?
  /// The weakest signal that counts as home, in dBm.
  package var rssi: Int8

  /// The usual signal some metres away, in the same room, in dBm.
  package static var usualRSSI: Int8 { -75 }
  /// No chip hears a weaker signal.
  package static var weakestRSSI: Int8 { -100 }
  /// No signal is stronger, even beside the beacon.
  package static var strongestRSSI: Int8 { -30 }

  package init(
    _ uuid: UUID, major: UInt16? = nil, minor: UInt16? = nil, rssi: Int8 = Self.usualRSSI
  ) {
    (self.uuid, self.major, self.minor, self.rssi) = (uuid, major, minor, rssi)
  }

  package func isSame(as heard: IBeacon) -> Bool {
    uuid == heard.uuid && major ?? heard.major == heard.major
      && minor ?? heard.minor == heard.minor
  }
}

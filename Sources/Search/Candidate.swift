package import Bytes

/// A phone that was heard.
package struct Candidate {
  package let address: DeviceAddress
  /// The power of its advertisement in dBm; `nil` if that is not known.
  package private(set) var rssi: Int8?
  package private(set) var match: Match
  /// When it was heard last.
  private(set) var lastHeard = Instant(milliseconds: .min)
  /// The time between the last two advertising events in which it was heard, if there were two.
  private(set) var interval: Int64?
  /// Whether it was also heard before an attempt at another phone.
  private(set) var wasHeardBefore = false

  /// Advertising events are at least this far apart.
  ///
  /// Core Specification, Vol 6, Part B, 4.4.2.2.1.
  private static var shortestInterval: Int64 { 20 }

  init(address: DeviceAddress, rssi: Int8?, match: Match) {
    (self.address, self.rssi, self.match) = (address, rssi, match)
  }

  /// A phone that has connected by itself.
  package static func visitor(_ address: DeviceAddress, isRemembered: Bool) -> Candidate {
    Candidate(address: address, rssi: nil, match: isRemembered ? .bond : .service)
  }

  /// No phone at all.
  package static var nobody: Candidate {
    Candidate(address: DeviceAddress(0, .public), rssi: nil, match: .service)
  }

  /// It was heard now.
  mutating func setHeard(at now: Instant, wasHeardBefore: Bool) {
    (lastHeard, self.wasHeardBefore) = (now, wasHeardBefore)
  }

  /// Takes over how often it was heard before, as an advertisement and its scan response are one event.
  mutating func follow(_ last: Candidate) {
    let time = lastHeard - last.lastHeard
    if time >= Self.shortestInterval {
      interval = time
    } else {
      (lastHeard, interval) = (last.lastHeard, last.interval)
    }
  }

  /// It is the remembered phone from now on.
  mutating func remember() { match = .bond }

  /// It counts as a stranger from now on.
  mutating func forget() { (match, rssi) = (.service, nil) }

  /// Its power in dBm, the least if it is not known; a match by overflow comes behind all others.
  var strength: Int {
    let power = Int(rssi ?? .min)
    return match == .overflow ? power - 256 : power
  }
}

/// Advertisers that can be asked for more, but not connected to; the oldest is overwritten.
struct Scannables: ~Copyable {
  private static var capacity: Int { 4 }

  private var addresses = InlineArray<4, DeviceAddress>(repeating: Candidate.nobody.address)
  private var next = 0

  func contains(_ address: DeviceAddress) -> Bool {
    for index in 0..<Self.capacity where addresses[index] == address { return true }
    return false
  }

  /// Keeps an address; returns whether it is new.
  mutating func add(_ address: DeviceAddress) -> Bool {
    guard !contains(address) else { return false }
    addresses[next] = address
    next = (next + 1) % Self.capacity
    return true
  }
}

/// The phone that the host connects to, or did last.
package struct Peer: ~Copyable {
  package private(set) var candidate = Candidate.nobody
  /// The name in its advertisements, empty if there was none.
  package private(set) var advertisedName = FixedBuffer<32>()
  /// When the last attempt at it began.
  package private(set) var attemptStart = Instant(milliseconds: 0)

  /// No phone so far.
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

  /// It counts as a stranger from now on, without a signal or a name.
  package mutating func forget() {
    candidate.forget()
    advertisedName.removeAll()
  }
}

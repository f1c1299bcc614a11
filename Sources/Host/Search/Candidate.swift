import Bytes
import HCI

/// A phone that was heard.
struct Candidate {
  var address: DeviceAddress
  /// The power of its advertisement in dBm; `nil` if that is not known.
  var rssi: Int8?
  var match: Match
  /// When it was heard last.
  var lastHeard = Instant(milliseconds: .min)
  /// How long before that it was heard in an earlier advertising event, if it was.
  var interval: Int64?
  /// Whether it was heard before an attempt at another one, too.
  var wasHeardBefore = false

  /// No phone at all.
  static var nobody: Candidate {
    Candidate(address: DeviceAddress(0, .public), rssi: nil, match: .service)
  }

  /// Its power in dBm, the least if that is not known, behind all that name the service if it does not.
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

  /// Keeps one; returns whether it was not known.
  mutating func add(_ address: DeviceAddress) -> Bool {
    guard !contains(address) else { return false }
    addresses[next] = address
    next = (next + 1) % Self.capacity
    return true
  }
}

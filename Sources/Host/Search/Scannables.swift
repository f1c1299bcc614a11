import Bytes
import HCI

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

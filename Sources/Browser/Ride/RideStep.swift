/// One instruction of a ride, and when the phone says it.
struct RideStep {
  /// Since the ride began.
  var milliseconds: Int64
  /// komoot's number of the direction.
  var direction: UInt8
  /// In metres.
  var distance: UInt32
  /// UTF-8, as it is sent.
  var street: [UInt8]
}

extension RideStep {
  /// The value of komoot's characteristic that says it; `identifier` is the phone's number for it.
  func value(identifier: UInt32) -> [UInt8] {
    octets(identifier) + [direction] + octets(distance) + street
  }

  private func octets(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

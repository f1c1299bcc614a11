/// How often a link has connection events, and when it counts as lost.
///
/// Core Specification, Vol 4, Part E, 7.8.18.
package struct ConnectionParameters: Equatable, Sendable {
  /// Shortest interval, in units of 1.25 ms.
  package var intervalMin: UInt16
  /// Longest interval, in units of 1.25 ms.
  package var intervalMax: UInt16
  /// How many connection events the peripheral may skip.
  package var latency: UInt16
  /// The silence after which the link is lost, in units of 10 ms.
  package var supervisionTimeout: UInt16

  package init(
    intervalMin: UInt16, intervalMax: UInt16, latency: UInt16, supervisionTimeout: UInt16
  ) {
    (self.intervalMin, self.intervalMax) = (intervalMin, intervalMax)
    (self.latency, self.supervisionTimeout) = (latency, supervisionTimeout)
  }

  /// The longest time without a connection event that both sides must keep, in units of 1.25 ms.
  package var longestWait: UInt32 { (1 + UInt32(latency)) * UInt32(intervalMax) }

  /// Whether they are good enough for a ride: news comes within half a second, a loss shows within 6 s.
  ///
  /// With a timeout below 2 s a hand in front of the antenna would end the link. Apple asks an accessory for both
  /// limits (Accessory Design Guidelines, chapter Bluetooth Low Energy).
  package var areAcceptable: Bool {
    areValid && supervisionTimeout >= 200 && supervisionTimeout <= 600 && longestWait <= 400
  }

  /// Whether the specification allows this combination.
  package var areValid: Bool {
    guard intervalMin >= 6, intervalMax <= 3200, intervalMin <= intervalMax else { return false }
    guard latency <= 499, supervisionTimeout >= 10, supervisionTimeout <= 3200 else { return false }
    // The timeout must be longer than two of the longest silences: 10 ms units × 8 = 1.25 ms units.
    return UInt32(supervisionTimeout) * 8 > longestWait * 2
  }
}

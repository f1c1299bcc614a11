import HCI
package import Sensors

extension SensorKind {
  /// The kind of a sensor that advertises this; of several the one that is worth most.
  ///
  /// One of cadence is told from one of speed by what moves alone: both are `speed`.
  package init?(advertisedIn data: Span<UInt8>) {
    for place in 0..<SensorKind.count {
      let kind = SensorKind.worth(SensorKind.count - 1 - place)
      if AdvertisingData.contains(kind.advertisedService, in: data) {
        self = kind
        return
      }
    }
    return nil
  }
}

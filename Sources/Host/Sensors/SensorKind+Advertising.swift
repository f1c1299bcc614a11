import HCI
public import Sensors

extension SensorKind {
  /// The kind of a sensor that advertises this; of several the one that is worth most.
  public init?(advertisedIn data: Span<UInt8>) {
    for index in 0..<SensorKind.count {
      let kind = SensorKind.at(SensorKind.count - 1 - index)
      if AdvertisingData.contains(kind.advertisedService, in: data) {
        self = kind
        return
      }
    }
    return nil
  }
}

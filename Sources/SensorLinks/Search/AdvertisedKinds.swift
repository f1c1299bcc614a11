import Bytes
import HCI
package import Sensors

/// The kinds of sensor that an advertisement, or a scan response, announces.
struct AdvertisedKinds {
  /// The kinds that it announces.
  private(set) var kinds = SensorKinds()
  /// Kinds that its attribute table may have besides.
  private(set) var guesses = SensorKinds()

  /// Reads the services, in any list, or else the appearance, which is only a hint.
  ///
  /// Only movement distinguishes a cadence sensor from a speed sensor: both are `speed`.
  init(in data: Span<UInt8>) {
    for kind in SensorKind.all where kind != .cadence && kind.isAdvertised(in: data) {
      kinds.insert(kind)
    }
    guard kinds.isEmpty, let appearance = AdvertisingData.appearance(in: data) else { return }
    switch appearance {
    case 0x0340, 0x0341: kinds.insert(.heart)
    // Speed, cadence, both.
    case 0x0482, 0x0483, 0x0485:
      kinds.insert(.speed)
      guesses.insert(.power)
    case 0x0484:
      kinds.insert(.power)
      guesses.insert(.speed)
    // Generic cycling, cycling computer.
    case 0x0480, 0x0481:
      kinds.insert(.speed)
      kinds.insert(.power)
    default: break
    }
  }

  /// The other kinds as which a sensor may be tried that was tried as this kind.
  func others(than kind: SensorKind) -> SensorKinds {
    var others = kinds.union(guesses)
    others.remove(kind)
    return others
  }
}

extension SensorKind {
  /// The kind of a sensor that advertises this; of several the one that is worth most.
  package init?(advertisedIn data: Span<UInt8>) {
    guard let kind = AdvertisedKinds(in: data).kinds.mostWorth else { return nil }
    self = kind
  }

  fileprivate func isAdvertised(in data: Span<UInt8>) -> Bool {
    AdvertisingData.contains(service, in: data)
      || AdvertisingData.contains(advertisedService, in: data)
  }
}

extension AdvertisingData {
  /// The appearance of the device that advertises this; Assigned Numbers, 2.6.
  fileprivate static func appearance(in bytes: Span<UInt8>) -> UInt16? {
    var data = AdvertisingData(bytes)
    while let structure = data.next() {
      guard structure.type == .appearance else { continue }
      var reader = ByteReader(structure.data)
      return try? reader.u16()
    }
    return nil
  }
}

package import Bond
package import Bytes

/// What is remembered of a sensor: what it measures, its address and name, where its values are, its key.
package struct RememberedSensor: Equatable, Sendable {
  package private(set) var kind: SensorKind
  /// Its address, public or static random.
  package let address: DeviceAddress
  /// Where on its attribute server the measurement is, for a subscription without a discovery.
  package let handles: SubscribedHandles
  /// The key of its link, if the sensor has asked for encryption.
  package private(set) var key: Bond.Key?
  private let nameBytes: ShortBytes<20>

  /// What `name` holds at most, in bytes.
  package static var nameSize: Int { 20 }

  /// Remembers a sensor; `nil` if `address` is one that changes.
  ///
  /// `name` is UTF-8, of which only the letters that are whole within the first 20 bytes are kept. An
  /// identity that the controller resolved becomes the public or random address that it is.
  package init?(
    _ kind: SensorKind, address: DeviceAddress, handles: SubscribedHandles = .none,
    key: Bond.Key? = nil, name: Span<UInt8>
  ) {
    guard let address = address.remembered else { return nil }
    (self.kind, self.address, self.handles, self.key) = (kind, address, handles, key)
    nameBytes = ShortBytes { $0.assign(text: name) }
  }

  /// The same sensor, which turned out to be of this kind.
  package func of(_ kind: SensorKind) -> RememberedSensor {
    var sensor = self
    sensor.kind = kind
    return sensor
  }

  /// The same sensor with another key.
  package func with(key: Bond.Key) -> RememberedSensor {
    var sensor = self
    sensor.key = key
    return sensor
  }

  /// The sensor's own name; empty if it never sent one.
  package var name: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { nameBytes.bytes }
  }
}

/// The sensors that are remembered, at most one of each kind.
///
/// The stored ones are in `BondFile`; the device changes its own copy and saves it there.
package struct RememberedSensors: Equatable, Sendable {
  private var sensors = PerKind<RememberedSensor?>(repeating: nil)

  /// None.
  package init() {}

  /// The sensor of this kind, if one is remembered.
  package subscript(kind: SensorKind) -> RememberedSensor? { sensors[kind] }

  /// Replaces `buffer` by the name of the sensor of this kind; empty if there is no name or no sensor.
  package func copyName<let capacity: Int>(
    of kind: SensorKind, into buffer: inout FixedBuffer<capacity>
  ) {
    buffer.removeAll()
    if let sensor = self[kind] { buffer.assign(sensor.name) }
  }

  /// Whether none is remembered.
  package var isEmpty: Bool { self == Self() }

  /// Remembers the sensor instead of the last one of its kind.
  package mutating func set(_ sensor: RememberedSensor) { sensors[sensor.kind] = sensor }

  /// Exchanges the sensors of speed and cadence.
  package mutating func exchangeSpeedAndCadence() {
    let (speed, cadence) = (self[.speed], self[.cadence])
    sensors[.speed] = cadence?.of(.speed)
    sensors[.cadence] = speed?.of(.cadence)
  }

  /// The remembered sensor with this address, if there is one.
  package func sensor(_ address: DeviceAddress) -> RememberedSensor? {
    for kind in SensorKind.all where sensors[kind]?.address == address { return sensors[kind] }
    return nil
  }

  /// Whether one of these has a key that none of `others` has.
  package func haveKey(missingIn others: RememberedSensors) -> Bool {
    for kind in SensorKind.all {
      if let key = sensors[kind]?.key, !others.haveKey(key) { return true }
    }
    return false
  }

  private func haveKey(_ key: Bond.Key) -> Bool {
    for kind in SensorKind.all where sensors[kind]?.key == key { return true }
    return false
  }
}

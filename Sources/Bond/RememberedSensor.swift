package import Bytes
package import Sensors

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
  static var nameSize: Int { 20 }

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
/// `BondStore` has those of the file; the device changes its own copy and saves it there.
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
  func haveKey(missingIn others: RememberedSensors) -> Bool {
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

extension DeviceAddress {
  /// The public or static random address to remember a device by; `nil` if this one changes.
  var remembered: DeviceAddress? {
    let whole =
      switch type {
      case .public, .publicIdentity: DeviceAddress(value, .public)
      case .random, .randomIdentity: DeviceAddress(value, .random)
      }
    return whole.isFixed ? whole : nil
  }
}

/// The sensors in a record: a place for each kind, zeros where no sensor of it is remembered.
///
/// The places are those of `cadence`, `heart`, `speed`, `power` and `radar`. Up to version 0.2.0 the first
/// place and all keys were zeros.
///
///     0    1  1 if there is a sensor
///     1    7  its address with the type
///     8    4  its handles
///     12  21  the bytes of its name, and the name
///     33   1  1 if there is a key
///     34  16  its key, or zeros
///     50   6  zeros
extension RememberedSensors {
  /// Bytes of a place.
  private static var placeSize: Int { 56 }
  /// Bytes of all of them.
  static var encodedSize: Int { SensorKind.count * placeSize }
  /// Where in a place the key is.
  private static var keyPlace: Range<Int> { 34..<50 }

  /// The kinds of the places, in order.
  private static var order: InlineArray<5, SensorKind> {
    [.cadence, .heart, .speed, .power, .radar]
  }

  /// Whether a byte of the places belongs to a key.
  static func isKey(at offset: Int) -> Bool {
    offset >= 0 && offset < encodedSize && keyPlace.contains(offset % placeSize)
  }

  /// Reads all places; a damaged sensor is no reason to lose the others.
  init(parsing bytes: Span<UInt8>) {
    self.init()
    let order = Self.order
    for place in order.indices {
      do throws(ParseError) {
        var reader = ByteReader(bytes.extracting(droppingFirst: place * Self.placeSize))
        set(try RememberedSensor.parse(order[place], &reader))
      } catch {}
    }
  }

  func write(into buffer: inout FixedBuffer<512>) {
    let order = Self.order
    for place in order.indices {
      let end = buffer.count + Self.placeSize
      self[order[place]]?.write(into: &buffer)
      buffer.pad(to: end)
    }
  }
}

extension RememberedSensor {
  fileprivate func write(into buffer: inout FixedBuffer<512>) {
    buffer.append(1)
    buffer.append(address)
    handles.write(into: &buffer)
    buffer.append(name: name, size: RememberedSensor.nameSize)
    guard let key else { return }
    buffer.append(1)
    buffer.append(key.bytes)
  }

  fileprivate static func parse(
    _ kind: SensorKind, _ reader: inout ByteReader
  ) throws(ParseError) -> RememberedSensor {
    guard try reader.u8() == 1 else { throw .invalid }
    let type = try reader.u8()
    let address = try reader.address(type)
    let handles = try SubscribedHandles(&reader)
    let name = try reader.name(size: nameSize)
    let hasKey = try reader.u8() == 1
    let key: Bond.Key = try reader.octets()
    guard
      let sensor = RememberedSensor(
        kind, address: address, handles: handles, key: hasKey ? key : nil, name: name)
    else { throw .invalid }
    return sensor
  }
}

import Bond
import Bytes
import Sensors

/// The sensors in a record: a place for each kind, with zeros if no sensor of this kind is remembered.
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
  private static var placeSize: Int { 56 }
  static var encodedSize: Int { order.count * placeSize }
  private static var keyPlace: Range<Int> { 34..<50 }

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

import Bytes
import Sensors

/// The sensors in a record: a place for each kind, zeros where none of it is remembered.
///
/// The places are those of `cadence`, `heart`, `speed`, `power` and `radar`. Up to version 0.2.0 zeros were
/// where the first place and all keys are.
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

  /// The kinds of the sensors at the places, one after the other.
  private static var order: InlineArray<5, SensorKind> {
    [.cadence, .heart, .speed, .power, .radar]
  }

  /// Whether a byte of all places is one of a key.
  static func isKey(at offset: Int) -> Bool {
    offset >= 0 && offset < encodedSize && keyPlace.contains(offset % placeSize)
  }

  /// Reads all places; a sensor that makes no sense is no reason to lose the others.
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
      while buffer.count < end { buffer.append(0) }
    }
  }
}

extension RememberedSensor {
  fileprivate func write(into buffer: inout FixedBuffer<512>) {
    buffer.append(1)
    buffer.append(address)
    handles.write(into: &buffer)
    buffer.append(UInt8(truncatingIfNeeded: name.count))
    buffer.append(name)
    guard let key else { return }
    for _ in name.count..<RememberedSensor.nameSize { buffer.append(0) }
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
    let count = Int(try reader.u8())
    let name = try reader.take(nameSize)
    let hasKey = try reader.u8() == 1
    let key: Bond.Key = try reader.octets()
    guard count <= nameSize,
      let sensor = RememberedSensor(
        kind, address: address, handles: handles, key: hasKey ? key : nil,
        name: name.extracting(first: count))
    else { throw .invalid }
    return sensor
  }
}

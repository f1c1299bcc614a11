import Bytes
import Sensors

/// The sensors in a record: a place for each kind, zeros where none of it is remembered.
///
///     0    1  1 if there is a sensor
///     1    7  its address with the type
///     8    4  its handles
///     12  21  the bytes of its name, and the name
///     33  23  zeros
extension RememberedSensors {
  /// Bytes of a place.
  private static var placeSize: Int { 56 }
  /// Bytes of all of them.
  static var encodedSize: Int { SensorKind.count * placeSize }

  /// Reads all places; a sensor that makes no sense is no reason to lose the others.
  init(parsing bytes: Span<UInt8>) {
    self.init()
    for number in 0..<SensorKind.count {
      guard let kind = SensorKind(rawValue: UInt8(truncatingIfNeeded: number)) else { continue }
      do throws(ParseError) {
        var reader = ByteReader(bytes.extracting(droppingFirst: number * Self.placeSize))
        set(try RememberedSensor.parse(kind, &reader))
      } catch {}
    }
  }

  func write(into buffer: inout FixedBuffer<512>) {
    for number in 0..<SensorKind.count {
      let end = buffer.count + Self.placeSize
      if let kind = SensorKind(rawValue: UInt8(truncatingIfNeeded: number)) {
        self[kind]?.write(into: &buffer)
      }
      while buffer.count < end { buffer.append(0) }
    }
  }
}

extension RememberedSensor {
  fileprivate func write(into buffer: inout FixedBuffer<512>) {
    buffer.append(1)
    buffer.append(address)
    buffer.append(u16: handles.value)
    buffer.append(u16: handles.configuration)
    buffer.append(UInt8(truncatingIfNeeded: name.count))
    buffer.append(name)
  }

  fileprivate static func parse(
    _ kind: SensorKind, _ reader: inout ByteReader
  ) throws(ParseError) -> RememberedSensor {
    guard try reader.u8() == 1 else { throw .invalid }
    let type = try reader.u8()
    let address = try reader.address(type)
    let handles = SubscribedHandles(value: try reader.u16(), configuration: try reader.u16())
    let count = Int(try reader.u8())
    let name = try reader.take(nameSize)
    guard count <= nameSize,
      let sensor = RememberedSensor(
        kind, address: address, handles: handles, name: name.extracting(first: count))
    else { throw .invalid }
    return sensor
  }
}

package import Bond
internal import Bytes
package import Sensors

/// A sensor whose address, handles and name no other kind and `number` has.
package func plainSensor(_ kind: SensorKind, _ number: UInt8 = 1) throws -> RememberedSensor {
  let name = Array("\(kind) \(number)".utf8)
  let address = 0xD0FF_EE00_0000 + 256 * UInt64(kind.rawValue) + UInt64(number)
  let handle = UInt16(kind.rawValue) * 256 + UInt16(number)
  guard
    let sensor = RememberedSensor(
      kind, address: DeviceAddress(address, .random),
      handles: SubscribedHandles(value: handle, configuration: handle + 1), name: name.span)
  else { throw PlainBond.Refused() }
  return sensor
}

/// All that can be remembered: a sensor of each kind.
package func plainSensors(_ kinds: [SensorKind] = everyKind, _ number: UInt8 = 1) throws
  -> RememberedSensors
{
  try kinds.reduce(into: RememberedSensors()) { $0.set(try plainSensor($1, number)) }
}

/// The kinds of sensors.
package let everyKind = Array(SensorKind.all)

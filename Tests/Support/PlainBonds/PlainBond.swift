package import Bond
package import Bytes
package import Sensors
import TestSupport

/// A bond as tests can copy, compare and print it.
package struct PlainBond: Equatable {
  /// Who it is.
  package var address = DeviceAddress(0xC0FF_EE12_3456, .random)
  /// The key that resolves its addresses.
  package var irk: [UInt8]?
  /// The key that encrypts the link.
  package var ltk: [UInt8]?
  /// Whether the rider compared numbers.
  package var isAuthenticated = false
  /// Of value and configuration of what is subscribed to.
  package var handles: [UInt16] = [0, 0, 0, 0]
  /// What it has set on our server.
  package var served = Bond.Served()
  /// What it calls itself.
  package var name = ""

  /// What a bond holds.
  package init(_ bond: borrowing Bond) {
    address = bond.address
    irk = bond.irk.map { array($0.bytes) }
    ltk = bond.ltk.map { array($0.bytes) }
    isAuthenticated = bond.isAuthenticated
    handles = [bond.handles[.value], bond.handles[.serviceChanged]].flatMap {
      [$0.value, $0.configuration]
    }
    served = bond.served
    name = string(bond.name)
  }

  /// A phone with two keys that no other `number` has a byte of; from 3 on it has set something on our server.
  package init(number: UInt8) {
    let keys = (0..<2).map { key in (0..<16).map { number &* 48 &+ 16 &* key &+ $0 } }
    address = DeviceAddress(0xC0FF_EE00_0000 + UInt64(number), .random)
    (irk, ltk) = (keys[0], keys[1])
    isAuthenticated = number % 2 == 0
    handles = (0..<4).map { UInt16(number) * 16 + $0 + 1 }
    name = "phone \(number)"
    guard number > 2 else { return }
    served = Bond.Served(table: number)
    served[.serviceChanged] = number % 2 == 0
    served[.uart] = true
  }

  /// The address was one that changes.
  package struct Refused: Error {}

  /// The bond itself.
  package func make() throws(Refused) -> Bond {
    let name = Array(name.utf8)
    guard
      let bond = Bond(
        address: address, irk: irk.map(key), ltk: ltk.map(key),
        isAuthenticated: isAuthenticated,
        handles: Bond.Handles(
          value: SubscribedHandles(value: handles[0], configuration: handles[1]),
          serviceChanged: SubscribedHandles(value: handles[2], configuration: handles[3])
        ), served: served, name: name.span)
    else { throw Refused() }
    return bond
  }

  private func key(_ bytes: [UInt8]) -> Bond.Key {
    var key = Bond.Key()
    for index in bytes.indices { key[index] = bytes[index] }
    return key
  }
}

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

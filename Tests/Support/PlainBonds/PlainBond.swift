public import Bond
public import Bytes
import TestSupport

/// A bond as tests can copy, compare and print it.
public struct PlainBond: Equatable {
  /// Who it is.
  public var address = DeviceAddress(0xC0FF_EE12_3456, .random)
  /// The key that resolves its addresses.
  public var irk: [UInt8]?
  /// The key that encrypts the link.
  public var ltk: [UInt8]?
  /// The key that it resolves ours by.
  public var localIRK: [UInt8]?
  /// Whether the rider compared numbers.
  public var isAuthenticated = false
  /// What it calls itself.
  public var name = ""

  /// What a bond holds.
  public init(_ bond: borrowing Bond) {
    address = bond.address
    irk = bond.irk.map { array($0.bytes) }
    ltk = bond.ltk.map { array($0.bytes) }
    localIRK = bond.localIRK.map { array($0.bytes) }
    isAuthenticated = bond.isAuthenticated
    name = string(bond.name)
  }

  /// A phone with three keys that no other `number` has a byte of.
  public init(number: UInt8) {
    let keys = (0..<3).map { key in (0..<16).map { number &* 48 &+ 16 &* key &+ $0 } }
    address = DeviceAddress(0xC0FF_EE00_0000 + UInt64(number), .random)
    (irk, ltk, localIRK) = (keys[0], keys[1], keys[2])
    isAuthenticated = number % 2 == 0
    name = "phone \(number)"
  }

  /// The address was one that changes.
  public struct Refused: Error {}

  /// The bond itself.
  public func make() throws(Refused) -> Bond {
    let name = Array(name.utf8)
    guard
      let bond = Bond(
        address: address, irk: irk.map(key), ltk: ltk.map(key), localIRK: localIRK.map(key),
        isAuthenticated: isAuthenticated, name: name.span)
    else { throw Refused() }
    return bond
  }

  private func key(_ bytes: [UInt8]) -> Bond.Key {
    var key = Bond.Key()
    for index in bytes.indices { key[index] = bytes[index] }
    return key
  }
}

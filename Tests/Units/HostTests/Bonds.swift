import Bytes
import HCI
import Host
import TestSupport

/// A bond as tests can copy, compare and print it.
struct PlainBond: Equatable {
  var address = DeviceAddress(0xC0FF_EE12_3456, .random)
  var irk: [UInt8]?
  var ltk: [UInt8]?
  var localIRK: [UInt8]?
  var isAuthenticated = false
  var name = ""

  init(_ bond: borrowing Bond) {
    address = bond.address
    irk = bond.irk.map { array($0.bytes) }
    ltk = bond.ltk.map { array($0.bytes) }
    localIRK = bond.localIRK.map { array($0.bytes) }
    isAuthenticated = bond.isAuthenticated
    name = string(bond.name)
  }

  /// A phone with three keys that no other `number` has a byte of.
  init(number: UInt8) {
    let keys = (0..<3).map { key in (0..<16).map { number &* 48 &+ 16 &* key &+ $0 } }
    address = DeviceAddress(0xC0FF_EE00_0000 + UInt64(number), .random)
    (irk, ltk, localIRK) = (keys[0], keys[1], keys[2])
    isAuthenticated = number % 2 == 0
    name = "phone \(number)"
  }

  struct Refused: Error {}

  func make() throws(Refused) -> Bond {
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

/// A file on a disk whose power can be cut.
struct Disk: Equatable {
  var bytes: [UInt8] = []

  /// What a start finds there.
  enum Finding: Equatable {
    case nothing, erased
    case bond(PlainBond)
  }

  var finding: Finding {
    let store = BondStore(bytes.span)
    guard let bond = store.bond(in: bytes.span) else {
      return store.content == .erased ? .erased : .nothing
    }
    return .bond(PlainBond(bond))
  }

  var condition: BondStore.Condition {
    let store = BondStore(bytes.span)
    return store.condition
  }

  /// The first `count` bytes of a write reach the disk.
  func written(_ write: Write, upTo count: Int) -> Disk {
    var disk = self
    let end = write.offset + count
    if count > 0, disk.bytes.count < end {
      disk.bytes += [UInt8](repeating: 0, count: end - disk.bytes.count)
    }
    for index in 0..<count { disk.bytes[write.offset + index] = write.bytes[index] }
    return disk
  }

  /// Does all that the store wants written, and returns each write with the disk before it.
  @discardableResult
  mutating func finish(_ store: inout BondStore) -> [(before: Disk, write: Write)] {
    var steps: [(before: Disk, write: Write)] = []
    while !store.output.isEmpty {
      let write = Write(offset: store.outputOffset, bytes: array(store.output))
      steps.append((self, write))
      self = written(write, upTo: write.bytes.count)
      store.outputWasWritten()
    }
    return steps
  }

  /// A start, one change and its writes.
  @discardableResult
  mutating func change(_ change: Change) throws -> [(before: Disk, write: Write)] {
    var store = BondStore(bytes.span)
    try change.begin(&store)
    return finish(&store)
  }

  /// Whether the 16 bytes of a key are anywhere.
  func holds(_ key: [UInt8]?) -> Bool {
    guard let key, bytes.count >= key.count else { return false }
    return (0...bytes.count - key.count).contains { bytes[$0..<$0 + key.count].elementsEqual(key) }
  }
}

struct Write: Equatable {
  var offset: Int
  var bytes: [UInt8]
}

enum Change: Equatable, Sendable {
  case save(UInt8), erase

  func begin(_ store: inout BondStore) throws {
    switch self {
    case .save(let number): store.save(try PlainBond(number: number).make())
    case .erase: store.erase()
    }
  }
}
